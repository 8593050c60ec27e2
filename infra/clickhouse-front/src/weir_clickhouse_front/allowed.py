"""What is allowed and what is refused, as names of the engine. Table functions are in lower case."""

from weir_clickhouse_front.profiles import ProfileName


def words(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


# Table functions that make rows out of nothing, and Weir's views that take a range.
TABLE_FUNCTIONS = words(
    """
    run_totals run_io_totals run_io_months finding_totals job_totals device_totals target_totals
    user_file_totals file_reader_totals
    cases_since alerts_since deliveries_since
    numbers numbers_mt zeros zeros_mt generateseries generate_series generaterandom values null view
    """
)
# Read files, open connections, ask network services, look into the process, or only hold a thread.
REFUSED_FUNCTIONS = words(
    """
    file catboostevaluate evalmlmethod hascolumnintable sleep sleepeachrow aggthrow hasthreadfuzzer
    addresstoline addresstolinewithinlines addresstosymbol getmacro getserverport getserversetting
    getclienthttpheader filesystemavailable filesystemcapacity filesystemunreserved serveruuid
    __getscalar __scalarsubqueryresult fuzzquery aiclassify aiembed aiextract aifilter aigenerate
    airedact aisimilarity aitranslate
    """
)
# Engines that keep their data in the store.
ENGINES = words(
    """
    MergeTree ReplacingMergeTree AggregatingMergeTree SummingMergeTree CollapsingMergeTree
    VersionedCollapsingMergeTree CoalescingMergeTree GraphiteMergeTree Memory Null Log TinyLog
    StripeLog Set Join Buffer View MaterializedView Dictionary Atomic
    """
)
# What clients and dashboards look up. Tables with other people's queries, files or secrets are not here.
SYSTEM_TABLES = words(
    """
    one numbers numbers_mt zeros zeros_mt databases tables columns settings functions formats
    data_type_families table_engines table_functions merge_tree_settings build_options contributors
    licenses time_zones keywords collations aggregate_function_combinators data_skipping_indices
    projections parts view_refreshes metrics asynchronous_metrics events current_roles enabled_roles
    completions
    """
)
# Statements that only look, by the names of their nodes in the parse.
LOOKS = words(
    """
    ShowTablesQuery ShowTables ShowColumns ShowColumnsQuery ShowIndexes ShowIndexesQuery
    ShowFunctions ShowFunctionsQuery ShowEngines ShowEnginesQuery ShowCreateTableQuery
    ShowCreateViewQuery ShowCreateDatabaseQuery ShowCreateDictionaryQuery DescribeQuery
    DescribeTableQuery ExistsTableQuery ExistsViewQuery ExistsDatabaseQuery ExistsDictionaryQuery
    """
)
# Statements that change something, and those that end what others do.
CHANGES = words(
    """
    CreateQuery DropQuery AlterQuery RenameQuery Rename OptimizeQuery DeleteQuery UpdateQuery
    CheckTableQuery KillQueryQuery SystemQuery
    InsertQuery
    """
)
# SYSTEM commands of a migrator.
SYSTEM_COMMANDS = words(
    """
    FLUSH_LOGS RELOAD_DICTIONARY RELOAD_DICTIONARIES REFRESH_VIEW WAIT_VIEW CANCEL_VIEW START_VIEW
    START_VIEWS STOP_VIEW STOP_VIEWS START_MERGES STOP_MERGES START_TTL_MERGES STOP_TTL_MERGES
    FLUSH_ASYNC_INSERT_QUEUE
    """
)
SELECT = "SelectWithUnionQuery"
READS = LOOKS | {SELECT, "ExplainQuery", "UseQuery", "SetQuery"}
KINDS = {
    ProfileName.READER: READS,
    ProfileName.ALERT: READS,
    ProfileName.WRITER: READS | {"InsertQuery"},
    ProfileName.MIGRATOR: READS | CHANGES | {"ShowProcesslistQuery"},
}
WRITER_DATABASE = "weir"

"""The engine's configuration file: memory bound, small pools, and its own logs with a bounded life."""

from pathlib import Path

from weir_clickhouse_front.settings import FrontSettings

# The pools are those of a small machine; merge_tree must agree with background_pool_size (4 x 2 slots).
TEMPLATE = """\
<clickhouse>
  <max_server_memory_usage>{memory_bytes}</max_server_memory_usage>
  <mark_cache_size>{cache_bytes}</mark_cache_size>
  <background_pool_size>4</background_pool_size>
  <background_schedule_pool_size>16</background_schedule_pool_size>
  <merge_tree>
    <number_of_free_entries_in_pool_to_execute_mutation>2</number_of_free_entries_in_pool_to_execute_mutation>
    <number_of_free_entries_in_pool_to_lower_max_size_of_merge>4</number_of_free_entries_in_pool_to_lower_max_size_of_merge>
    <number_of_free_entries_in_pool_to_execute_optimize_entire_partition>4</number_of_free_entries_in_pool_to_execute_optimize_entire_partition>
  </merge_tree>
  <query_log>
    <database>system</database>
    <table>query_log</table>
    <engine>{log_engine}</engine>
    <flush_interval_milliseconds>5000</flush_interval_milliseconds>
    <max_size_rows>100000</max_size_rows>
  </query_log>
  <part_log>
    <database>system</database>
    <table>part_log</table>
    <engine>{log_engine}</engine>
    <flush_interval_milliseconds>5000</flush_interval_milliseconds>
    <max_size_rows>100000</max_size_rows>
  </part_log>
</clickhouse>
"""
LOG_ENGINE = (
    "ENGINE = MergeTree PARTITION BY toMonday(event_date) ORDER BY (event_date, event_time) "
    "TTL event_date + INTERVAL {days} DAY DELETE"
)


def write_engine_config(path: Path, settings: FrontSettings) -> Path:
    """Writes the file the engine reads at start and returns its absolute path."""
    path.write_text(
        TEMPLATE.format(
            memory_bytes=settings.memory_bytes,
            cache_bytes=settings.memory_bytes // 16,
            log_engine=LOG_ENGINE.format(days=settings.log_days),
        )
    )
    return path.resolve()

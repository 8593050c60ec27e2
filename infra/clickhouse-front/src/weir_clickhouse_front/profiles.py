"""Profiles: what each kind of login may set and how much it may take."""

import re
from dataclasses import dataclass, field
from enum import StrEnum

from weir_clickhouse_front.errors import FrontError
from weir_clickhouse_front.statement import MAX_STATEMENT_BYTES

MIB = 1 << 20

# Parameters of the HTTP interface or of sockets: no meaning for an engine in the same process.
WITHOUT_EFFECT = re.compile(
    r"wait_end_of_query|buffer_size|quota_key|stacktrace|client_protocol_version|log_comment"
    r"|enable_http_compression|add_http_cors_header|send_\w+|receive_\w+|http_\w+|network_\w+|cancel_http_\w+"
)
# How a result looks or how values convert; nothing here costs memory, reads files or lifts a limit.
HARMLESS = re.compile(
    r"output_format_\w+|input_format_\w+|date_time_(?:input|output)_format|format_csv_delimiter|bool_\w+_representation"
    r"|session_timezone|join_use_nulls|extremes|final|cast_keep_nullable|cast_string_to_\w+"
    r"|\w+_overflow_mode|join_algorithm|(?:wait_for_)?async_insert\w*|insert_deduplicat\w+|(?:max|min)_insert_\w+"
    r"|prefer_column_name_to_alias|allow_experimental_(?:json|variant|dynamic)_type|enable_json_type"
)
# Another parser would read another statement than the gate did; format files are files of the server.
NEVER = re.compile(
    r"dialect|implicit_select|format_schema\w*|format_template\w*|allow_introspection_functions|log_queries\w*"
    r"|allow_experimental_(?:kusto|prql|polyglot)\w*|polyglot_\w+|ai_\w+|default_ai_\w+|workload"
    r"|storage_file_\w+|user_files\w*|disk|storage_policy|\w*executable\w*|python_\w+"
)
# An expression in VALUES is evaluated by the server, so it is left to whoever may change tables.
WRITER_ALSO_NEVER = re.compile(
    r"input_format_values_(?:interpret_expressions|deduce_templates_of_expressions)|max_memory_usage\w*"
    r"|memory_overcommit\w*|max_server_\w+|max_concurrent_\w+|priority|readonly"
)


class ProfileName(StrEnum):
    MIGRATOR = "migrator"
    WRITER = "writer"
    ALERT = "alert"
    READER = "reader"


@dataclass(frozen=True)
class Profile:
    """Rights and bounds of one kind of login."""

    name: ProfileName
    threads: int
    limits: dict[str, int] = field(default_factory=dict)
    fixed: dict[str, str] = field(default_factory=dict)

    @property
    def read_only(self) -> bool:
        return self.name in (ProfileName.READER, ProfileName.ALERT)

    def accept(self, requested: dict[str, str]) -> dict[str, str]:
        """The settings a request runs with, clamped to the limits. FrontError 164 or 452 if refused."""
        wanted = {name: value for name, value in requested.items() if not WITHOUT_EFFECT.fullmatch(name)}
        settings = {name: str(limit) for name, limit in self.limits.items()}
        for name, value in wanted.items():
            if name == "readonly" and self.read_only:
                continue
            if name in self.limits:
                settings[name] = _clamp(name, value, self.limits[name])
                continue
            self.check_setting(name)
            settings[name] = value
        # The engine's parallel writers hold a block's text as a whole, which no limit of a query counts.
        return settings | self.fixed | {"output_format_parallel_formatting": "0"}

    def check_setting(self, name: str) -> None:
        """FrontError if a login of this profile may not change the setting."""
        if NEVER.fullmatch(name) or (self.name is ProfileName.WRITER and WRITER_ALSO_NEVER.fullmatch(name)):
            raise FrontError(452, "SETTING_CONSTRAINT_VIOLATION", f"Setting {name} cannot be changed here.")
        if self.read_only and name not in self.limits and not HARMLESS.fullmatch(name):
            raise FrontError(
                164,
                "READONLY",
                f"Cannot modify '{name}' setting in readonly mode. A {self.name} may set formats and "
                f"conversions, and lower {', '.join(sorted(self.limits))}.",
            )


def _clamp(name: str, value: str, limit: int) -> str:
    """The value if it is stricter than the limit; 0 means unlimited to the engine."""
    try:
        number = float(value)
    except ValueError:
        raise FrontError(
            27, "CANNOT_PARSE_INPUT_ASSERTION_FAILED", f"Setting {name}: {value!r} is no number"
        ) from None
    return value if 0 < number <= limit else str(limit)


def make_profiles(memory_bytes: int, reader_threads: int, writer_threads: int) -> dict[ProfileName, Profile]:
    """The four profiles of an engine bounded to `memory_bytes`."""
    # When the engine's memory is used up, the query with the largest share over its denominator is stopped:
    # a small one makes readers the first to go, so that ingest goes on.
    first_to_go, last_to_go = str(MIB), str(1 << 40)
    reader = {
        "max_execution_time": 60,
        "max_memory_usage": memory_bytes * 3 // 8,
        "max_threads": 2,
        "max_result_rows": 20_000_000,
        "max_result_bytes": 2048 * MIB,
        "max_block_size": 65_409,
        "max_query_size": MAX_STATEMENT_BYTES,
    }
    spill = {
        "max_bytes_before_external_group_by": str(memory_bytes // 8),
        "max_bytes_before_external_sort": str(memory_bytes // 8),
        "memory_overcommit_ratio_denominator": first_to_go,
    }
    ingest = {
        "memory_overcommit_ratio_denominator": last_to_go,
        "input_format_values_interpret_expressions": "0",
        "input_format_values_deduce_templates_of_expressions": "0",
    }
    profiles = (
        Profile(ProfileName.MIGRATOR, threads=2),
        Profile(ProfileName.WRITER, threads=writer_threads, fixed=ingest),
        Profile(ProfileName.READER, threads=reader_threads, limits=reader, fixed=spill),
        Profile(ProfileName.ALERT, threads=2, limits=reader | {"max_execution_time": 20}, fixed=spill),
    )
    return {profile.name: profile for profile in profiles}

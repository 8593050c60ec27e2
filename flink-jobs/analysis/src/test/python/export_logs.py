"""Real Darshan logs as the messages that the analysis reads, by PyPI darshan: an independent reader.

    python export_logs.py DATA OUT [NAME...]

DATA is the folder that holds public/ and generated*/, real_ior/ and more_darshan/ lie beside it; OUT gets a
file of DarshanLogMessages for each log (each a 4-byte big-endian length and a single-object encoding) and,
last, index.json: name, labels of what was run, what the program itself reported, and what libdarshan's own
accumulators, the heatmaps and a sum over the files at the application's layer say.
"""

import io
import json
import struct
import sys
from pathlib import Path

import darshan
import fastavro
import numpy as np
from darshan.backend import cffi_backend as lib
from fastavro.schema import fingerprint, to_parsing_canonical_form

SCHEMAS = Path(__file__).parents[5] / "schemas" / "avro"
COUNTERS = ("POSIX", "MPI-IO", "STDIO", "H5F", "H5D", "PNETCDF_FILE", "PNETCDF_VAR", "DFS", "DAOS")
LUSTRE_COMPONENT = (
    "STRIPE_SIZE",
    "STRIPE_COUNT",
    "STRIPE_PATTERN",
    "FLAGS",
    "EXT_START",
    "EXT_END",
    "MIRROR_ID",
)
LUSTRE_INTS = [f"LUSTRE_COMP_{name}" for name in LUSTRE_COMPONENT] + ["COMPONENT", "STRIPE", "OST_ID"]
ROWS = 512
ACCUMULATED = ("POSIX", "MPI-IO", "STDIO")
KINDS = ("INDEP", "COLL", "SPLIT", "NB")

SCHEMA = fastavro.parse_schema(json.loads((SCHEMAS / "DarshanLogMessage.avsc").read_text()))
PREFIX = b"\xc3\x01" + bytes.fromhex(fingerprint(to_parsing_canonical_form(SCHEMA), "CRC-64-AVRO"))


def export(path, name, out):
    """The index entry of one log, whose messages go to `out`."""
    log = lib.log_open(str(path))
    job, modules = lib.log_get_job(log), lib.log_get_modules(log)
    file_names = lib.log_get_name_records(log)
    header = {
        "cluster": "demo",
        "job_id": job["jobid"],
        "uid": job["uid"],
        "owner_uid": None,
        "owner_check": "trusted_archive",
        "file_name": path.name,
        "exe": lib.log_get_exe(log).split(" ")[0].rsplit("/")[-1],
        "exe_hash": "0" * 32,
        "nprocs": job["nprocs"],
        "start_time": job["start_time_sec"] * 1_000_000 + job["start_time_nsec"] // 1000,
        "end_time": job["end_time_sec"] * 1_000_000 + job["end_time_nsec"] // 1000,
        "run_time_seconds": job["run_time"],
        "log_version": job["log_ver"],
        "metadata": {},
        "mounts": [{"path": mount, "fs_type": kind} for mount, kind in lib.log_get_mounts(log)],
        "modules": [
            {"name": m, "version": v["ver"], "partial": v["partial_flag"], "compressed_bytes": v["len"]}
            for m, v in modules.items()
        ],
        "supersedes": None,
    }
    common = {key: header[key] for key in ("cluster", "job_id", "start_time")}
    ends, number, heat = [], 0, {}
    with (out / f"{name}.messages").open("wb") as file:
        write(file, name, "LogHeader", header)
        for module, about in modules.items():
            read = 0
            for rows in batches(log, module, file_names, heat):
                read += rows["rows"]
                body = {"module": module, "module_version": about["ver"], "number": number}
                write(file, name, "LogBatch", common | body | rows)
                number += 1
            decoded = module in (*COUNTERS, "HEATMAP", "LUSTRE")
            state = "listed" if not decoded else "partial" if about["partial_flag"] else "complete"
            ends.append(
                {
                    "name": module,
                    "state": state,
                    "records_expected": None,
                    "records_read": read,
                    "reason": None,
                }
            )
        write(file, name, "LogEnd", {"batches": number, "modules": ends})
    return {
        "name": name,
        "nprocs": job["nprocs"],
        "libdarshan": accumulated(path, modules, job["nprocs"]),
        "application_layer": application_layer(path, modules),
        "heatmap_effective_ranks": {api: effective_ranks(of_rank) for api, of_rank in heat.items()},
    }


def write(file, log_id, kind, body):
    message = {"log_id": log_id, "origin": "replay", "body": body | {"-type": f"org.weir.wire.{kind}"}}
    encoded = io.BytesIO()
    fastavro.schemaless_writer(encoded, SCHEMA, message)
    file.write(struct.pack(">I", len(PREFIX) + encoded.tell()) + PREFIX + encoded.getvalue())


def batches(log, module, names, heat):
    if module in COUNTERS:
        yield from packed(
            counter_rows(log, module, names), lib.counter_names(module), lib.fcounter_names(module)
        )
    elif module == "HEATMAP":
        yield from packed(
            heatmap_rows(log, names, heat), ["BIN", "BYTES_READ", "BYTES_WRITTEN"], ["BIN_WIDTH_SECONDS"]
        )
    elif module == "LUSTRE":
        yield from packed(lustre_rows(log, names), LUSTRE_INTS, [])


def counter_rows(log, module, names):
    while (record := lib.log_get_record(log, module, dtype="numpy")) is not None:
        yield (
            record["id"],
            record["rank"],
            names.get(record["id"], ""),
            record["counters"],
            record["fcounters"],
        )


def heatmap_rows(log, names, heat):
    while (record := lib._log_get_heatmap_record(log)) is not None:
        name, reads, writes = names.get(record["id"], ""), record["read_bins"], record["write_bins"]
        ranks = heat.setdefault(name, {})
        ranks[int(record["rank"])] = int(reads.sum() + writes.sum())
        for i in np.flatnonzero((reads != 0) | (writes != 0)):
            yield record["id"], record["rank"], name, [i, reads[i], writes[i]], [record["bin_width_seconds"]]


def lustre_rows(log, names):
    """A row for each stripe of each component, and one for a component that has no target yet."""
    while (record := lib.log_get_record(log, "LUSTRE", dtype="numpy")) is not None:
        name = names.get(record["id"], "")
        for number, component in enumerate(record["components"]):
            counters = list(component["counters"][: len(LUSTRE_COMPONENT)])
            for stripe, target in list(enumerate(component["ost_ids"])) or [(-1, -1)]:
                yield record["id"], record["rank"], name, [*counters, number, stripe, target], []


def packed(rows, int_names, float_names):
    waiting = []
    for row in rows:
        waiting.append(row)
        if len(waiting) == ROWS:
            yield pack(waiting, int_names, float_names)
            waiting = []
    if waiting:
        yield pack(waiting, int_names, float_names)


def pack(rows, int_names, float_names):
    ids, ranks, names, ints, floats = zip(*rows, strict=True)
    return {
        "rows": len(rows),
        "record_ids": np.array(ids, "<u8").tobytes(),
        "ranks": np.array(ranks, "<i8").tobytes(),
        "names": list(names),
        "int_names": list(int_names),
        "ints": np.array(ints, "<i8").T.tobytes(),
        "float_names": list(float_names),
        "floats": np.array(floats, "<f8").T.tobytes(),
    }


def accumulated(path, modules, nprocs):
    """Totals of libdarshan's own accumulator."""
    totals = {}
    report = darshan.DarshanReport(str(path), read_all=False)
    for module in ACCUMULATED:
        if module in modules and modules[module]["len"]:
            report.mod_read_all_records(module)
            records = report.records[module].to_df()
            metrics = lib.accumulate_records(records, module, nprocs).derived_metrics
            totals[module] = {
                "total_bytes": metrics.total_bytes,
                "agg_time_by_slowest": metrics.agg_time_by_slowest,
                "agg_perf_by_slowest": metrics.agg_perf_by_slowest,
            }
    return totals


def application_layer(path, modules):
    """Seconds and bytes, each file at MPI-IO where that moved data of it, else at POSIX; streams at STDIO.

    None where a time is negative. Written file by file over pydarshan's tables, unlike the analysis.
    """
    report = darshan.DarshanReport(str(path), read_all=False)
    rows = []
    for module in (each for each in (*ACCUMULATED, "DFS") if each in modules and modules[each]["len"]):
        report.mod_read_all_records(module)
        table, prefix = report.records[module].to_df(), module.replace("-", "")
        merged = table["counters"].join(table["fcounters"].drop(columns=["id", "rank"]))
        kinds = [f"{prefix}_{kind}_{way}" for kind in KINDS for way in ("READS", "WRITES")]
        for row in merged.to_dict("records"):
            times = [row[f"{prefix}_F_{kind}_TIME"] for kind in ("META", "READ", "WRITE")]
            shared = row["rank"] < 0
            seconds = row[f"{prefix}_F_SLOWEST_RANK_TIME"] if shared else sum(times)
            if seconds < 0 or (not shared and min(times) < 0):
                return None
            moved = int(row[f"{prefix}_BYTES_READ"]) + int(row[f"{prefix}_BYTES_WRITTEN"])
            data = module == "MPI-IO" and any(row[kind] > 0 for kind in kinds)
            rows.append((module, int(row["id"]), int(row["rank"]), seconds, moved, data))
    above = {file for _, file, _, _, _, data in rows if data}
    layer = {"POSIX": lambda file: file not in above, "MPI-IO": above.__contains__}
    taken = [row for row in rows if row[0] not in layer or layer[row[0]](row[1])]
    ranks = {}
    for _, _, rank, seconds, _, _ in taken:
        ranks[rank] = ranks.get(rank, 0) + seconds
    shared = ranks.pop(-1, 0)
    return {"seconds": max(ranks.values(), default=0) + shared, "bytes": sum(row[4] for row in taken)}


def effective_ranks(bytes_of_rank):
    total = sum(bytes_of_rank.values())
    return total**2 / sum(b * b for b in bytes_of_rank.values()) if total else None


def main(data, out, wanted):
    out.mkdir(parents=True, exist_ok=True)
    index = []
    for truth in sorted(data.glob("generated*/*/truth.json")):
        labels = json.loads(truth.read_text())["expected_flags"]
        for log in sorted(truth.parent.glob("*.darshan")):
            name = f"{truth.parent.parent.name}.{truth.parent.name}.{log.stem[-12:]}"
            index.append((log, name, labels))
    index += [(log, f"public.{log.stem}", None) for log in sorted(data.glob("public/**/*.darshan"))]
    index += [(log, f"public.{log.stem}", None) for log in sorted(data.glob("../more_darshan/*.darshan"))]
    reported = {}
    for truth in data.glob("../real_ior/truth.json"):
        for run in json.loads(truth.read_text()):
            if "program_mib_per_second" in run:
                name = f"real_ior.{run['run']}"
                reported[name] = run["program_mib_per_second"]
                index.append((truth.with_name(run["file"]), name, None))
    entries = [
        export(log, name, out) | {"labels": labels, "program_mib_per_second": reported.get(name)}
        for log, name, labels in index
        if not wanted or any(part in name for part in wanted)
    ]
    (out / "index.json").write_text(json.dumps(entries))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])

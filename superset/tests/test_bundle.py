"""The bundle: stable, complete, without a password."""

import io
import itertools
import json
import math
import re
import zipfile
from pathlib import Path

import pytest
import yaml
from weir.errors import UserError
from weir_superset import assets, bundle, charts, layout
from weir_superset.identity import asset_uuid

URI = "clickhousedb://reader@127.0.0.1:18123/weir"


@pytest.fixture
def shipped(folder):
    return assets.read(folder)


def test_ids_stay_the_same_for_ever():
    assert str(asset_uuid("dashboards", "center")) == "6d6c9db9-2e04-520e-88ef-18f9f8695f7f"
    assert str(asset_uuid("charts", "center")) != str(asset_uuid("dashboards", "center"))


def test_the_same_assets_give_the_same_bytes(folder, shipped):
    assert bundle.zipped(shipped, URI) == bundle.zipped(assets.read(folder), URI)


def test_every_object_is_in_the_archive_with_an_id_of_its_own(shipped):
    with zipfile.ZipFile(io.BytesIO(bundle.zipped(shipped, URI))) as archive:
        files = {name: yaml.safe_load(archive.read(name)) for name in archive.namelist()}
    assert files.pop("weir/metadata.yaml")["type"] == "assets"
    kinds = ("databases", "datasets", "charts", "dashboards", "questions")
    assert len(files) == sum(len(getattr(shipped, kind)) for kind in kinds)
    assert len({content["uuid"] for content in files.values()}) == len(files)


def test_the_connection_is_read_only_and_holds_no_password(shipped):
    database = bundle.files(shipped, URI)["databases/weir.yaml"]
    assert database["sqlalchemy_uri"] == "clickhousedb://reader:XXXXXXXXXX@127.0.0.1:18123/weir"
    for right in ("allow_dml", "allow_ctas", "allow_cvas", "allow_csv_upload", "allow_run_async"):
        assert database[right] is False


def test_a_dashboard_points_at_its_charts_and_filters(shipped):
    jobs = bundle.files(shipped, URI)["dashboards/jobs.yaml"]
    items = [item for item in jobs["position"].values() if isinstance(item, dict)]
    placed = {item["meta"]["uuid"] for item in items if item["type"] == "CHART"}
    assert placed == {str(asset_uuid("charts", chart)) for chart in shipped.dashboards["jobs"].charts()}
    filters = jobs["metadata"]["native_filter_configuration"]
    assert [item["name"] for item in filters][:3] == ["Time range", "Center", "User"]
    assert filters[1]["targets"][0]["datasetUuid"] == str(asset_uuid("datasets", "jobs"))
    assert filters[1]["cascadeParentIds"] == [filters[0]["id"]]
    assert jobs["metadata"]["refresh_frequency"] == 30


def test_a_filter_and_a_click_leave_out_the_charts_that_they_except(shipped):
    storage = bundle.files(shipped, URI)["dashboards/storage.yaml"]
    numbers = {
        item["meta"]["chartId"]: item["meta"]["sliceName"]
        for item in storage["position"].values()
        if isinstance(item, dict) and item["type"] == "CHART"
    }
    filters = {
        item["name"]: item["scope"]["excluded"] for item in storage["metadata"]["native_filter_configuration"]
    }
    excepted = {item.name: item.except_charts for item in shipped.dashboards["storage"].filters}
    assert filters["Center"] == []
    assert {numbers[number] for number in filters["Server"]} == {
        shipped.charts[chart].shown_title for chart in excepted["Server"]
    }
    unclicked = storage["metadata"]["global_chart_configuration"]["scope"]["excluded"]
    assert [numbers[number] for number in unclicked] == [
        shipped.charts[chart].shown_title for chart in ("storage_silent", "storage_overloaded")
    ]


def test_a_row_of_text_is_markdown_over_the_full_width(folder):
    file = folder / "assets/dashboards/jobs.yaml"
    text = "What it shows; see [center](/superset/dashboard/center/)."
    file.write_text(file.read_text().replace("rows:\n", f'rows:\n  - text: "{text}"\n', 1))
    position = bundle.files(assets.read(folder), URI)["dashboards/jobs.yaml"]["position"]
    row = position[position["GRID_ID"]["children"][0]]
    (shown,) = (position[child] for child in row["children"])
    assert (shown["type"], shown["parents"][-1]) == ("MARKDOWN", row["id"])
    assert shown["meta"] == {"code": text, "width": 12, "height": layout.TEXT_HEIGHT}


def test_a_chart_carries_its_query_for_callers_without_a_browser(shipped):
    chart = bundle.files(shipped, URI)["charts/center_throughput.yaml"]
    (query,) = json.loads(chart["query_context"])["queries"]
    assert query["columns"] == ["time", "filesystem", "direction"]
    assert query["metrics"] == ["mib_per_second"]
    assert query["filters"] == [{"col": "time", "op": "TEMPORAL_RANGE", "val": "No filter"}]


def test_the_largest_projects_are_those_that_moved_most(shipped):
    """What was read and what was written stand beside it, and neither ranks them."""
    chart = bundle.files(shipped, URI)["charts/center_projects.yaml"]
    (query,) = json.loads(chart["query_context"])["queries"]
    assert (query["orderby"], query["row_limit"]) == ([["gib_moved", False]], 20)


def test_a_list_that_is_cut_says_so(shipped):
    described = bundle.files(shipped, URI)
    for name, chart in shipped.charts.items():
        title, said = (described[f"charts/{name}.yaml"][part] for part in ("slice_name", "description"))
        limit = chart.params.get("row_limit")
        assert title == (f"{chart.title} (at most {limit:,})" if limit else chart.title), name
        assert ("A search looks in" in said) == (bool(limit) and "include_search" in chart.params), name
        series = chart.params.get("series_limit")
        assert series is None or re.search(rf"\b{series}\b", f"{title} {said}"), name


def test_tables_are_drawn_as_html_only_where_they_have_links(shipped):
    drawn = {
        chart.dataset
        for chart in shipped.charts.values()
        if charts.full_params(chart, shipped.datasets[chart.dataset]).get("allow_render_html")
    }
    assert drawn
    assert drawn <= {name for name, dataset in shipped.datasets.items() if dataset.links()}


def test_columns_are_described_by_the_comments_of_their_table(folder, shipped):
    (nprocs,) = [column for column in shipped.datasets["runs"].columns if column.name == "nprocs"]
    assert nprocs.description == "processes of the run, from the log's job record"
    file = folder / "assets/datasets/runs.yaml"
    file.write_text(file.read_text().replace("comments_of: runs_versions", "comments_of: nothing"))
    with pytest.raises(assets.AssetError, match=r"datasets/runs\.yaml: .* no table nothing"):
        assets.read(folder)


def test_a_question_is_a_saved_query_that_runs_as_it_stands(shipped):
    query = bundle.files(shipped, URI)["queries/weir/readers_of_file.yaml"]
    question = shipped.questions["readers_of_file"]
    assert query["label"] == "Weir: Programs that read a file"
    assert query["description"] == f"{question.question} {question.note}"
    assert query["schema"] == "weir"
    assert query["database_uuid"] == bundle.files(shipped, URI)["databases/weir.yaml"]["uuid"]
    assert query["uuid"] == str(asset_uuid("queries", "readers_of_file"))
    assert "-- file: its whole path" in query["sql"]
    assert "file = /* file */ ''" in query["sql"]


def test_no_saved_query_is_a_template(shipped):
    """SQL Lab would fill it: curly brackets in pairs are Jinja's there."""
    assert shipped.questions
    for question in shipped.questions.values():
        assert not re.search(r"{[{%#]", question.statement())


def test_labels_tell_the_questions_apart_and_fit(shipped):
    labels = [
        content["label"]
        for path, content in bundle.files(shipped, URI).items()
        if path.startswith("queries/")
    ]
    assert len(set(labels)) == len(labels) == len(shipped.questions)
    assert max(map(len, labels)) <= 256


def test_a_question_that_cannot_be_read_is_named(folder, monkeypatch):
    def broken():
        raise UserError("a.sql: begins with no comment")

    monkeypatch.setattr(assets, "saved", broken)
    with pytest.raises(assets.AssetError, match=r"a\.sql: begins with no comment"):
        assets.read(folder)


def test_the_configuration_shows_what_is_loaded_by_its_label():
    configuration = (Path(assets.__file__).parents[1] / "superset_config.py").read_text()
    assert f'SHIPPED = "{bundle.SHIPPED}"' in configuration


def test_the_configuration_knows_the_tables_whose_centers_datasets_ask_for(shipped):
    configuration = (Path(assets.__file__).parents[1] / "superset_config.py").read_text()
    [known] = re.findall(r"CENTERS_IN = \{(.*?)\n\}", configuration, re.DOTALL)
    asked = {
        table
        for dataset in shipped.datasets.values()
        for table in re.findall(r"of_center_in\('(\w+)'\)", dataset.sql)
    }
    assert asked and asked == set(re.findall(r'"(\w+)":', known))


SEEN_BY = {
    "everybody": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""What is seen of linear red, green and blue: Machado, Oliveira and Fernandes 2009, severity 1."""


def linear(color):
    """Red, green and blue of `#RRGGBB` as amounts of light, 0 to 1."""
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def luminance(color):
    """Of `#RRGGBB`, as WCAG 2.2 defines it."""
    red, green, blue = linear(color)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def lab(color, eyes):
    """Place of a color in CIE 1976 L*a*b* (white D65), as these eyes see it."""
    red, green, blue = (
        min(1, max(0, sum(a * b for a, b in zip(row, linear(color), strict=True)))) for row in SEEN_BY[eyes]
    )
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    x, y, z = (part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.fixture
def colors(shipped):
    """All colors of series: those of the palette, and those that dashboards give."""
    configuration = (Path(assets.__file__).parents[1] / "superset_config.py").read_text()
    palette = re.search(r"EXTRA_CATEGORICAL_COLOR_SCHEMES = (.*?)# fmt", configuration, re.DOTALL)[1]
    found = {*re.findall(r"#\w{6}", palette)}
    assert len(found) == 12
    for dashboard in shipped.dashboards.values():
        found.update(dashboard.colors.values())
    return sorted(found)


def test_every_series_is_seen_on_white_and_on_the_dark_scheme(colors):
    """WCAG 2.2 asks for a contrast of 3 to 1 of what a chart draws (1.4.11)."""
    white, dark = 1.05, luminance("#141414") + 0.05
    faint = [color for color in colors if not dark * 3 <= luminance(color) + 0.05 <= white / 3]
    assert faint == []


@pytest.mark.parametrize("eyes", SEEN_BY)
def test_no_two_colors_look_alike_to_color_blind_people(colors, eyes):
    """A distance of 10 (CIE 1976) is seen at a glance, one of 2 only side by side."""
    alike = [
        (one, other)
        for one, other in itertools.combinations(colors, 2)
        if math.dist(lab(one, eyes), lab(other, eyes)) < 10
    ]
    assert alike == []

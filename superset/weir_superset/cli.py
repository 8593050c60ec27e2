"""The command `weir_superset`: lint, load, check."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from weir_superset import assets, bundle, check, lint, roles
from weir_superset.client import Superset, SupersetError

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    help="Weir's dashboards and questions as files: check them, load them into Superset, ask every chart.",
)
console = Console()

DEFAULT_URL = "http://127.0.0.1:18088"
Folder = Annotated[Path, typer.Option(envvar="WEIR_SUPERSET_FOLDER", help="folder with assets/ and sql/")]
Url = Annotated[str, typer.Option(envvar="WEIR_SUPERSET_URL", help="address of Superset")]
User = Annotated[str, typer.Option(envvar="WEIR_SUPERSET_USER", help="an administrator of Superset")]
PasswordFile = Annotated[
    Path, typer.Option(envvar="WEIR_SUPERSET_PASSWORD_FILE", help="file with the user's password")
]
DatabaseUri = Annotated[
    str,
    typer.Option(
        envvar="WEIR_SUPERSET_DATABASE_URI",
        help="without password: clickhousedb://reader@127.0.0.1:18123/weir",
    ),
]
DatabasePasswordFile = Annotated[
    Path, typer.Option(envvar="WEIR_SUPERSET_DATABASE_PASSWORD_FILE", help="file with the reader's password")
]


@app.command("lint")
def lint_command(folder: Folder = assets.DEFAULT_FOLDER) -> None:
    """Check the asset files without any service."""
    with _told_errors():
        problems = lint.problems(assets.read(folder))
    for problem in problems:
        console.print(problem, style="red", highlight=False)
    if problems:
        raise typer.Exit(1)
    console.print("assets are consistent")


@app.command()
def load(
    password_file: PasswordFile,
    database_uri: DatabaseUri,
    database_password_file: DatabasePasswordFile,
    url: Url = DEFAULT_URL,
    user: User = "admin",
    folder: Folder = assets.DEFAULT_FOLDER,
) -> None:
    """Create or replace all objects in Superset; doing it twice changes nothing."""
    with _told_errors():
        found = assets.read(folder)
        passwords = dict.fromkeys(map(bundle.database_path, found.databases), _secret(database_password_file))
        with Superset(url, user, _secret(password_file)) as superset:
            superset.import_assets(bundle.zipped(found, database_uri), passwords)
            roles.load(found, superset)
    kinds = ("dashboards", "charts", "datasets", "roles", "questions")
    console.print("loaded " + ", ".join(f"{len(getattr(found, kind))} {kind}" for kind in kinds))


@app.command("check")
def check_command(
    password_file: PasswordFile,
    url: Url = DEFAULT_URL,
    user: User = "admin",
    folder: Folder = assets.DEFAULT_FOLDER,
    need_rows: Annotated[bool, typer.Option(help="a chart without rows is an error too")] = False,
) -> None:
    """Run every chart's query: rows, seconds, error."""
    table = Table("dashboard", "chart", "rows", "seconds", "error")
    failed = False
    with _told_errors(), Superset(url, user, _secret(password_file)) as superset:
        for answer in check.answers(assets.read(folder), superset):
            failed |= bool(answer.error) or (need_rows and answer.rows == 0)
            table.add_row(
                answer.dashboard,
                answer.chart,
                str(answer.rows),
                f"{answer.seconds:.2f}",
                escape(answer.error or ""),
            )
    console.print(table)
    if failed:
        raise typer.Exit(1)


@contextmanager
def _told_errors() -> Iterator[None]:
    try:
        yield
    except (assets.AssetError, SupersetError, OSError) as error:
        console.print(str(error), style="red", highlight=False)
        raise typer.Exit(1) from error


def _secret(path: Path) -> str:
    return path.read_text(encoding="utf-8").strip()

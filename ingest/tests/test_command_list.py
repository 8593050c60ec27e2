"""`weir --help` lists every command with its own words, and imports none of them for it."""

import inspect
import subprocess
import sys
from importlib import import_module
from pkgutil import iter_modules

import pytest
import typer
from weir import cli

NO_COMMANDS = {"options"}


def test_each_file_is_a_command_and_each_command_a_file():
    files = {module.name for module in iter_modules(cli.__path__)} - NO_COMMANDS
    assert files == {name.replace("-", "_") for name in cli.COMMANDS}


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_the_list_says_what_the_command_says(name):
    app = import_module(f"weir.cli.{name.replace('-', '_')}").app
    help_text = inspect.cleandoc(typer.main.get_command(app).help or "")
    first = " ".join(help_text.split("\n\n")[0].split())
    assert first == cli.COMMANDS[name]


def test_the_list_is_printed_without_importing_a_command():
    code = (
        "import sys; from weir.cli import app; app(['--help'], standalone_mode=False);"
        "print([each for each in sys.modules if each.startswith(('weir.cli.', 'numpy', 'confluent_kafka'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
    assert "analyze" in done.stdout

"""The ClickHouse front as the stack starts it: command, environment and logins fit what the front reads."""

import httpx
import one_part
import pytest
from weir_embedded import passwords
from weir_embedded.parts import clickhouse
from weir_embedded.settings import LOGINS, Stack


@pytest.fixture(scope="module")
def front(tmp_path_factory):
    """Settings of a stack of which only the front runs."""
    stack = Stack(home=tmp_path_factory.mktemp("front"), packages=Stack().packages, port_offset=6000)
    for folder in (stack.conf, stack.data):
        folder.mkdir()
    passwords.generate_missing(stack)
    clickhouse.prepare(stack)
    part = clickhouse.part(stack)
    with one_part.running(stack, part):
        yield stack


def selected(stack, login, password):
    answer = httpx.post(stack.clickhouse_url, content="SELECT 1", auth=(login, password), timeout=20)
    return answer.status_code, answer.text


@pytest.mark.parametrize("login", LOGINS)
def test_each_login_of_the_stack_is_let_in_with_its_password_only(front, login):
    assert selected(front, login, front.secret(f"clickhouse_{login}").read_text()) == (200, "1\n")
    assert selected(front, login, "another")[0] == 403


def test_it_keeps_its_tables_in_the_folder_of_the_stack(front):
    assert (front.data / "clickhouse").is_dir() and any((front.data / "clickhouse").iterdir())

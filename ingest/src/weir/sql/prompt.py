"""The prompt of `weir sql`: a statement ends with a semicolon, earlier ones come back with the arrow keys."""

from collections.abc import Callable
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import WordCompleter
from prompt_toolkit.filters import Condition
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.lexers import PygmentsLexer
from pygments.lexers.sql import SqlLexer

from weir.errors import UserError, complain
from weir.sql.dictionary import Column, Table

KEYWORDS = (
    *("SELECT", "FROM", "WHERE", "GROUP BY", "HAVING", "ORDER BY", "LIMIT", "LIMIT 1 BY", "AS", "AND", "OR"),
    *("NOT", "IN", "BETWEEN", "LIKE", "IS NULL", "IS NOT NULL", "DESC", "INNER JOIN", "LEFT JOIN", "USING"),
    *(
        "ON",
        "UNION ALL",
        "WITH",
        "ARRAY JOIN",
        "INTERVAL",
        "DAY",
        "HOUR",
        "MINUTE",
        "count()",
        "sum(",
        "avg(",
    ),
    *("min(", "max(", "uniq(", "quantile(", "median(", "round(", "toStartOfInterval(", "toStartOfMonth("),
    *("toDate(", "now()", "has(", "formatReadableSize(", "SHOW TABLES", "DESCRIBE"),
)


def talk(
    ask: Callable[[str], None],
    tables: list[Table],
    columns: list[Column],
    questions: list[str],
    history: Path,
) -> None:
    """Read statements and have them answered until Ctrl-D; an error does not end it."""
    session: PromptSession[str] = PromptSession(
        message="weir> ",
        prompt_continuation="  ... ",
        history=_kept(history),
        lexer=PygmentsLexer(SqlLexer),
        completer=completer(tables, columns, questions),
        complete_while_typing=False,
        multiline=Condition(lambda: not is_whole(session.default_buffer.text, questions)),
        key_bindings=_keys(),
    )
    while True:
        try:
            text = session.prompt().strip().rstrip("; \n")
        except KeyboardInterrupt:
            continue
        except EOFError:
            return
        if text.lower() in ("exit", "quit"):
            return
        if not text:
            continue
        try:
            ask(text)
        except UserError as error:
            complain(str(error))
        except KeyboardInterrupt:
            continue


def _kept(file: Path) -> History:
    """Return the history in a file; where none can be written one that ends with the prompt."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch(mode=0o600)  # statements may name people
        file.open("ab").close()
    except OSError as error:
        complain(f"{file}: {error.strerror}. Statements are forgotten at the end: set XDG_STATE_HOME.")
        return InMemoryHistory()
    return FileHistory(str(file))


def completer(tables: list[Table], columns: list[Column], questions: list[str]) -> WordCompleter:
    """Return what completes names of tables, columns, questions and words of SQL, and says what they mean."""
    meanings = {column.name: column.meaning or column.type for column in columns}
    meanings |= {table.name: table.meaning or "table" for table in tables}
    meanings |= dict.fromkeys(questions, "saved question")
    words = sorted({*meanings, *KEYWORDS})
    return WordCompleter(words, ignore_case=True, meta_dict=meanings)


def is_whole(text: str, questions: list[str]) -> bool:
    """Tell whether Enter sends the text: with a semicolon, a word that begins no SQL, or a saved question."""
    words = text.split()
    if text.rstrip().endswith(";") or not words or words[0] in questions:
        return True
    return len(words) == 1 and words[0].upper() not in {keyword.split()[0] for keyword in KEYWORDS}


def _keys() -> KeyBindings:
    bindings = KeyBindings()

    @bindings.add("escape", "enter")
    def send(event: KeyPressEvent) -> None:
        event.current_buffer.validate_and_handle()

    return bindings

"""Reads a form (multipart/form-data): clients send so what is too long for the URL."""

from collections.abc import Iterator
from dataclasses import replace

from multipart import MultipartError, MultipartSegment, PushMultipartParser

from weir_clickhouse_front.codec import decoded
from weir_clickhouse_front.errors import FrontError, bad_request
from weir_clickhouse_front.request import OWN_PARAMETERS, Request, parameters_of, settings_of
from weir_clickhouse_front.statement import MAX_STATEMENT_BYTES

MAX_FIELDS = 1000


def with_form(request: Request, chunks: Iterator[bytes]) -> Request:
    """Adds the form's fields to those of the URL; FrontError where they are too many or no form."""
    fields = _fields(request, decoded(request.content_encoding, chunks))
    if elsewhere := sorted(OWN_PARAMETERS & fields.keys() - {"query"}):
        raise bad_request(f"Send {', '.join(elsewhere)} in the URL, not in the form")
    return replace(
        request,
        query=fields.get("query", request.query),
        settings=request.settings | settings_of(fields),
        params=request.params | parameters_of(fields),
        form_boundary="",
        content_encoding="",
        body_in_native_blocks=False,
    )


def _fields(request: Request, chunks: Iterator[bytes]) -> dict[str, str]:
    found: dict[str, bytearray] = {}
    name, size = "", 0
    try:
        with PushMultipartParser(request.form_boundary, max_segment_count=MAX_FIELDS, strict=True) as parser:
            for chunk in chunks:
                size += len(chunk)
                if size > MAX_STATEMENT_BYTES:
                    raise FrontError(
                        62, "SYNTAX_ERROR", f"The form is longer than {MAX_STATEMENT_BYTES} bytes"
                    )
                for event in parser.parse(chunk):
                    if isinstance(event, MultipartSegment):
                        name = _name(event)
                        found[name] = bytearray()
                    elif event:
                        found[name] += event
        return {each: value.decode() for each, value in found.items()}
    except MultipartError as error:
        raise bad_request(f"The body is no form: {error}") from None
    except UnicodeDecodeError:
        raise bad_request("A field of the form is not UTF-8") from None


def _name(segment: MultipartSegment) -> str:
    if segment.filename is not None:
        raise FrontError(48, "NOT_IMPLEMENTED", "External tables (files in a form) are not supported here")
    if not segment.name:
        raise bad_request("A field of the form has no name")
    return str(segment.name)

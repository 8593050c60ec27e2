"""`weir-clickhouse-front`: starts the front and runs it until SIGTERM or SIGINT."""

import os
import resource
import signal
import socket
import sys

import uvicorn

from weir_clickhouse_front import telemetry
from weir_clickhouse_front.app import Front
from weir_clickhouse_front.connections import MAX_HEAD_BYTES, BoundedConnection
from weir_clickhouse_front.engine import Engine
from weir_clickhouse_front.errors import StartError
from weir_clickhouse_front.health import Health
from weir_clickhouse_front.profiles import make_profiles
from weir_clickhouse_front.serve import Server
from weir_clickhouse_front.settings import FrontSettings, load_settings
from weir_clickhouse_front.slots import Slots
from weir_clickhouse_front.users import load_users

GRACEFUL_SECONDS = 30


def main() -> int:
    """Exit code 0 after a clean stop, 2 if the front cannot start."""
    telemetry.configure_logging()
    try:
        run(load_settings())
    except StartError as error:
        print(f"weir front cannot start: {error}", file=sys.stderr)
        return 2
    return 0


def run(settings: FrontSettings) -> None:
    """Opens what is needed, cheapest check first, and serves."""
    _raise_file_limit()
    users = load_users(settings.users_file)
    listener = _listen(settings)
    engine = Engine(settings)
    profiles = make_profiles(settings.memory_bytes, settings.reader_threads, settings.writer_threads)
    slots = Slots({login: profiles[name] for login, name in users.profiles.items()}, settings.queue_seconds)
    server = Server(engine)
    health = Health(engine)
    config = uvicorn.Config(
        Front(server, users, profiles, slots, health, settings.patience_seconds),
        http=BoundedConnection,
        h11_max_incomplete_event_size=MAX_HEAD_BYTES,
        ws="none",
        proxy_headers=False,
        lifespan="off",
        log_level="error",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACEFUL_SECONDS,
    )
    telemetry.log.info("ready", host=settings.host, port=settings.port, engine=engine.version)
    _leave_signals_to_uvicorn()
    uvicorn.Server(config).run(sockets=[listener])
    if server.busy:
        # What still runs had its time and cannot answer any more; what was acknowledged is on disk.
        telemetry.log.warning("stopped_while_busy", waited_seconds=GRACEFUL_SECONDS)
        os._exit(0)
    slots.close()
    health.close()
    engine.close()
    telemetry.log.info("stopped")


def _raise_file_limit() -> None:
    """Connections and the engine's files share the descriptors of this process."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _leave_signals_to_uvicorn() -> None:
    """uvicorn stops on SIGTERM or SIGINT and then raises it again; the engine is still to be closed."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: None)


def _listen(settings: FrontSettings) -> socket.socket:
    try:
        return socket.create_server((settings.host, settings.port), backlog=256)
    except OSError as error:
        raise StartError(
            f"{settings.host}:{settings.port} cannot be listened on ({error.strerror}): "
            "stop what uses it or set WEIR_FRONT_PORT"
        ) from None


if __name__ == "__main__":
    sys.exit(main())

"""The command: the script `weir`, and `python -m weir` where no script is installed."""

import os
import sys


def main() -> None:
    """Run the command line; what takes longest of it is started first."""
    # numpy would start a thread a core for linear algebra, of which there is none here
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if sys.argv[1:2] == ["analyze"]:
        from weir.analyze import jvm

        jvm.begin(sys.argv[2:])
    from weir import cli

    cli.main()


if __name__ == "__main__":
    main()

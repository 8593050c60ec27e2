"""A simulated center: seeded logs, manifests, scheduler records and server ticks, and the truth about them.

`center.Center` says what happens, `logs` and `storage` write it as messages, `schedule` puts these into any
order, `publish` sends them. `python -m sim --help` (in the folder tests) does it from a shell.
"""

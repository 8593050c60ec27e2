"""Whatever is done to a file of records, its readers tell records or reasons and never fail."""

import json
import random
from zoneinfo import ZoneInfo

import pytest
from test_pbs import END
from test_sacct import GOOD, HEADER
from test_sacct_json import NEW
from weir.errors import Refused, UserError
from weir.formats import devices, scheduler

IOSTAT = (
    "Linux 6 (h) \t05/04/26\t_x_\t(2 CPU)\n05/04/26 02:30:00\nDevice r/s rkB/s %util\nsda 1.0 4.0k 5.0%\n\n"
)
SEEDS = {
    "sacct": (scheduler, f"{HEADER}|NodeList\n" + f"{GOOD}|n[1-4]\n" * 5),
    "json": (scheduler, json.dumps({"jobs": [NEW] * 3})),
    "pbs": (scheduler, f"{END}\n" * 5),
    "iostat": (devices, IOSTAT * 3),
    "diskstats": (devices, "".join(f"{1795248776 + i}.5 8 0 sda {' 7' * 17}\n" for i in range(5))),
}
TOKENS = [
    b"-1", b"9" * 20, b"1e999", b"\xff", b"|", b";", b'"', b"{", b"null", b"true", b"[1-",
    b"9999-01-01T00:00:00", b"0001-01-01T00:00:00", b"\n", b" ", b"\x00", "\u0663".encode(), b"_", b"+", b".",
]  # fmt: skip


@pytest.mark.parametrize("name", SEEDS)
def test_no_input_makes_a_reader_fail(tmp_path, name):
    module, text = SEEDS[name]
    chance, file, understood = random.Random(name), tmp_path / "records", 0
    for _ in range(400):
        data = bytearray(text.encode())
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(len(data))
            if chance.random() < 0.6:
                data[at : at + chance.randint(0, 12)] = chance.choice(TOKENS)
            else:
                del data[at : at + chance.randint(1, 40)]
        file.write_bytes(data)
        try:
            for each in module.objects(file, module.How(ZoneInfo("Europe/Berlin"))):
                if not isinstance(each, Refused):
                    json.dumps(each, allow_nan=False)
                    understood += 1
        except UserError:
            pass  # so damaged that its format is not known
    assert understood > 100

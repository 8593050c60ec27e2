"""Mails as a reader and a mail program see them; hostile text stays text."""

import json
import re
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.policy import default
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest
from alert_samples import CASE, HOSTILE, LINKS, REPORT, case, finding, job, run, trouble
from notify_fakes import BEGIN, alert
from pydantic import ValidationError
from weir.errors import UserError
from weir.notify import facts, mail
from weir.notify.config import Smtp
from weir.notify.facts import Reader
from weir.notify.render import KINDS, WIDTH, Renderer, narrow
from weir.notify.sending import Rendered
from weir.report import view

RULES = Path(__file__).parents[2] / "schemas/rules"
SMTP = Smtp(host="mail", sender="weir@example.org", reply_to="io-help@example.org")


@pytest.fixture(scope="session")
def report():
    return json.loads(REPORT.read_text())


renderer = cache(Renderer)


def rendered(alert, reader=None, site=None, folder=None):
    message = facts.message(alert, site, LINKS, reader or Reader())
    return renderer(folder).rendered(message)


def plain(text):
    """With its lines joined: where they break is another question."""
    return " ".join(text.split())


def parsed(content):
    return message_from_bytes(content, policy=default)


def as_mail(alert, address="ada@example.org", url="https://weir.example.org/n/m/t"):
    return mail.mail(SMTP, address, alert, rendered(alert), BEGIN, url)


# --- what a user reads -----------------------------------------------------------------------------------


def test_a_finding_says_what_it_cost_whose_fault_it_was_and_what_to_change(report):
    message = rendered(finding(report))
    assert message.subject == "pat: Small requests; 12.5 node-hours lost, job 101 (climate)"
    text = plain(message.text)
    assert "Your job 101 (climate) on demo lost 12.5 node-hours to I/O." in text
    assert "27.3 min of 60 min were lost to I/O: 12.5 node-hours on 16 nodes." in text
    assert "The program. The time was lost by how the program does its I/O." in text
    assert "1. Small requests (small_io) in pat" in text
    assert "7 runs had it, and lost 80.2 node-hours." in text
    assert f"weir alerts mute ada {CASE}" in text
    assert f"weir alerts wrong {finding(report)['alert']} small_io" in text
    assert f"https://superset.example.org/superset/dashboard/run/?run={report['log_id']} " in text
    assert "https://weir.example.org/n/m/" in text
    assert "https://weir.example.org/n/w/" in text


def test_a_finding_has_the_words_of_weir_analyze(report):
    (small,) = (each for each in view.brief(report, None).findings if each.id == "small_io")
    text = plain(rendered(finding(report)).text)
    assert small.evidence in text
    assert small.change.text in text
    assert all(line in text for line in map(plain, small.change.code))


def test_of_many_cases_three_are_told_and_the_rest_counted(report):
    cases = [case(rule=f"rule{n}", title=f"Title {n}") for n in range(5)]
    text = rendered(finding(report, cases=cases)).text
    assert [f"Title {n}" in text for n in range(5)] == [True, True, True, False, False]
    assert "And 2 more findings." in text


def test_several_jobs_are_counted_and_the_costliest_named(report):
    message = rendered(finding(report, jobs_in_all=40))
    assert message.subject == "pat: Small requests; 12.5 node-hours lost, job 101 (climate) and 39 more"
    assert "40 jobs of yours on demo, most of all 101 (climate), lost 12.5 node-hours" in plain(message.text)


def test_a_verdict_of_unknown_blames_nobody(report):
    unknown = report | {"verdict": {"value": "unknown", "reason": "no samples of the storage"}}
    text = plain(rendered(finding(unknown, jobs=[job(report, runs=[run(report, verdict="unknown")])])).text)
    assert "It is unknown whether the program or the file system slowed it down." in text
    assert "The time was lost by how the program does its I/O" not in text


def test_a_reminder_says_that_it_is_one(report):
    message = rendered(finding(report, kind="reminder", cases=[case(times_sent=2)]))
    assert message.subject == "Still: pat: Small requests; 80.2 node-hours lost so far"
    assert "You got a message about this before, and it is still there." in message.text
    assert "You got 2 messages about it before." in plain(message.text)


def test_what_is_no_longer_found_is_taken_back(report):
    text = plain(rendered(finding(report, cases=[case(retracted=["98", "99"])])).text)
    assert "Earlier messages said this of 98, 99. By now it is known not to be so." in text


def test_fixed(report):
    message = rendered(finding(report, kind="fixed", jobs=[], jobs_in_all=0, reports=[]))
    assert message.subject == "Fixed: pat: Small requests"
    assert "The latest runs of pat on demo no longer have this: Small requests." in plain(message.text)


def test_every_mail_has_a_way_to_the_dashboards(report):
    hostile = finding(report, reports=[])
    hostile["jobs"][0]["runs"][0]["log_id"] = "x' OR 1=1"
    about_none = (
        finding(report, kind=kind, jobs=[], jobs_in_all=0, reports=[]) for kind in ("fixed", "digest")
    )
    for message in map(rendered, (hostile, *about_none)):
        for text in (message.text, message.html):
            assert "https://superset.example.org/superset/dashboard/alerts/" in text


def test_a_digest_says_why_each_was_held_back(report):
    cases = [case(held_back="storage"), case(rule="metadata_heavy", title="Metadata", held_back="limit")]
    week = {"kind": "digest", "unit": "demo 2026-W47", "jobs": [], "jobs_in_all": 0}
    message = rendered(finding(report, cases=cases, **week))
    assert message.subject == "I/O of your jobs, 2026-W47: 2 findings"
    text = plain(message.text)
    assert "The file system was slow, not your program. There is nothing for you to change." in text
    assert "It was held back so that you do not get too many messages." in text


def test_a_finding_that_says_no_more_than_another_is_left_out_beside_it_alone(report):
    """load_imbalance holds for the same ranks as rank0_io: words.yaml."""
    reason = {"reasons": {"write_effective_ranks_upper": 1.0}}
    found = [report["findings"][0] | reason | {"id": rule} for rule in ("rank0_io", "load_imbalance")]
    both = [case(rule="rank0_io", title="One process"), case(rule="load_imbalance", title="A few")]
    its = report | {"findings": found}
    assert "A few" not in rendered(finding(its, cases=both)).text
    assert "2. " not in rendered(finding(its, cases=both)).text
    alone = rendered(finding(its, cases=both[1:])).text
    assert "1. A few (load_imbalance)" in alone
    assert "change " in alone


def test_a_message_without_its_reports_still_says_what_it_knows(report):
    """They may be of another version of the analysis."""
    broken = [{"job_uid": "u", "log_id": report["log_id"], "report": '{"exe": "pat"}'}]
    text = plain(rendered(finding(report, reports=broken)).text)
    assert "About 41 min of 60 min were I/O." in text
    assert "Small requests (small_io) in pat" in text


def test_times_are_those_of_the_site(report):
    site = {"time_zone": "Europe/Berlin", "file_systems": []}
    assert "2026-11-23 09:00:00 CET" in rendered(finding(report), site=site).text


def test_a_rehearsal_names_whom_it_was_for_and_acts_for_nobody(report):
    message = rendered(finding(report, mode="rehearsal"), Reader(rehearsal=True))
    assert message.subject.startswith("[rehearsal for ada] pat: ")
    assert "in live mode this would go to ada" in plain(message.text)
    assert not re.search(r"weir.example.org/n/[mw]/", message.text + message.html)


def test_a_copy_says_why_and_acts_for_nobody(report):
    message = rendered(finding(report), Reader(copy=True))
    assert (
        "This is a copy, for those who lead the project of these jobs and for staff. ada got the message."
        in plain(message.text)
    )
    assert not re.search(r"weir.example.org/n/[mw]/", message.text + message.html)


def test_a_chat_acts_for_nobody_and_is_no_copy(report):
    message = rendered(finding(report), Reader(chat=True))
    assert "copy" not in message.text
    assert not re.search(r"weir.example.org/n/[mw]/", message.text + message.html)


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("silent", "oss1 is silent"),
        ("hot", "oss1 is slower than the others"),
        ("saturated", "oss1 is saturated"),
        ("no_answer", "oss1 does not answer"),
        ("loop", "oss1 restarts again and again"),
        ("no_address", "no address of user oss1"),
        ("ambiguous_delivery", "messages may not have arrived"),
        ("delay", "runs of oss1 are visible late"),
        ("a_new_kind", "oss1: a new kind"),
    ],
)
def test_a_trouble_is_a_sentence(kind, said):
    message = rendered(trouble(kind))
    assert message.subject == f"demo, scratch: {said}"
    assert f"demo, scratch: {said}, since 2026-11-23 09:00:00 UTC" in plain(message.text)
    assert "silent seconds: 75" in message.text


def test_a_trouble_of_the_pipeline_is_of_no_cluster():
    message = rendered(trouble("lag") | {"cluster": ""})
    assert message.subject == "scratch: oss1 lags behind"
    assert message.text.startswith("scratch: oss1 lags behind, since")


def test_a_hundred_servers_are_one_sentence():
    alert = trouble()
    alert["trouble"] |= {"subjects_in_all": 100, "subjects": alert["trouble"]["subjects"] * 50}
    message = rendered(alert)
    assert message.subject == "demo, scratch: 100 servers are silent"
    assert "and 50 more" in message.text


def test_over():
    alert = trouble() | {"kind": "over"}
    alert["trouble"] |= {"until": BEGIN + timedelta(minutes=5)}
    message = rendered(alert)
    assert message.subject == "Over: demo, scratch: oss1 is silent"
    assert "until 2026-11-23 09:05:00 UTC" in plain(message.text)


# --- as a mail program sees it ---------------------------------------------------------------------------


def test_the_headers_of_a_mail(report):
    it = parsed(as_mail(finding(report)))
    assert it["From"] == "Weir <weir@example.org>"
    assert it["To"] == "ada@example.org"
    assert it["Reply-To"] == "io-help@example.org"
    assert it["Date"].datetime == BEGIN
    assert it["Message-ID"] == f"<{finding(report)['alert']}@weir.example.org>"
    assert it["References"] == it["In-Reply-To"] == f"<case-{CASE}@weir.example.org>"
    assert it["Auto-Submitted"] == "auto-generated"
    assert it["List-Unsubscribe"] == "<https://weir.example.org/n/m/t>"
    assert it["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert it.get_content_type() == "multipart/alternative"
    assert [part.get_content_type() for part in it.iter_parts()] == ["text/plain", "text/html"]


def test_links_and_ids_are_whole_however_long(report):
    """A word that is longer than a line is encoded by Python, and no mail program reads that."""
    url = "https://weir.example.org/n/m/" + "t" * 300
    smtp = SMTP.model_copy(update={"sender": f"weir@{'long.' * 30}example.org"})
    content = mail.mail(smtp, "ada@example.org", finding(report), rendered(finding(report)), BEGIN, url)
    headers = content.partition(b"\r\n\r\n")[0].decode().split("\r\n")
    assert f"List-Unsubscribe: <{url}>" in headers
    assert f"Message-ID: <{finding(report)['alert']}@weir.{'long.' * 30}example.org>" in headers


def test_a_subject_that_must_be_encoded_is_folded(report):
    title = "größer als alles andere, und länger als eine Zeile von achtundsiebzig Zeichen"
    content = as_mail(finding(report, cases=[case(title=title)]))
    subject = re.search(rb"^Subject:.*\r\n( .*\r\n)*", content, re.MULTILINE)
    assert max(map(len, subject[0].splitlines())) <= 78
    assert title in parsed(content)["Subject"]


def test_without_a_link_there_is_no_unsubscribe(report):
    it = parsed(as_mail(finding(report), url=None))
    assert not {"List-Unsubscribe", "List-Unsubscribe-Post"} & {*it.keys()}


def test_mails_of_a_case_thread_and_others_do_not(report):
    first, reminder = (parsed(as_mail(finding(report, kind=kind))) for kind in ("finding", "reminder"))
    other = parsed(as_mail(finding(report, cases=[case(case="f" * 32)])))
    assert first["Message-ID"] != reminder["Message-ID"]
    assert first["References"] == reminder["References"] != other["References"]


def test_the_end_of_a_trouble_is_in_the_thread_of_its_begin():
    begin = trouble()
    further = begin | {"unit": begin["unit"] + "+2", "alert": "1" * 32}
    over = begin | {"kind": "over", "alert": "0" * 32}
    mails = [parsed(as_mail(each)) for each in (begin, further, over)]
    assert len({mail["References"] for mail in mails}) == 1
    assert len({mail["Message-ID"] for mail in mails}) == 3


def test_any_server_takes_it(report):
    content = as_mail(finding(report))
    assert content.isascii()
    assert b"\n" not in content.replace(b"\r\n", b"")
    assert max(map(len, content.split(b"\r\n"))) <= 998


def test_the_text_fits_a_terminal_but_for_links_and_code(report):
    longest = max((rule.stem for rule in RULES.glob("*.yaml")), key=len)
    for kind in KINDS[:4]:
        lines = rendered(finding(report, kind=kind, cases=[case(rule=longest)])).text.splitlines()
        prose = [line for line in lines if "https://" not in line]
        assert max(map(len, prose)) <= WIDTH, kind


def test_templates_that_are_replaced_are_used_by_the_next_notifier(report, tmp_path):
    for name, text in {"finding.txt.j2": '{% include "part.j2" %}', "part.j2": "before"}.items():
        (tmp_path / name).write_text(text)
    running = Renderer(tmp_path)
    (tmp_path / "part.j2").write_text("{{ 1 | narrower }}")
    message = facts.message(finding(report), None, LINKS, Reader())
    assert running.rendered(message).text == "before"
    with pytest.raises(UserError, match=r"part\.j2:1: No filter named 'narrower'"):
        Renderer(tmp_path)


def test_a_comment_that_makes_code_too_wide_stands_before_it():
    wide = "H5Pset_coll_metadata_write(fapl, 1);    /* and H5Pset_all_coll_metadata_ops(fapl, 1) for reads */"
    agents = "export OMPI_MCA_io_ompio_num_aggregators=4    # OMPIO: the number of nodes"
    short = 'MPI_Info_set(info, "romio_cb_write", "enable");    /* ROMIO */'
    assert narrow([wide, agents, short], 12) == [
        "/* and H5Pset_all_coll_metadata_ops(fapl, 1) for reads */",
        "H5Pset_coll_metadata_write(fapl, 1);",
        "# OMPIO: the number of nodes",
        "export OMPI_MCA_io_ompio_num_aggregators=4",
        short,
    ]


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.links, self.attributes = [], [], []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += attributes
        self.links += [value for name, value in attributes if name in ("href", "src")]


def tags(html):
    seen = Tags()
    seen.feed(html)
    return seen


HARMLESS = {
    *("html", "head", "meta", "title", "style", "body", "div", "p", "h2", "a", "code", "br", "strong", "pre")
}


def test_html_has_nothing_remote_and_works_on_a_phone_in_the_dark(report):
    for kind in KINDS[:4]:
        html = rendered(finding(report, kind=kind)).html
        seen = tags(html)
        assert set(seen.tags) <= HARMLESS
        assert "url(" not in html and "@import" not in html
        assert all(re.match(r"https://(superset|weir)\.example\.org/", link) for link in seen.links)
        assert "width=device-width" in html
        assert "prefers-color-scheme: dark" in html


# --- hostile text ----------------------------------------------------------------------------------------


def poisoned(report, text):
    """A finding of which every name is hostile."""
    bad_report = json.loads(json.dumps(report))
    bad_report |= {
        "exe": text,
        "filesystem": text,
        "file": text,
        "verdict": {"value": "both", "reason": text},
    }
    for found in bad_report["findings"]:
        found["title"] = text
        for advice in found["advice"]:
            for file in advice["files"]:
                file["name"] = text
    job_ = job(report, job_display_id=text, job_name=text, account=text, partition=text)
    cases = [case(title=text, program=text, retracted=[text]), case(), case(rule=text, case=text)]
    told = {"job_uid": text, "log_id": report["log_id"], "report": json.dumps(bad_report)}
    names = {"cluster": text, "recipient": text, "unit": text}
    return finding(report, cases=cases, jobs=[job_], reports=[told]) | names


@pytest.mark.parametrize("kind", KINDS[:4])
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_stay_text(report, name, kind):
    text = HOSTILE[name]
    content = as_mail(poisoned(report, text) | {"kind": kind})
    check(content)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_of_a_trouble_stay_text(name):
    text = HOSTILE[name]
    alert = trouble(kind=text, subject=text, server=text, subject_kind=text, cause=text, numbers={text: 1.0})
    alert["trouble"]["group"] = text
    check(as_mail(alert | {"cluster": text}))


def check(content):
    it = parsed(content)
    assert not it.defects
    assert it["To"] == "ada@example.org"
    assert "Bcc" not in it
    assert len(it.keys()) == len(set(it.keys())) <= 16
    assert len(content) < 100_000
    plain_part, html_part = it.iter_parts()
    assert not plain_part.defects and not html_part.defects
    text, html = (part.get_content().replace("\r\n", "\n") for part in (plain_part, html_part))
    for said in (it["Subject"], text, html):
        assert all(character.isprintable() or character == "\n" for character in said)
    assert "49" not in it["Subject"]
    seen = tags(html)
    assert set(seen.tags) <= HARMLESS
    assert not [name for name, _ in seen.attributes if name.startswith("on")]
    for line in text.splitlines():
        assert len(line) <= WIDTH or "https://" in line or "weir alerts" in line


def test_what_is_typed_into_a_shell_is_quoted(report):
    hostile = finding(report, recipient="ada; rm -rf ~", cases=[case(case="$(reboot)")])
    assert "weir alerts mute 'ada; rm -rf ~' '$(reboot)'" in rendered(hostile).text


@pytest.mark.parametrize("address", ["a@b\r\nBcc: x@y", "a@b,c@d", "<a@b>", "a b@c", "a@", "ä@b", "a@b\n"])
def test_what_is_no_address_is_none(address):
    with pytest.raises(ValidationError):
        Smtp(host="mail", sender=address)


def test_a_subject_cannot_end_its_line():
    hostile = Rendered("one\r\nBcc: x@example.org", "text", "<p>html</p>")
    it = parsed(mail.mail(SMTP, "ada@example.org", alert(), hostile, datetime.now(UTC)))
    assert "Bcc" not in it


# --- templates of a site ---------------------------------------------------------------------------------


def test_a_site_overrides_one_template_and_extends_another(report, tmp_path):
    (tmp_path / "fixed.subject.j2").write_text("Well done, {{ message.user }}")
    (tmp_path / "finding.txt.j2").write_text(
        '{% extends "shipped/finding.txt.j2" %}{% block body %}From the center.\n{{ super() }}{% endblock %}'
    )
    assert rendered(finding(report, kind="fixed"), folder=tmp_path).subject == "Well done, ada"
    text = rendered(finding(report), folder=tmp_path).text
    assert text.startswith("From the center.\n")
    assert "12.5 node-hours" in text


def test_a_wrong_template_of_a_site_is_told_with_its_line(tmp_path):
    (tmp_path / "over.html.j2").write_text("one\n{% if %}")
    with pytest.raises(UserError, match=r"over\.html\.j2:2: "):
        Renderer(tmp_path)

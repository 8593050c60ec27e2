from weir_embedded import passwords


def modes(stack):
    return {file.name: file.stat().st_mode & 0o777 for file in stack.secrets.iterdir()}


def test_every_secret_is_its_owners_alone(unstarted):
    passwords.generate_missing(unstarted)
    assert set(modes(unstarted)) == {*passwords.NAMES, "flink.pem", "flink.p12", "kafka.pem", "kafka.p12"}
    assert set(modes(unstarted).values()) == {0o600}
    assert unstarted.secrets.stat().st_mode & 0o777 == 0o700


def test_secrets_differ_and_are_kept(unstarted):
    passwords.generate_missing(unstarted)
    first = [unstarted.secret(name).read_text() for name in passwords.NAMES]
    assert len(set(first)) == len(first)
    assert min(map(len, first)) >= 24
    passwords.generate_missing(unstarted)
    assert [unstarted.secret(name).read_text() for name in passwords.NAMES] == first


def test_a_file_that_was_opened_to_others_is_closed_and_an_empty_one_filled(unstarted):
    passwords.generate_missing(unstarted)
    unstarted.secret("superset_admin").chmod(0o644)
    unstarted.secret("clickhouse_reader").write_text("")
    passwords.generate_missing(unstarted)
    assert set(modes(unstarted).values()) == {0o600}
    assert unstarted.secret("clickhouse_reader").read_text()

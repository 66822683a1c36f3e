"""Settings and limits."""

import pytest

from triskele.server.settings import Limits, Settings


def test_limits_by_name():
    assert Limits().changed(["body_bytes=10", "head_seconds=0.5"]) == Limits(body_bytes=10, head_seconds=0.5)
    with pytest.raises(ValueError, match="there is no limit nonsense"):
        Limits().changed(["nonsense=1"])


def test_settings(tmp_path):
    settings = Settings(data=tmp_path / "data").prepare()
    assert Settings(data=tmp_path / "data").prepare().secret == settings.secret
    assert settings.secret.hex() not in repr(settings)
    assert Settings(data=tmp_path, database="postgresql://h/d").database_url == "postgresql+psycopg://h/d"
    assert Settings(data=tmp_path, public_url="https://play.example").secure
    (tmp_path / "data" / "secret").write_bytes(b"short")
    with pytest.raises(ValueError, match="damaged"):
        Settings(data=tmp_path / "data").prepare()

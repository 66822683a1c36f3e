"""Static files."""

from triskele.server.http.assets import Files


def test_files_stay_in_their_folder(tmp_path):
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "index.html").write_text("<!doctype html>")
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "web" / "link.txt").symlink_to(tmp_path / "secret.txt")
    files = Files(tmp_path / "web")
    for path in ("", "table/x", "learn/yinsh", "mine", "index.html"):
        assert files.find(path) is not None
    for path in (
        "../secret.txt",
        "link.txt",
        "%2e%2e/secret.txt",
        ".hidden",
        "a/../../secret.txt",
        "nothing.js",
        "x\0.js",
    ):
        assert files.find(path) is None
    (tmp_path / "web" / "index.html").write_text("<!doctype html><p>changed")
    assert b"changed" in files.find("").body

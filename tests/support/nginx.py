"""A real nginx in front of a server, configured with what ``docs/hosts.md`` tells a host to write."""

import re
import shutil
import socket
import subprocess
import time
from pathlib import Path

GUIDE = Path(__file__).parents[2] / "docs" / "hosts.md"
NAME = "localhost"
PATIENCE = 30.0
BARE = "location / { proxy_pass http://127.0.0.1:8000; }"
"""What people write first: without any header."""


def guide_block(title: str) -> str:
    """Return the block of code of the guide whose first line is a comment with this title."""
    found = re.search(rf"^```\w*\n(# {re.escape(title)}.*?)^```", GUIDE.read_text(encoding="utf-8"), re.M | re.S)
    assert found is not None, f"docs/hosts.md has no block that begins with # {title}"
    return found[1]


def free_port() -> int:
    """Return a port that nothing listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def make_certificate(folder: Path) -> tuple[Path, Path]:
    """Make a certificate for this machine that it has signed itself; return it and its key."""
    certificate, key = folder / "fullchain.pem", folder / "privkey.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}"]
    names = ["-addext", f"subjectAltName=DNS:{NAME},IP:127.0.0.1"]
    subprocess.run([*command, *names, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    return certificate, key


class Nginx:
    """An nginx process of a test's own, on ports of its own."""

    def __init__(self, folder: Path, location: str, *, tls: bool = True) -> None:
        """Serve the site of the guide from a folder, with these locations in it; only with HTTPS if ``tls``."""
        self.folder = folder
        folder.mkdir()
        self.certificate, key = make_certificate(folder)
        self.port = free_port()
        scheme, self.ssl = ("https", " ssl http2") if tls else ("http", "")
        self.base = f"{scheme}://{NAME}:{self.port}"
        tls_lines = f"ssl_certificate {self.certificate};\n ssl_certificate_key {key};" if tls else ""
        self._site = f"""
            map $http_upgrade $connection_upgrade {{ default upgrade; '' ''; }}
            server {{
                listen 127.0.0.1:{self.port}{self.ssl};
                server_name {NAME};
                {tls_lines}
                {location}
            }}"""
        self.process: subprocess.Popen[bytes] | None = None

    def serve(self, server_port: int) -> "Nginx":
        """Start, in front of a server at a port of this machine."""
        found = shutil.which("nginx") or shutil.which("/usr/sbin/nginx")
        assert found, "the proxy is tested with a real nginx, and there is none: `make proxy` brings one"
        site = self._site.replace("http://127.0.0.1:8000", f"http://127.0.0.1:{server_port}")
        folders = "".join(
            f"{kind}_temp_path {self.folder / kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        root = "user root;\n" if Path("/proc/self").stat().st_uid == 0 else ""
        (self.folder / "nginx.conf").write_text(
            f"{root}pid {self.folder / 'pid'};\nerror_log {self.folder / 'error.log'};\ndaemon off;\n"
            f"events {{}}\nhttp {{\naccess_log off;\n{folders}{site}\n}}\n"
        )
        command = [found, "-p", str(self.folder), "-e", str(self.folder / "error.log")]
        self.process = subprocess.Popen([*command, "-c", str(self.folder / "nginx.conf")], stderr=subprocess.PIPE)
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            assert self.process.poll() is None, (self.folder / "error.log").read_text()
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return self
            time.sleep(0.05)
        raise AssertionError("nginx does not listen")

    def stop(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.terminate()
            self.process.wait(PATIENCE)
            assert self.process.stderr is not None
            self.process.stderr.close()


def guide_location(path: str) -> str:
    """Return the ``location`` of the guide's site, for a path."""
    found = re.search(r"^ *location / \{\n.*?^ *\}", guide_block("/etc/nginx/sites-available/triskele"), re.M | re.S)
    assert found is not None
    return found[0].replace("location /", f"location {path}")

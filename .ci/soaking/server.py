"""The server under load: its files, its process, and what the system knows about it."""

import hashlib
import json
import os
import re
import signal
import socket
import ssl
import subprocess
import threading
import time

# Short, so that much ends by them.
TIMEOUTS = {"handshake": 3, "header": 3, "idle": 8, "write": 3, "drain": 10}
LIMITS = {"connections": 600, "perAddress": 150}

SITES = ["localhost", "a.example", "big.example", "rsa.example", "changing.example", "broken.example"]
# Any name below it.
WILDCARD = "wild.example"


class Server:
    def __init__(self, executable, folder):
        self.executable, self.folder = executable, folder
        self.process = None
        self.lock = threading.Lock()
        # The digests of all that a site may serve.
        self.versions = {}
        self._make_authority()
        self.make_pair("ecdsa", [name for name in SITES if name != "rsa.example"])
        self.make_pair("wildcard", [f"*.{WILDCARD}", WILDCARD])
        self.make_pair("rsa", ["rsa.example", "a.example"], "rsa:2048")
        for name in SITES:
            self.publish(name, self.document(name, 1000 if name != "big.example" else 120_000))
        self.publish(f"_wildcard.{WILDCARD}", self.document(WILDCARD, 300))
        self.context = self._context()
        self.context12 = self._context()
        self.context12.maximum_version = ssl.TLSVersion.TLSv1_2
        self.context_h2 = self._context()
        self.context_h2.set_alpn_protocols(["h2"])

    # Files

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def write(self, data, *parts):
        path = self.path(*parts)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        # In one step, so that nobody reads a half.
        with open(path + "~", "wb") as file:
            file.write(data)
        os.replace(path + "~", path)

    @staticmethod
    def document(name, size, number=0):
        app = f"7K3QWZ9PLM.com.shop.{name}.n{number}".replace("example", "test")
        components, text = [], ""
        while len(text) < size:
            components += [{"/": f"/path/{len(components) + place}/*"} for place in range(20)]
            text = json.dumps({"applinks": {"details": [{"appIDs": [app], "components": components}]}})
        return text.encode()

    def publish(self, name, data):
        with self.lock:
            self.versions.setdefault(name, {})[hashlib.sha256(data).hexdigest()] = data
        self.write(data, "sites", name, "apple-app-site-association")

    def is_version(self, name, data):
        site = name if name in self.versions else f"_wildcard.{WILDCARD}"
        with self.lock:
            return self.versions[site].get(hashlib.sha256(data).hexdigest()) == data

    # Certificates

    def _openssl(self, *arguments):
        subprocess.run(["openssl", *arguments], check=True, capture_output=True)

    def _make_authority(self):
        self._openssl(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30",
            "-subj", "/CN=soak", "-keyout", self.path("ca.key"), "-out", self.path("ca.pem"))

    def make_pair(self, folder, names, key="ec"):
        curve = ["-pkeyopt", "ec_paramgen_curve:P-256"] if key == "ec" else []
        new = self.path(f"new-{folder}")
        self._openssl(
            "req", "-x509", "-CA", self.path("ca.pem"), "-CAkey", self.path("ca.key"), "-newkey", key, *curve,
            "-nodes", "-days", "20", "-subj", "/CN=site", "-addext",
            "subjectAltName=" + ",".join(f"DNS:{name}" for name in names), "-addext", "basicConstraints=CA:FALSE",
            "-keyout", new + ".key", "-out", new + ".pem")
        for suffix, name in ((".key", "privkey.pem"), (".pem", "fullchain.pem")):
            with open(new + suffix, "rb") as file:
                self.write(file.read(), "certs", folder, name)
        os.chmod(self.path("certs", folder, "privkey.pem"), 0o600)

    def _context(self):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.load_verify_locations(self.path("ca.pem"))
        return context

    # The process

    def start(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.admin_port = free.getsockname()[1]
        configuration = {
            "listen": ["127.0.0.1:0"], "admin": f"127.0.0.1:{self.admin_port}", "sites": "sites", "certs": "certs",
            "threads": 2, "timeouts": TIMEOUTS, "limits": LIMITS,
            "log": {"access": self.path("access.log"), "format": "json"},
        }
        self.write(json.dumps(configuration).encode(), "server.json")
        with open(self.path("errors.log"), "wb") as log:
            self.process = subprocess.Popen(
                [self.executable, "serve", "--config", self.path("server.json")], stdin=subprocess.DEVNULL,
                stdout=log, stderr=log)
        end = time.monotonic() + 30
        while True:
            match = re.search(r" ready: .*https://127\.0\.0\.1:(\d+)", self.log())
            if match:
                break
            if self.process.poll() is not None or time.monotonic() > end:
                raise SystemExit(f"soak: the server did not start:\n{self.log()}")
            time.sleep(0.05)
        self.port = int(match[1])
        self.has_admin = self._answers(self.admin_port)
        self.has_access_log = os.path.exists(self.path("access.log"))
        # Otherwise the signal would end it.
        self.reopens_logs = self._handles(signal.SIGUSR1)

    @staticmethod
    def _answers(port):
        try:
            socket.create_connection(("127.0.0.1", port), 2).close()
            return True
        except OSError:
            return False

    def _handles(self, number):
        status = self._status()
        return any(int(status[name], 16) >> (number - 1) & 1 for name in ("SigIgn", "SigCgt", "SigBlk"))

    @property
    def is_running(self):
        return self.process.poll() is None

    def log(self):
        with open(self.path("errors.log"), "rb") as file:
            return file.read().decode(errors="replace")

    def signal(self, number):
        self.process.send_signal(number)

    def kill(self):
        if self.process and self.is_running:
            self.process.kill()
            self.process.wait()

    def stop(self):
        """Ends it in order; the exit status."""
        self.signal(signal.SIGTERM)
        try:
            return self.process.wait(TIMEOUTS["drain"] + 10)
        except subprocess.TimeoutExpired:
            self.kill()
            return "nothing, it did not stop"

    # What the system knows

    def _status(self):
        with open(f"/proc/{self.process.pid}/status") as file:
            parts = (line.partition(":") for line in file)
            return {name: value.strip() for name, _, value in parts}

    def usage(self):
        """Resident memory in MB, descriptors, sockets among them, threads, and processor time in seconds; none if it
        has ended."""
        if not self.is_running:
            return None
        try:
            status = self._status()
            memory = int(status["VmRSS"].split()[0]) / 1024
            names = os.listdir(f"/proc/{self.process.pid}/fd")
            links = [self._link(name) for name in names]
            with open(f"/proc/{self.process.pid}/stat") as file:
                times = file.read().rsplit(")", 1)[1].split()
        except (OSError, KeyError):
            return None
        return {
            "memory": memory, "descriptors": len(names),
            "sockets": sum(link.startswith("socket:") for link in links), "threads": int(status["Threads"]),
            "processor": (int(times[11]) + int(times[12])) / os.sysconf("SC_CLK_TCK"),
        }

    def _link(self, name):
        try:
            return os.readlink(f"/proc/{self.process.pid}/fd/{name}")
        except OSError:
            return ""

"""Files that change, certificates that are renewed, logs that are rotated, while the server runs."""

import os
import random
import shutil
import signal
import time


class Changes:
    def __init__(self, server, gate, tally):
        self.server, self.gate, self.tally = server, gate, tally
        self._number = 0

    def run(self):
        kinds = [self.file, self.broken, self.mended, self.site, self.certificate, self.nothing, self.logs]
        while not self.gate.is_ended:
            kind = kinds[self._number % len(kinds)]
            self._number += 1
            kind()
            self.tally.count(self.tally.changes, kind.__name__)
            self.gate.wait_for_end(2)

    def reload(self):
        before = self.server.log().count(" reloaded: ")
        self.server.signal(signal.SIGHUP)
        end = time.monotonic() + 30
        while self.server.log().count(" reloaded: ") == before:
            if not self.server.is_running or time.monotonic() > end:
                return self.tally.fail("reload", "no line in the log within 30 s")
            time.sleep(0.02)
        self.tally.count(self.tally.changes, "reloads")

    def file(self):
        size = random.randrange(200, 60_000)
        self.server.publish("changing.example", self.server.document("changing.example", size, self._number))
        self.reload()

    def broken(self):
        """The last good one stays."""
        self.server.write(b'{"applinks": [', "sites", "broken.example", "apple-app-site-association")
        self.reload()

    def mended(self):
        self.server.publish("broken.example", self.server.document("broken.example", 1000, self._number))
        self.reload()

    def site(self):
        """One comes and goes."""
        name = "passing.example"
        self.server.publish(name, self.server.document(name, 500, self._number))
        self.reload()
        shutil.rmtree(self.server.path("sites", name))
        self.reload()

    def certificate(self):
        self.server.make_pair("wildcard", ["*.wild.example", "wild.example"])
        self.reload()

    def nothing(self):
        for _ in range(5):
            self.reload()

    def logs(self):
        """As logrotate does it."""
        if not self.server.reopens_logs or not self.server.has_access_log:
            return
        path = self.server.path("access.log")
        os.replace(path, path + ".1")
        self.server.signal(signal.SIGUSR1)
        end = time.monotonic() + 30
        while not os.path.exists(path):
            if time.monotonic() > end:
                return self.tally.fail("logs", "the access log was not opened again within 30 s")
            time.sleep(0.02)
        self.tally.count(self.tally.changes, "logs reopened")

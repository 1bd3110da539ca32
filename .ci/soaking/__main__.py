"""`python3 -m soaking SERVER SECONDS`: see .ci/soak."""

import statistics
import sys
import tempfile
import threading
import time

from .changes import Changes
from .gate import Gate
from .good import Good
from .hostile import Hostile
from .server import TIMEOUTS, Server
from .tally import Tally

# What may grow from the first time at rest to the last: that memory that is taken and given back leaves holes is no leak.
GROWTH = (1.05, 2.0)
# And from the second quarter under load to the last: how large the holes are depends on what comes at the same time.
GROWTH_UNDER_LOAD = (1.25, 4.0)


class Soak:
    def __init__(self, server, seconds):
        self.server, self.seconds = server, seconds
        self.at_start = server.usage()
        self.gate, self.tally = Gate(), Tally()
        self.samples = []
        self.problems = []

    def run(self):
        good, hostile = Good(self.server, self.gate, self.tally), Hostile(self.server, self.gate, self.tally)
        threads = [threading.Thread(target=good.run, args=[worker], daemon=True) for worker in good.workers()]
        threads += [threading.Thread(target=hostile.run, args=[worker], daemon=True) for worker in hostile.workers()]
        threads += [threading.Thread(target=Changes(self.server, self.gate, self.tally).run, daemon=True)]
        print("     s  RSS MB  descriptors  threads  CPU %     good  hostile  reloads  failures")
        for thread in threads:
            thread.start()
        self.begin = time.monotonic()
        # A rest after each quarter, where the server gives memory back, so that all quarters begin alike. The first is to
        # warm up: buffers, the library's tables and the allocator get what they need once.
        rests = [self.at_rest_after(self.seconds * quarter / 4, is_last=quarter == 4) for quarter in (1, 2, 3, 4)]
        first, last = rests[0], rests[-1]
        for thread in threads:
            thread.join(30)
            if thread.is_alive():
                self.problems.append("a client did not end")
        if first and last:
            self.compare(first, last)
        self.check_server()
        self.tell(rests)
        return not self.problems

    # Watching

    def at_rest_after(self, end, is_last=False):
        """Watches until then; after that everybody pauses, and the server has the time to let go of all connections."""
        while time.monotonic() - self.begin < end and self.server.is_running:
            self.sample()
            time.sleep(max(0, min(5, self.begin + end - time.monotonic())))
        with self.gate.pause():
            if is_last:
                self.gate.end()
            latest = time.monotonic() + max(TIMEOUTS.values()) + 5
            usage = self.server.usage()
            while usage and usage["sockets"] > self.at_start["sockets"] and time.monotonic() < latest:
                time.sleep(0.1)
                usage = self.server.usage()
            time.sleep(0.5)
            return self.server.usage()

    def sample(self):
        usage = self.server.usage()
        if not usage:
            return
        now = time.monotonic() - self.begin
        last = self.samples[-1] if self.samples else {"time": 0, "processor": self.at_start["processor"]}
        usage["time"] = now
        self.samples.append(usage)
        share = 100 * (usage["processor"] - last["processor"]) / max(0.001, now - last["time"])
        print(
            f"{now:6.0f}  {usage['memory']:6.1f}  {usage['descriptors']:11}  {usage['threads']:7}  {share:5.0f}"
            f"  {sum(self.tally.good.values()):7}  {sum(self.tally.hostile.values()):7}"
            f"  {self.tally.changes['reloads']:7}  {sum(self.tally.failures.values()):8}", flush=True)
        for message in self.tally.take_messages():
            print(f"        {message}", flush=True)

    # Judging

    def compare(self, first, last):
        if last["memory"] > first["memory"] * GROWTH[0] + GROWTH[1]:
            self.problems.append(
                f"at rest it has {last['memory']:.1f} MB, after warming up it had {first['memory']:.1f}")
        if last["descriptors"] > first["descriptors"]:
            self.problems.append(f"at rest it has {last['descriptors']} descriptors, before {first['descriptors']}")
        if last["threads"] > first["threads"] + 2:
            self.problems.append(f"at rest it has {last['threads']} threads, before {first['threads']}")
        early, late = self.quarter(1), self.quarter(3)
        if early and late and late > early * GROWTH_UNDER_LOAD[0] + GROWTH_UNDER_LOAD[1]:
            self.problems.append(f"under load it has {late:.1f} MB in the last quarter, {early:.1f} in the second")

    def quarter(self, number):
        """The median of the memory in one."""
        length = self.seconds / 4
        values = [each["memory"] for each in self.samples if number <= each["time"] / length < number + 1]
        return statistics.median(values) if values else None

    def check_server(self):
        for message in self.tally.take_messages():
            print(f"        {message}")
        for kind, number in sorted(self.tally.failures.items()):
            self.problems.append(f"{number} times {kind} failed")
        if not self.server.is_running:
            self.problems.append(f"the server ended with {self.server.process.returncode}")
        elif (status := self.server.stop()) != 0:
            self.problems.append(f"asked to stop, the server ended with {status}")
        if self.problems:
            print("\nThe end of its log:\n" + "\n".join(self.server.log().splitlines()[-20:]))

    def tell(self, rests):
        def kinds(counter):
            return ", ".join(f"{number} {kind}" for kind, number in sorted(counter.items()))

        tally = self.tally
        print(f"good requests: {kinds(tally.good)}")
        print(f"hostile connections: {kinds(tally.hostile)}")
        print(f"changes: {kinds(tally.changes)}")
        absent = [
            name for name, is_there in (
                ("no admin listener", self.server.has_admin), ("no access log", self.server.has_access_log),
                ("SIGUSR1 is not handled", self.server.reopens_logs)) if not is_there]
        if absent:
            print("left out: " + ", ".join(absent))
        for problem in self.problems:
            print(f"problem: {problem}")
        figures = "no figures"
        if all(rests):
            memory = ", ".join(f"{rest['memory']:.1f}" for rest in rests)
            load = ", ".join(f"{self.quarter(number) or 0:.1f}" for number in range(4))
            figures = (
                f"RSS at rest after each quarter {memory} MB, under load {load} MB;"
                f" {rests[0]['descriptors']} descriptors after the first, {rests[-1]['descriptors']} at the end")
        print(
            f"soak: {self.seconds} s, {sum(tally.good.values())} good requests, {sum(tally.hostile.values())} hostile"
            f" connections, {tally.changes['reloads']} reloads; {figures}: {'FAILED' if self.problems else 'passed'}")


def main():
    executable, seconds = sys.argv[1], int(sys.argv[2])
    with tempfile.TemporaryDirectory(prefix="aasa-soak-") as folder:
        server = Server(executable, folder)
        try:
            server.start()
            return 0 if Soak(server, seconds).run() else 1
        finally:
            server.kill()


sys.exit(main())

"""What has happened, counted by all threads."""

import threading
from collections import Counter


class Tally:
    def __init__(self):
        self._lock = threading.Lock()
        self.good = Counter()
        self.hostile = Counter()
        self.changes = Counter()
        self.failures = Counter()
        self._messages = []

    def count(self, where, kind, number=1):
        with self._lock:
            where[kind] += number

    def fail(self, kind, message):
        """Something that must not happen; the first of them are told."""
        with self._lock:
            self.failures[kind] += 1
            if len(self._messages) < 20:
                self._messages.append(f"{kind}: {message}")

    def take_messages(self):
        with self._lock:
            messages, self._messages = self._messages, []
            return messages

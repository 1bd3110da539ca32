"""Who may work when: all, only those that need no new connection, or nobody."""

import threading
from contextlib import contextmanager


class End(Exception):
    """There is no more work."""


class Gate:
    def __init__(self):
        self._condition = threading.Condition()
        self._active = {"fresh": 0, "kept": 0, "hostile": 0}
        self._is_flooded = False
        self._is_paused = False
        self.is_ended = False

    @property
    def is_paused(self):
        """Whether whoever keeps a connection should let go of it."""
        return self._is_paused or self.is_ended

    def _may(self, kind):
        return self.is_ended or not (self._is_paused or kind == "fresh" and self._is_flooded)

    @contextmanager
    def work(self, kind):
        """For as long as something is under way: `fresh` opens connections, `kept` uses one, `hostile` may fail."""
        with self._condition:
            self._condition.wait_for(lambda: self._may(kind))
            if self.is_ended:
                raise End
            self._active[kind] += 1
        try:
            yield
        finally:
            with self._condition:
                self._active[kind] -= 1
                self._condition.notify_all()

    @contextmanager
    def flood(self):
        """While the server has no room for new connections."""
        with self._condition:
            self._is_flooded = True
            self._condition.wait_for(lambda: self._active["fresh"] == 0)
        try:
            yield
        finally:
            with self._condition:
                self._is_flooded = False
                self._condition.notify_all()

    @contextmanager
    def pause(self):
        """When nobody works."""
        with self._condition:
            self._is_paused = True
            self._condition.wait_for(lambda: not any(self._active.values()))
        try:
            yield
        finally:
            with self._condition:
                self._is_paused = False
                self._condition.notify_all()

    def wait_for_end(self, seconds):
        """Nothing to do for so long."""
        with self._condition:
            self._condition.wait_for(lambda: self.is_ended, seconds)

    def end(self):
        with self._condition:
            self.is_ended = True
            self._condition.notify_all()

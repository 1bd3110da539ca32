"""Chromium, driven over its DevTools protocol with nothing but the standard library."""
import base64
import json
import os
import shutil
import socket
import struct
import subprocess
import tempfile
import time


class Closed(Exception):
    pass


class WebSocket:
    """A client of RFC 6455, as far as DevTools needs it."""

    def __init__(self, host, port, path):
        self.socket = socket.create_connection((host, port))
        # The longest that the browser may say nothing.
        self.socket.settimeout(600)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            self._fill()
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise Closed(head.decode())

    def _fill(self):
        data = self.socket.recv(1 << 16)
        if not data:
            raise Closed("the browser has closed the connection")
        self.buffer += data

    def _take(self, count):
        while len(self.buffer) < count:
            self._fill()
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        return taken

    def send(self, text):
        payload = text.encode()
        mask = os.urandom(4)
        size = len(payload)
        if size < 126:
            head = struct.pack("!BB", 0x81, 0x80 | size)
        elif size < 65536:
            head = struct.pack("!BBH", 0x81, 0x80 | 126, size)
        else:
            head = struct.pack("!BBQ", 0x81, 0x80 | 127, size)
        repeated = (mask * (size // 4 + 1))[:size]
        masked = (int.from_bytes(payload, "big") ^ int.from_bytes(repeated, "big")).to_bytes(size, "big") if size else b""
        self.socket.sendall(head + mask + masked)

    def receive(self):
        message = b""
        while True:
            first, second = self._take(2)
            size = second & 127
            if size == 126:
                size = struct.unpack("!H", self._take(2))[0]
            elif size == 127:
                size = struct.unpack("!Q", self._take(8))[0]
            payload = self._take(size)
            if first & 15 == 8:
                raise Closed("the browser has closed the connection")
            if first & 15 in (0, 1, 2):
                message += payload
                if first & 128:
                    return message.decode()


class Browser:
    def __init__(self, *more):
        """Starts Chromium with more options; of one that is given twice, the last counts."""
        program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        if not program:
            raise SystemExit("test-browser: there is no Chromium here; install the Debian package 'chromium'")
        self.folder = tempfile.mkdtemp(prefix="aasa-browser-")
        options = ["--headless=new", "--remote-debugging-port=0", f"--user-data-dir={self.folder}", "--no-first-run",
                   "--disable-gpu", "--disable-extensions", "--disable-background-networking", "--disable-sync",
                   "--disable-component-update", "--hide-scrollbars", "--force-color-profile=srgb",
                   "--font-render-hinting=none", "--disable-dev-shm-usage", "--no-proxy-server",
                   "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1"]
        if os.geteuid() == 0:
            options.append("--no-sandbox")
        self.process = subprocess.Popen([program, *options, *more, "about:blank"], stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        port_file = os.path.join(self.folder, "DevToolsActivePort")
        limit = time.monotonic() + 600
        while True:
            if self.process.poll() is not None or time.monotonic() > limit:
                raise SystemExit("test-browser: Chromium does not start")
            try:
                port, path = open(port_file).read().split("\n")[:2]
                break
            except (OSError, ValueError):
                time.sleep(0.02)
        self.socket = WebSocket("127.0.0.1", int(port), path)
        self.number = 0
        self.pages = {}

    def call(self, method, session=None, **parameters):
        self.number += 1
        number = self.number
        message = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        self.socket.send(json.dumps(message))
        while True:
            answer = json.loads(self.socket.receive())
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self._note(answer)

    def wait(self):
        """Takes one event."""
        self._note(json.loads(self.socket.receive()))

    def _note(self, event):
        page = self.pages.get(event.get("sessionId"))
        # The answer about a dialog is nothing to wait for.
        if page and "method" in event:
            page.note(event)

    def page(self):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session)
        self.pages[session] = page
        for domain in ("Page", "Runtime", "Log", "Network", "DOM", "Accessibility"):
            page.call(f"{domain}.enable")
        return page

    def close(self):
        try:
            self.call("Browser.close")
        except (Closed, OSError, RuntimeError):
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class Page:
    def __init__(self, browser, session):
        self.browser, self.session = browser, session
        self.messages = []
        self.requests = []
        # The addresses of requests by their numbers, and the statuses that came back for a number, whoever may read them; a
        # status can be reported before its request.
        self.addresses = {}
        self.statuses = []
        self.loads = 0
        self.dialogs = []

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def note(self, event):
        method, parameters = event["method"], event["params"]
        if method == "Runtime.consoleAPICalled":
            self.messages.append(" ".join(str(one.get("value", one.get("description"))) for one in parameters["args"]))
        elif method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.messages.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Log.entryAdded":
            self.messages.append(parameters["entry"]["text"] + " " + parameters["entry"].get("url", ""))
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])
            self.addresses[parameters["requestId"]] = parameters["request"]["url"]
        elif method == "Network.responseReceivedExtraInfo":
            self.statuses.append((parameters["requestId"], parameters["statusCode"]))
        elif method == "Page.loadEventFired":
            self.loads += 1
        elif method == "Page.javascriptDialogOpening":
            self.dialogs.append(parameters["type"])
            self.browser.number += 1
            self.browser.socket.send(json.dumps({
                "id": self.browser.number, "method": "Page.handleJavaScriptDialog",
                "params": {"accept": True}, "sessionId": self.session}))

    def go(self, url):
        loads = self.loads
        self.call("Page.navigate", url=url)
        while self.loads == loads:
            self.browser.wait()

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return result["result"].get("value")

    def until(self, expression, what, seconds=60):
        """Waits for a state of the page."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            value = self.evaluate(expression)
            if value:
                return value
            time.sleep(0.02)
        raise AssertionError(f"{what}: not within {seconds} s")

    def size(self, width, height=900, dark=False, forced=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "forced-colors", "value": "active" if forced else "none"},
            {"name": "prefers-reduced-motion", "value": "reduce"}])

    def screenshot(self, path, most=4000):
        height = min(self.evaluate("document.documentElement.scrollHeight"), most)
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip={
            "x": 0, "y": 0, "width": self.evaluate("innerWidth"), "height": height, "scale": 1})["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def key(self, key, text=None):
        codes = {"Tab": 9, "Enter": 13, " ": 32}
        common = {"key": key, "code": key, "windowsVirtualKeyCode": codes.get(key, 0)}
        self.call("Input.dispatchKeyEvent", type="keyDown", **common, **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def drop(self, selector, path):
        """Drops a file on an element, as a person would."""
        middle = self.evaluate(f"(() => {{ const box = document.querySelector({selector!r}).getBoundingClientRect();"
                               "return [box.left + box.width / 2, box.top + Math.min(box.height / 2, 40)]; })()")
        data = {"items": [], "files": [path], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            self.call("Input.dispatchDragEvent", type=kind, x=middle[0], y=middle[1], data=data)

    def type(self, text):
        self.call("Input.insertText", text=text)

"""What the browser is pointed at: the built console, a sample of a server's, and a site of somebody else."""
import http.server
import os
import socketserver
import subprocess
import threading


class Console:
    """`aasa console`, until it is left."""

    def __init__(self, programs, folder, names):
        self.process = subprocess.Popen([os.path.join(programs, "aasa"), "console", *names], cwd=folder,
                                        stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        if not self.url:
            raise SystemExit("test-console: aasa console does not start")
        self.origin = "/".join(self.url.split("/")[:3])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        status = self.process.wait()
        if status != 0:
            raise AssertionError(f"aasa console ended with {status}")


class SampleServer:
    """Passes whole requests to `console-sample`, which has no sockets, and its answers back."""

    def __init__(self, programs):
        self.process = subprocess.Popen([os.path.join(programs, "console-sample")], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)
        lock = threading.Lock()
        process = self.process

        class Handler(socketserver.StreamRequestHandler):
            def handle(self):
                head = b""
                while not head.endswith(b"\r\n\r\n"):
                    line = self.rfile.readline(65536)
                    if not line:
                        return
                    head += line
                fields = dict(line.lower().split(b":", 1) for line in head.split(b"\r\n")[1:] if b":" in line)
                size = int(fields.get(b"content-length", b"0"))
                request = head + (self.rfile.read(size) if size <= 262144 else b"")
                with lock:
                    process.stdin.write(b"%08x" % len(request) + request)
                    process.stdin.flush()
                    count = int(process.stdout.read(8), 16)
                    answer = process.stdout.read(count)
                self.wfile.write(answer)

        self.server = threaded(Handler)
        self.origin = f"http://127.0.0.1:{self.server.server_address[1]}"
        self.url = f"{self.origin}/console/"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.process.stdin.close()
        self.process.wait()


class ForeignSite:
    """A page on another port that tries what a page of another site can."""

    def __init__(self, console, sample):
        page = f"""<!DOCTYPE html><title>foreign</title><body>
            <iframe id="frame" src="{console.url}"></iframe>
            <form id="form" method="post" enctype="text/plain" action="{console.url}../api/v1/validate" target="inner">
            <input name='{{"text":"' value='"}}'></form><iframe name="inner" id="inner"></iframe>
            <a id="link" href="{sample.url}">link</a></body>""".encode()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(page)))
                self.end_headers()
                self.wfile.write(page)

            def log_message(self, *_):
                pass

        self.server = threaded(Handler)
        self.url = f"http://localhost:{self.server.server_address[1]}/"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()


def threaded(handler):
    class Server(socketserver.ThreadingMixIn, socketserver.TCPServer):
        daemon_threads = True
        allow_reuse_address = True

        def handle_error(self, *_):
            pass  # A browser may go away.

    server = Server(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server

"""A site with pages, served by `aasa serve` with a certificate of its own."""
import base64
import hashlib
import json
import os
import re
import struct
import subprocess
import threading
import zlib

HOST = "go.example.com"
ASSOCIATION = {"applinks": {"details": [{"appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [{"/": "/*"}]}]}}
TITLES = {"en": "Summer sale: up to 50 % off", "de": "Sommerschlussverkauf: bis zu 50 % Rabatt",
          "ar": "تخفيضات الصيف: خصم حتى 50٪", "ja": "サマーセール 最大50%オフ"}
DESCRIPTIONS = {
    "en": "Hundreds of things for warm days, from hammocks to picnic baskets. Until 31 August.",
    "de": "Hunderte Dinge für warme Tage, von der Hängematte bis zum Picknickkorb. Bis 31. August.",
    "ar": "مئات المنتجات للأيام الدافئة، من الأراجيح إلى سلال النزهات. حتى 31 أغسطس.",
    "ja": "ハンモックからピクニックバスケットまで、夏を楽しむアイテムを多数ご用意。8月31日まで。"}
LINKS = {
    "app": {"name": "Shop", "icon": "icon.png", "appStore": {"id": "1234567890", "country": "de"},
            "play": {"package": "com.shop.app"}, "stores": [{"name": "AppGallery", "url": "https://store.example/shop"}],
            "openHost": "open.example.com", "scheme": "shop"},
    "links": {
        "/summer": {"title": TITLES, "description": DESCRIPTIONS, "image": "icon.png", "to": "https://www.example.com/sale"},
        "/long": {"title": "W" * 200, "description": "m" * 500, "to": "https://www.example.com/sale"}},
    "pages": [{"route": "/products/{id}", "title": "Product {id}", "description": "By {id}", "to": "https://www.example.com/p/{id}"},
              {"route": "/untitled/{id:*}"}],
}


class LinkServer:
    """`aasa serve`, until it is left."""

    def __init__(self, programs, folder):
        self.host = HOST
        site, certificates = (os.path.join(folder, name, HOST) for name in ("sites", "certs"))
        os.makedirs(site)
        os.makedirs(certificates)
        write(os.path.join(site, "apple-app-site-association"), json.dumps(ASSOCIATION).encode())
        write(os.path.join(site, "links.json"), json.dumps(LINKS).encode())
        write(os.path.join(site, "icon.png"), icon())
        chain = os.path.join(certificates, "fullchain.pem")
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30",
             "-subj", f"/CN={HOST}", "-addext", f"subjectAltName=DNS:{HOST}", "-out", chain,
             "-keyout", os.path.join(certificates, "privkey.pem")], check=True, stderr=subprocess.DEVNULL)
        public = subprocess.run(["openssl", "x509", "-in", chain, "-noout", "-pubkey"], check=True, capture_output=True).stdout
        encoded = subprocess.run(["openssl", "pkey", "-pubin", "-outform", "DER"], input=public, check=True, capture_output=True).stdout
        self.key = base64.b64encode(hashlib.sha256(encoded).digest()).decode()
        self.process = subprocess.Popen(
            [os.path.join(programs, "aasa"), "serve", "--sites", os.path.dirname(site), "--certs", os.path.dirname(certificates),
             "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        log = ""
        while not (ready := re.search(r" ready: .*https://127\.0\.0\.1:(\d+)", log)):
            line = self.process.stdout.readline()
            if not line:
                raise SystemExit(f"test-links: aasa serve does not start: {log}")
            log += line
        self.port = int(ready[1])
        # What it logs is read, so that it never waits.
        threading.Thread(target=self.process.stdout.read, daemon=True).start()

    def url(self, target):
        return f"https://{HOST}{target}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        status = self.process.wait()
        if status != 0:
            raise AssertionError(f"aasa serve ended with {status}")


def write(path, content):
    with open(path, "wb") as file:
        file.write(content)


def icon(size=96):
    """A PNG of a bag on a ground that changes its colour."""
    rows = b""
    for y in range(size):
        rows += b"\0"
        for x in range(size):
            part = (x + y) / (2 * size)
            color = (int(255 - 80 * part), int(120 - 50 * part), int(90 + 100 * part))
            across, down = abs(x - size / 2) / size, y / size - 0.55
            ring = (across ** 2 + (y / size - 0.36) ** 2) ** 0.5
            if across < 0.24 and abs(down) < 0.2 or 0.11 < ring < 0.16 and down < -0.15:
                color = (255, 255, 255)
            rows += bytes(color)

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")

"""What has to hold of each page of a link."""
import base64
import os
import subprocess
import urllib.parse

from checking import QUESTIONS, named
from linkserver import DESCRIPTIONS, TITLES

IPHONE = ("Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 "
          "Mobile/15E148 Safari/604.1")
ANDROID = "Mozilla/5.0 (Linux; Android 16; Pixel 10) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile Safari/537.36"
DESKTOP = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36"
HOSTILE = "</h1></title></style><script>pwned()</script><img src=x onerror=pwned()>\"'`&amp;${7*7}\u202e\u2066javascript:pwned()"


class Pages:
    """A page of the browser, and what was seen of it."""

    def __init__(self, browser, server, shots):
        self.server, self.shots = server, shots
        self.page = browser.page()
        self.page.call("Page.addScriptToEvaluateOnNewDocument", source="window.pwned = () => { window.isPwned = true; };")

    def go(self, target, width=360, language="en", agent=IPHONE, dark=False, forced=False):
        page = self.page
        page.call("Network.setUserAgentOverride", userAgent=agent, acceptLanguage=language)
        page.size(width, height=740, dark=dark, forced=forced)
        page.messages.clear()
        page.requests.clear()
        page.statuses.clear()
        page.go(self.server.url(target))
        # Through the debugger, which is not bound to the page's policy.
        page.evaluate(QUESTIONS)
        return page

    def shoot(self, name, width, dark=False):
        """A picture of the whole page, in a window of its height: one beyond its window is off where text runs from the right."""
        self.page.size(width, height=max(740, self.page.evaluate("document.documentElement.scrollHeight")), dark=dark)
        data = self.page.call("Page.captureScreenshot", format="png")["data"]
        path = os.path.join(self.shots, name + ".png")
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
        return path


def decoded(path):
    """The texts of the QR codes in a picture."""
    found = subprocess.run(["zbarimg", "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", path], capture_output=True, text=True)
    return found.stdout.splitlines()


def all_checks(browser, server, shots):
    pages = Pages(browser, server, shots)
    targets = ["/summer?x=1&y=2", "/long", "/products/42", "/untitled/a/b", "/nothing/here"]

    def heading():
        return pages.page.evaluate("document.querySelector('h1').textContent")

    @named("no message, no request but the page, no script, and its style is allowed, over HTTP/2")
    def quiet():
        for target in targets:
            for agent in (IPHONE, ANDROID, DESKTOP):
                page = pages.go(target, agent=agent)
                status = 404 if target.startswith("/nothing") else 200
                # The browser notes that a page is not there.
                messages = [one for one in page.messages if status != 404 or "404" not in one]
                assert not messages, f"{target}: {messages}"
                requests = [one for one in page.requests if not one.startswith("data:")]
                assert requests == [server.url(target)], f"{target}: {requests}"
                assert [one for _, one in page.statuses] == [status], f"{target}: {page.statuses}"
                found = page.evaluate("""({
                    protocol: performance.getEntriesByType("navigation")[0].nextHopProtocol, scripts: document.scripts.length,
                    styles: document.querySelectorAll("style").length, inline: document.querySelectorAll("[style]").length,
                    main: document.querySelectorAll("main").length, h1: document.querySelectorAll("h1").length,
                    display: getComputedStyle(document.querySelector("main")).display, cookie: document.cookie,
                    strange: document.querySelectorAll("iframe, object, embed, form, base").length })""")
                assert found == {"protocol": "h2", "scripts": 0, "styles": 1, "inline": 0, "main": 1, "h1": 1, "display": "grid",
                                 "cookie": "", "strange": 0}, f"{target}: {found}"

    @named("in three languages, widths and colours: text, direction, contrast, nothing to scroll sideways; screenshots")
    def looks():
        for language in ("en", "ar", "ja"):
            for width in (360, 768, 1440):
                for dark in (False, True):
                    agent = IPHONE if width == 360 else DESKTOP
                    page = pages.go("/summer", width=width, language=language, agent=agent, dark=dark)
                    name = f"{language}-{width}-{'dark' if dark else 'light'}"
                    html = page.evaluate("[document.documentElement.lang, getComputedStyle(document.body).direction]")
                    assert html == [language, "rtl" if language == "ar" else "ltr"], f"{name}: {html}"
                    assert heading() == TITLES[language], f"{name}: {heading()}"
                    assert DESCRIPTIONS[language] in page.evaluate("document.body.innerText"), name
                    for faults in (page.evaluate("checks.contrast()"), page.evaluate("checks.overflow()")):
                        assert not faults, f"{name}: {faults}"
                    pages.shoot(name, width, dark)
        for target, name in (("/nothing", "not-found"), ("/long", "long"), ("/untitled/1", "untitled")):
            for width in (320, 1440):
                pages.go(target, width=width, agent=IPHONE if width == 320 else DESKTOP, dark=width == 320)
                pages.shoot(f"{name}-{width}", width, dark=width == 320)

    @named("contrast of every page in both colour schemes, and in the colours of the system")
    def contrast():
        for target in targets:
            for dark, forced in ((False, False), (True, False), (False, True), (True, True)):
                page = pages.go(target, width=768, agent=ANDROID, dark=dark, forced=forced)
                page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
                faults = page.evaluate("checks.contrast()")
                assert not faults, f"{target}, {'dark' if dark else 'light'}{', forced' if forced else ''}: {faults}"

    @named("nothing has to be scrolled sideways from 320 px on, with words of 200 characters and at twice the size of text")
    def width():
        for target in targets:
            for language in ("en", "ar", "de"):
                for pixels in (320, 360, 699, 700, 768, 1920):
                    page = pages.go(target, width=pixels, language=language)
                    faults = page.evaluate("checks.overflow()")
                    assert not faults, f"{target} in {language} at {pixels} px: {faults}"
            page = pages.go(target, width=640)
            page.evaluate("document.documentElement.style.fontSize = '200%'")
            faults = page.evaluate("checks.overflow()")
            assert not faults, f"{target} with large text: {faults}"

    @named("what one taps is 44 px high at least")
    def targets_of_touch():
        for target in targets:
            for pixels in (320, 1440):
                page = pages.go(target, width=pixels, agent=ANDROID)
                low = page.evaluate("""[...document.querySelectorAll("main a, summary")].map((one) => [one.id || one.className ||
                    one.tagName, one.getBoundingClientRect().height]).filter(([, height]) => height < 44)""")
                assert not low, f"{target} at {pixels} px: {low}"
                assert page.evaluate("document.querySelectorAll('main a').length") >= 3, target

    @named("a camera reads the QR code in both colour schemes; on a narrow page it is hidden")
    def code():
        for target in ("/summer?x=1&y=2", "/products/" + "7" * 60):
            for dark in (False, True):
                page = pages.go(target, width=1440, agent=DESKTOP, dark=dark)
                label = page.evaluate("document.getElementById('qr').getAttribute('aria-label')")
                assert label and page.evaluate("document.getElementById('qr').getAttribute('role')") == "img", target
                found = decoded(pages.shoot(f"code-{'dark' if dark else 'light'}", 1440, dark))
                assert found == [server.url(target)], f"{target}: {found}"
        for pixels, isShown in ((699, False), (700, True)):
            page = pages.go("/summer", width=pixels)
            assert page.evaluate("document.getElementById('qr').checkVisibility()") == isShown, pixels
        assert pages.go("/untitled/" + "a" * 1000, width=1440).evaluate("document.getElementById('qr')") is None

    @named("the user agent chooses what opens the app, and the order of the stores")
    def agents():
        own = server.url("/summer?x=1")
        for agent, order, address in (
                (IPHONE, ["open", "app-store", "google-play", "store", "website"], "https://open.example.com/summer?x=1"),
                (ANDROID, ["open", "google-play", "app-store", "store", "website"], "intent://go.example.com/summer?x=1#Intent;"),
                (DESKTOP, ["app-store", "google-play", "store", "website"], None)):
            page = pages.go("/summer?x=1", agent=agent)
            links = page.evaluate("[...document.querySelectorAll('main a')].map((one) => one.id || one.className)")
            assert links == order, f"{agent}: {links}"
            found = page.evaluate("document.getElementById('open')?.href ?? null")
            assert found == address or address and found and found.startswith(address), f"{agent}: {found}"
            store = urllib.parse.urlsplit(page.evaluate("document.getElementById('google-play').href"))
            referrer = urllib.parse.parse_qs(urllib.parse.parse_qs(store.query)["referrer"][0])
            assert referrer == {"link": [own]}, referrer
            banner = page.evaluate("document.querySelector('meta[name=apple-itunes-app]').content")
            assert banner == f"app-id=1234567890, app-argument={own}", banner

    @named("the keyboard reaches every link in the order of the document, and one sees where it is")
    def keyboard():
        for target, dark in (("/summer", False), ("/summer", True), ("/nothing", False)):
            page = pages.go(target, width=1440, agent=ANDROID, dark=dark)
            expected = page.evaluate("checks.focusable()")
            assert expected, target
            for number in range(len(expected)):
                page.key("Tab")
                focused = page.evaluate("checks.focused()")
                assert focused and focused["order"] == number, f"{target}: {expected[number]} expected, not {focused}"
                assert focused["style"] != "none" and focused["width"] >= 2 and focused["ratio"] >= 3, f"{target}: {focused}"

    @named("the way out of an in-app browser is folded, and unfolds by the keyboard")
    def folded():
        page = pages.go("/summer", agent=IPHONE)
        assert not page.evaluate("document.querySelector('details p').checkVisibility()")
        page.evaluate("document.querySelector('summary').focus()")
        page.key("Enter", text="\r")
        page.until("document.querySelector('details p').checkVisibility()", "the sentence is not shown")
        assert not page.evaluate("checks.overflow()")

    @named("every link, picture and heading has a name for those who do not see it")
    def names():
        for target in targets:
            for width in (360, 1440):
                page = pages.go(target, width=width)
                for node in page.call("Accessibility.getFullAXTree")["nodes"]:
                    role = node.get("role", {}).get("value")
                    if role in ("link", "img", "image", "heading", "region", "DisclosureTriangle") and not node.get("ignored"):
                        assert node.get("name", {}).get("value", "").strip(), f"{target}: a {role} has no name"

    @named("what is in a URL is text, whatever it says")
    def hostile():
        for language in ("en", "ar"):
            page = pages.go("/products/" + urllib.parse.quote(HOSTILE, safe=""), language=language)
            assert page.evaluate("window.isPwned") is None and not page.messages, page.messages
            # Cut at 100 characters; those that turn text around are not there.
            expected = "Product " + HOSTILE.replace("\u202e", "\ufffd").replace("\u2066", "\ufffd")[:100]
            assert heading() == expected, heading()
            assert page.evaluate("document.title") == expected, page.evaluate("document.title")
            assert page.evaluate("document.querySelectorAll('main script, main style, h1 bdi bdi').length") == 1
            assert [one for one in page.requests if not one.startswith("data:")] == [server.url("/products/" + urllib.parse.quote(HOSTILE, safe=""))]

    @named("the 404 page has nothing of the request in it, and is not to be found by search engines")
    def missing():
        page = pages.go("/secret-path?secret", agent=IPHONE, language="de")
        assert "secret" not in page.evaluate("document.documentElement.outerHTML")
        assert page.evaluate("document.querySelector('meta[name=robots]').content") == "noindex"
        assert page.evaluate("document.getElementById('open') ?? document.getElementById('qr')") is None
        assert heading() == "Seite nicht gefunden", heading()

    return [quiet, looks, contrast, width, targets_of_touch, code, agents, keyboard, folded, names, hostile, missing]

"""What has to hold of each page of the console."""
import json
import os

RULES = open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "page.js")).read()
SHOP = """{
  "applinks": {
    "details": [
      {
        "appIDs": ["7K3QWZ9PLM.com.shop.app"],
        "components": [
          { "/": "/help/*", "exclude": true, "comment": "help stays on the web" },
          { "/": "/buy/*" },
          { "/": "/buy/gift-cards", "exclude": true }
        ]
      }
    ]
  }
}
"""
FINGERPRINT = "5A:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:B2:3F:CF:44:E5"
STATEMENT = """[
  {
    "relation": ["delegate_permission/common.handle_all_urls"],
    "target": {
      "namespace": "android_app",
      "package_name": "com.shop.app",
      "sha256_cert_fingerprints": ["%s"]
    }RULES
  }
]
""" % FINGERPRINT
LINKS = STATEMENT.replace("RULES", """,
    "relation_extensions": {
      "delegate_permission/common.handle_all_urls": {
        "dynamic_app_link_components": [
          { "/": "/help/*", "exclude": true },
          { "/": "/buy/*" }
        ]
      }
    }""")
MANIFEST = """<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="com.shop.app">
  <application>
    <activity android:name=".Main" android:exported="true">
      <intent-filter android:autoVerify="true">
        <action android:name="android.intent.action.VIEW" />
        <category android:name="android.intent.category.BROWSABLE" />
        <data android:scheme="https" android:host="https://shop.example" />
      </intent-filter>
    </activity>
  </application>
</manifest>
"""
HOSTILE = "</textarea></title><script>pwned()</script><img src=x onerror=pwned()>\"'`{{7*7}}${7*7}\u202e\u2066javascript:pwned()"


def write_files(folder):
    """Writes the files that are shown, and returns their names."""
    def write(name, content):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(content)
        return name

    hostile = HOSTILE.replace("\\", "\\\\").replace('"', '\\"')
    text = ('{"applinks": {"details": [{"appIDs": ["%s", "7K3QWZ9PLM.com.shop.app"], "%s": 1,\n"components": [{"/": "%s", "comment": "%s"},'
            '{"/": "/a/*", "?": {"%s": "%s"}}]}]}}\n\0\x07' % ((hostile,) * 6)).encode()
    long = ('{"applinks": {"details": [{"appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [{"/": "/' + "a" * 100000
            + '"}]}]}}').encode()
    return [write("apple-app-site-association", SHOP.encode()), write("hostile.json", text), write("long.json", long),
            write("utf16.json", SHOP.encode("utf-16")), write("lines.json", ("\n" * 3000 + SHOP).encode()),
            write("<b onclick=pwned()>'\"&.json", SHOP.encode()), write("assetlinks.json", LINKS.encode()),
            write("AndroidManifest.xml", MANIFEST.encode())]


class Pages:
    """A page of the browser, and what was seen of it."""

    def __init__(self, browser):
        self.page = browser.page()
        self.page.call("Page.addScriptToEvaluateOnNewDocument", source="window.pwned = () => { window.isPwned = true; };")

    def go(self, url, width=1280, dark=False, forced=False):
        self.page.size(width, dark=dark, forced=forced)
        self.page.messages.clear()
        self.page.requests.clear()
        self.page.go(url)
        # Through the debugger, which is not bound to the page's policy.
        self.page.evaluate(RULES)
        return self.page

    def ready(self, url):
        """Waits until a page with a script has shown its answers."""
        if "playground" in url:
            self.page.until("document.getElementById('summary').textContent !== '' && document.querySelectorAll('#source li').length > 0",
                            "the playground has no answer")
            self.page.until("!document.getElementById('problem').hidden || document.getElementById('urls').value.trim() === ''"
                            " || document.querySelectorAll('#decisions tbody tr').length > 0", "no link is decided")


def named(title):
    def mark(function):
        function.title = title
        return function
    return mark


def all_checks(browser, console, sample, foreign, folder, shots):
    pages = Pages(browser)
    ours = [console.url, console.url + "files/1", console.url + "files/1?url=https://shop.example/Buy/7",
            console.url + "files/2?url=https://shop.example/%3Cb%3E", console.url + "files/3", console.url + "files/4",
            console.url + "files/5", console.url + "files/6", console.url + "files/7?url=https://shop.example/buy/7",
            console.url + "files/8", console.url + "files/99", console.url + "playground",
            console.url + "playground?file=2", console.url + "playground?file=4", console.url + "playground?file=7"]
    theirs = [sample.url, sample.url + "?q=0999&sort=findings&order=desc", sample.origin + "/", sample.url + "sites/site-00001.example",
              sample.url + "sites/site-00061.example?url=https://site-00061.example/Buy/7", sample.url + "sites/site-00003.example",
              sample.url + "sites/_wildcard.wild.example", sample.url + "sites/nobody.example", sample.url + "certificates",
              sample.url + "doctor", sample.url + "metrics", sample.url + "playground?site=site-00001.example"]
    every = ours + theirs

    def short(url):
        return url.replace(console.url, "").replace(sample.url, "server:").replace(sample.origin, "server:")

    def origin(url):
        return console.origin if url.startswith(console.origin) else sample.origin

    @named("no message in the console, no request elsewhere, and the frame of a page")
    def quiet():
        for url in every:
            page = pages.go(url)
            pages.ready(url)
            # A page that is not there is one all the same; the browser notes its status.
            messages = [one for one in page.messages if not ("404" in one and ("/99" in one or "nobody" in one))]
            assert not messages, f"{short(url)}: {messages}"
            elsewhere = [one for one in page.requests if not one.startswith(origin(url) + "/") and one != "data:,"]
            assert not elsewhere, f"{short(url)}: {elsewhere}"
            found = page.evaluate("checks.structure()")
            assert found["main"] == 1 and found["h1"] == 1 and found["lang"] == "en", f"{short(url)}: {found}"
            assert found["title"].endswith(" – aasa console") and found["strange"] == 0, f"{short(url)}: {found}"
            assert found["first"] == "a.skip" and found["scripts"] == (1 if "playground" in url or "doctor" in url else 0), f"{short(url)}: {found}"
            assert page.evaluate("window.isPwned") is None, short(url)

    @named("contrast in both colour schemes, and in the colours of the system")
    def contrast():
        for url in every:
            for dark, forced in ((False, False), (True, False), (False, True), (True, True)):
                page = pages.go(url, dark=dark, forced=forced)
                pages.ready(url)
                faults = page.evaluate("checks.contrast()")
                assert not faults, f"{short(url)}, {'dark' if dark else 'light'}{', forced' if forced else ''}: {faults[:6]}"

    @named("nothing has to be scrolled sideways from 320 to 1920 px, nor at 200 %")
    def width():
        for url in every:
            for pixels in (320, 360, 640, 1280, 1920):
                page = pages.go(url, width=pixels)
                pages.ready(url)
                faults = page.evaluate("checks.overflow()")
                assert not faults, f"{short(url)} at {pixels} px: {faults}"

    @named("the keyboard reaches everything in the order of the document, and one sees where it is")
    def keyboard():
        for url in (ours[0], ours[2], console.url + "playground", sample.url, sample.url + "sites/site-00001.example",
                    sample.url + "certificates", sample.url + "doctor", sample.url + "metrics"):
            page = pages.go(url)
            pages.ready(url)
            if "playground" in url:
                page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
            expected = page.evaluate("checks.focusable()")
            page.evaluate("document.activeElement.blur()")
            seen = []
            assert expected, short(url)
            for number in range(len(expected)):
                page.key("Tab")
                focused = page.evaluate("checks.focused()")
                assert focused and focused["order"] == number, f"{short(url)}: {expected[number]} expected after {seen[-3:]}, not {focused}"
                assert focused["style"] != "none" and focused["width"] >= 2 and focused["ratio"] >= 3, f"{short(url)}: {focused}"
                assert focused["bottom"] > 0 and focused["top"] < 900, f"{short(url)}: {focused}"
                seen.append(focused["name"])

    @named("the skip link leads past the navigation")
    def skip():
        page = pages.go(console.url)
        page.key("Tab")
        page.key("Enter", text="\r")
        page.until("document.activeElement.id === 'main'", "the main part has no focus")

    @named("every control has a name for those who do not see it")
    def names():
        roles = {"button", "link", "textbox", "searchbox", "combobox", "checkbox", "img", "table", "image", "navigation", "region", "graphics-document"}
        for url in every:
            page = pages.go(url)
            pages.ready(url)
            for node in page.call("Accessibility.getFullAXTree")["nodes"]:
                role = node.get("role", {}).get("value")
                if role in roles and not node.get("ignored"):
                    assert node.get("name", {}).get("value", "").strip(), f"{short(url)}: a {role} has no name"

    @named("with JavaScript off pages are whole, and the others name the command")
    def scriptless():
        page = pages.page
        page.call("Emulation.setScriptExecutionDisabled", value=True)
        try:
            for url, text in ((console.url, "apple-app-site-association"), (ours[2], "uppercase and lowercase"), (sample.url, "1–50 of 10,001"),
                              (sample.url + "metrics", "handshakes"), (console.url + "playground", "aasa validate FILE"),
                              (sample.url + "doctor", "aasa doctor DOMAIN")):
                page.size(1280)
                page.go(url)
                content = page.evaluate("document.body.innerText")
                assert text in content, f"{short(url)}: {text}"
        finally:
            page.call("Emulation.setScriptExecutionDisabled", value=False)

    @named("a link is decided without a script: by the keyboard, in the form")
    def form():
        page = pages.go(console.url + "files/1")
        page.evaluate("document.getElementById('url').focus()")
        page.type("https://shop.example/buy/7")
        loads = page.loads
        page.key("Enter", text="\r")
        while page.loads == loads:
            browser.wait()
        assert page.evaluate("document.getElementById('decision').dataset.outcome") == "open"
        assert page.evaluate("document.querySelector('#source [aria-current]').id") == "L8"
        assert page.evaluate("document.getElementById('url').value") == "https://shop.example/buy/7"

    @named("the playground: findings, fixes, decisions, expectations, changes")
    def playground():
        page = pages.go(console.url + "playground")
        pages.ready(page.evaluate("location.href"))
        codes = "[...document.querySelectorAll('#findings li')].map((one) => one.dataset.code).join(' ')"
        assert page.evaluate(codes) == "dead-exclude missing-leading-slash", page.evaluate(codes)
        rows = "[...document.querySelectorAll('#decisions tbody tr')].map((one) => one.dataset.outcome + ':' + (one.dataset.expected ?? '')).join(' ')"
        page.until(rows + " === 'open:held excluded:held open:failed noMatch:'", "the example is decided otherwise")
        assert page.evaluate("document.querySelector('#decisions [data-change]').dataset.change") == "letter-case"
        # The fix of one finding.
        page.evaluate("document.querySelector('button[data-fix=\"dead-exclude\"]').click()")
        page.until(rows + " === 'open:held excluded:held excluded:held noMatch:'", "the fix has no effect")
        page.until(codes + " === 'missing-leading-slash'", "the finding is still there")
        page.evaluate("document.getElementById('fix-all').click()")
        page.until("document.querySelectorAll('#findings li').length === 0", "the fixes have no effect")
        # The text is edited as a person would, so it can be undone.
        page.evaluate("document.getElementById('text').focus(); document.execCommand('undo')")
        page.until(codes + " === 'missing-leading-slash'", "the fixes cannot be undone")
        page.evaluate("(() => { const text = document.getElementById('text'); text.value = '{\"applinks\": {,}}'; text.dispatchEvent(new Event('input')); })()")
        page.until("document.querySelector('#summary').textContent.includes('error')", "an error is not announced")
        page.until("!document.getElementById('problem').hidden", "links are decided by a broken file")
        assert not page.messages, page.messages
        # Changes. That a script has changed the text is no reason for the browser to ask.
        page.go(console.url + "playground?file=1")
        page.messages.clear()
        page.evaluate("(() => { const other = document.getElementById('other'); document.getElementById('other-part').open = true;"
                      "other.value = document.getElementById('text').value.replace('/buy/*', '/shop/*'); other.dispatchEvent(new Event('input')); })()")
        page.until("[...document.querySelectorAll('#changes li')].map((one) => one.dataset.kind).join() === 'opens,opens,no longer opens'", "no changes")
        assert not page.messages, page.messages
        # What has not changed does not ask. Without a key there would be no question in any case.
        page.key("Tab")
        page.go(console.url)
        assert page.dialogs == [], page.dialogs

    # What is typed into fields of the playground, one after the other, at once.
    def typed(page, **fields):
        page.evaluate("(() => { for (const [id, value] of Object.entries(%s)) { const field = document.getElementById(id);"
                      " field.value = value; field.dispatchEvent(new Event('input')); } })()" % json.dumps(fields))

    rows = "[...document.querySelectorAll('#decisions tbody tr')].map((one) => one.dataset.outcome + ':' + (one.dataset.expected ?? '')).join(' ')"

    # The browser notes statuses of files that cannot be used, and pages that were left with changes that no key has made.
    def expected_only(page):
        messages = [one for one in page.messages if "422" not in one and "beforeunload" not in one]
        assert not messages, messages
        page.messages.clear()

    def words(name):
        return f"document.getElementById('{name}').textContent"

    @named("the playground: each field has a timer of its own, and no text keeps the decisions of another")
    def timers():
        page = pages.go(console.url + "playground")
        pages.ready(console.url + "playground")
        urls = "https://shop.example/buy/7 open"
        for fields in ({"urls": urls + "\n"}, {"domain": "shop.example"}, {"assetlinks": LINKS}, {"other": SHOP}):
            typed(page, text=SHOP, urls=urls, domain="", assetlinks="", other="")
            page.until(rows + " === 'open:held'", "the link is not decided")
            typed(page, text="{", **fields)
            page.until("!document.getElementById('problem').hidden", f"{list(fields)} put off the check of the text")
            assert page.evaluate(rows) == "" and "error" in page.evaluate(words("summary"))
        page.until(words("changes-summary") + " === 'No changes are known until the errors are fixed.'", "changes of a broken file")
        # A console that does not answer decides nothing either.
        typed(page, text=SHOP, urls=urls, domain="", assetlinks="", other="")
        page.until(rows + " === 'open:held'", "the link is not decided")
        page.call("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=-1, uploadThroughput=-1)
        try:
            typed(page, text="{")
            page.until(words("summary") + ".includes('does not answer')", "nobody says that the console is gone")
            assert page.evaluate(rows) == "", page.evaluate(rows)
        finally:
            page.call("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1, uploadThroughput=-1)
        page.messages.clear()

    @named("the playground: what a fix has done is said until the next edit, and no fix overwrites what is typed")
    def notes():
        page = pages.go(console.url + "playground")
        pages.ready(console.url + "playground")
        page.evaluate("document.querySelector('button[data-fix=\"dead-exclude\"]').click()")
        said = words("summary") + ".includes('Fixed 1 finding; with the fixes, links such as') && " + words("summary") + ".startsWith('1 warning')"
        page.until("document.querySelectorAll('#findings li').length === 1 && " + said, "the fix says nothing with the findings")
        # By then all checks that the fix has caused are done.
        typed(page, urls="https://shop.example/buy/8 open")
        page.until(rows + " === 'open:held'", "the link is not decided")
        assert page.evaluate(said), page.evaluate(words("summary"))
        typed(page, text=SHOP)
        page.until("!" + words("summary") + ".includes('Fixed')", "the note stays after an edit")
        page.until("document.querySelector('button[data-fix=\"dead-exclude\"]') !== null", "no fix")
        page.evaluate("document.querySelector('button[data-fix=\"dead-exclude\"]').click()")
        typed(page, text="[ typed")
        page.until("document.querySelector('button[data-fix=\"dead-exclude\"]') === null", "the text is not checked")
        assert page.evaluate("document.getElementById('text').value") == "[ typed"
        expected_only(page)

    @named("the playground: an assetlinks.json is titled, decided and downloaded as what it is")
    def android():
        saved = ("(() => { const own = HTMLAnchorElement.prototype.click; let name; HTMLAnchorElement.prototype.click ="
                 " function () { name = this.download; }; document.getElementById('download').click();"
                 " HTMLAnchorElement.prototype.click = own; return name; })()")
        headings = "[...document.querySelectorAll('#decisions th[scope=col]')].filter((one) => !one.hidden).map((one) => one.textContent).join()"
        asked = "\n".join("https://shop.example" + one for one in (
            "/buy/7 open", "/help/x excluded", "/z none", "/buy/8 com.shop.app", "/buy/9 excluded", "/z open"))
        page = pages.go(console.url + "playground?file=7")
        for url in (console.url + "playground?file=7", console.url + "playground"):
            page.go(url)
            pages.ready(url)
            # A text that is pasted in place of the example has no name.
            typed(page, text=LINKS, urls=asked)
            page.until(rows + " === 'open:held excluded:held noMatch:held open:held open:failed noMatch:failed'", "Android decides otherwise")
            assert page.evaluate(headings) == "Link,Android", page.evaluate(headings)
            assert page.evaluate(words("text-label")) == "assetlinks.json"
            assert page.evaluate(words("summary")) == "No findings", page.evaluate(words("summary"))
            assert page.evaluate("document.getElementById('android-part').hidden")
            lines = "[...document.querySelectorAll('#source [aria-current]')].map((one) => one.id).join()"
            assert page.evaluate(lines) == "L12,L13", page.evaluate(lines)
            assert page.evaluate("document.querySelector('#decisions a').hash") == "#L13"
            assert page.evaluate(saved) == "assetlinks.json"
        # Without dynamic rules the manifest decides, so nothing that is expected has failed.
        typed(page, text=STATEMENT.replace("RULES", ""), urls="https://shop.example/buy/7 open\nhttps://shop.example/x none")
        page.until(rows + " === 'unknown: unknown:'", "a link is decided without rules")
        assert "its manifest decides" in page.evaluate(words("decisions")), page.evaluate(words("decisions"))
        # Changes, and a version that cannot be compared.
        typed(page, text=LINKS, other=LINKS.replace("/buy/*", "/shop/*"))
        page.until("document.querySelectorAll('#changes li').length > 0", "no changes")
        typed(page, other="[{")
        page.until(words("changes-summary") + ".startsWith('The older version, line 1, column')", "the older version is not blamed")
        typed(page, text=SHOP)
        page.until(headings + " === 'Link,iOS'", "an association file is decided as another one")
        assert page.evaluate(words("text-label")) == "Association file" and page.evaluate(saved) == "apple-app-site-association"
        assert not page.evaluate("document.getElementById('android-part').hidden")
        expected_only(page)

    @named("the playground: a second file that is broken is blamed by its own name, and hides nothing")
    def second():
        page = pages.go(console.url + "playground")
        pages.ready(console.url + "playground")
        typed(page, urls="https://shop.example/buy/7 open", assetlinks="[\n{")
        page.until("!document.getElementById('problem').hidden", "the assetlinks.json is not blamed")
        assert page.evaluate(rows) == "open:held", page.evaluate(rows)
        assert "assetlinks.json, line 1, column" in page.evaluate(words("problem")), page.evaluate(words("problem"))
        assert page.evaluate("document.getElementById('android-heading').hidden")
        typed(page, assetlinks=LINKS)
        page.until("document.getElementById('problem').hidden && !document.getElementById('android-heading').hidden", "Android decides nothing")
        assert page.evaluate("document.querySelector('#decisions td[data-android]').dataset.android") == "open"
        typed(page, other="{ \"applinks\": ")
        page.until(words("changes-summary") + ".startsWith('The older version, line 1, column')", "the older version is not blamed")
        typed(page, other="{ \"applinks\": {\"details\": []}}")
        page.until("document.querySelectorAll('#changes li').length > 0", "no changes")
        expected_only(page)

    @named("a manifest is shown with its findings, and opens no playground")
    def manifest():
        page = pages.go(console.url + "files/8")
        assert page.evaluate("document.querySelectorAll('#findings [data-code=\"manifest-host-form\"]').length") == 1
        assert page.evaluate("document.querySelector('main a[href*=playground]')") is None
        assert page.evaluate("document.querySelector('#source mark')") is not None

    @named("a file is opened: UTF-16 is shown read-only, NUL, a mark and halves of pairs survive a fix")
    def files():
        page = pages.go(console.url + "playground")
        root = page.call("DOM.getDocument")["root"]["nodeId"]
        node = page.call("DOM.querySelector", nodeId=root, selector="#open")["nodeId"]
        page.call("DOM.setFileInputFiles", nodeId=node, files=[os.path.join(folder, "utf16.json")])
        page.until("document.getElementById('text').readOnly && !document.getElementById('readonly').hidden", "UTF-16 is not read-only")
        page.until("[...document.querySelectorAll('#findings li')].some((one) => one.dataset.code === 'utf-16-text')", "no finding about the encoding")
        assert page.evaluate("document.querySelector('button[data-fix]')") is None
        page.go(console.url + "playground")
        pages.ready(console.url + "playground")
        page.drop("#text", os.path.join(folder, "apple-app-site-association"))
        page.until("document.getElementById('text').value.includes('gift-cards')", "a file that is dropped is not opened")
        page.until("[...document.querySelectorAll('#findings li')].map((one) => one.dataset.code).join() === 'dead-exclude'", "it is not checked")
        page.evaluate(
            "(() => { const text = document.getElementById('text'); text.value = '\\ufeff{\"applinks\": {\"details\": [{\"appIDs\": [\"7K3QWZ9PLM.com.shop.app\"],'"
            " + '\"components\": [{\"/\": \"/a\", \"comment\": \"\\ud800 \\ue000 \\udc00\"},]}]}}\\n\\0'; text.dispatchEvent(new Event('input')); })()")
        page.until("document.querySelector('button[data-fix=\"trailing-comma\"]') !== null", "no fix for the comma")
        page.evaluate("document.querySelector('button[data-fix=\"trailing-comma\"]').click()")
        page.until("!document.getElementById('text').value.includes('},]')", "the comma is still there")
        text = page.evaluate("[...document.getElementById('text').value].map((one) => one.codePointAt(0).toString(16)).join(' ')")
        for point in ("feff", "d800", "e000", "dc00", "0"):
            assert point in text.split(), f"{point} is lost: {text}"
        # A text that was changed is not left without a question.
        page.evaluate("document.getElementById('text').focus()")
        page.key("x", text="x")
        page.until("document.getElementById('text').value.includes('x')", "nothing is typed")
        page.go(console.url)
        assert page.dialogs == ["beforeunload"], page.dialogs
        page.dialogs.clear()

    @named("the doctor shows steps and findings, and hostile ones as text")
    def doctor():
        page = pages.go(sample.url + "doctor")
        page.evaluate("document.getElementById('run').click()")
        page.until("document.querySelectorAll('#findings li').length === 1", "no findings")
        assert page.evaluate("document.querySelectorAll('#steps li').length") == 2
        assert page.evaluate("window.isPwned") is None and not page.messages, page.messages
        page.evaluate("document.getElementById('domain').value = 'elsewhere.example'")
        page.evaluate("document.getElementById('run').click()")
        page.until("document.getElementById('summary').textContent.includes('no site')", "another domain is examined")

    @named("a page of another site gets nothing: no frame, no form, no script; a link works")
    def foreigners():
        page = pages.page
        page.size(1280)
        page.statuses.clear()
        page.go(foreign.url)
        result = page.evaluate(
            "(async () => { const out = []; const url = %r;"
            "for (const options of [{}, {mode: 'no-cors'}, {method: 'POST', body: '{}'}, {method: 'POST', mode: 'no-cors', body: '{}'}])"
            "{ try { const answer = await fetch(url, options); out.push(answer.type + answer.status); } catch { out.push('refused'); } }"
            "return out.join(' '); })()" % (console.url + "../api/v1/validate"))
        assert all(one in ("refused", "opaque0") for one in result.split()), result
        def asked():
            return [status for address, status in page.statuses if address and address.endswith("/api/v1/validate")]
        while len(asked()) < 3:
            browser.wait()
        assert set(asked()) == {403}, asked()
        assert page.evaluate("document.getElementById('frame').contentDocument") is None
        page.evaluate("document.getElementById('form').submit()")
        loads = page.loads
        page.evaluate("document.getElementById('link').click()")
        while page.loads == loads:
            browser.wait()
        page.until("document.title === 'Sites – aasa console'", "the link of another site does not work")
        page.messages.clear()

    @named("screenshots")
    def screenshots():
        views = [("files", console.url), ("file", console.url + "files/1?url=https://shop.example/Buy/7"), ("playground", console.url + "playground"),
                 ("android", console.url + "playground?file=7"), ("manifest", console.url + "files/8"), ("hostile", console.url + "files/2"), ("sites", sample.url), ("site", sample.url + "sites/site-00061.example?url=https://site-00061.example/buy/gift-cards"),
                 ("certificates", sample.url + "certificates"), ("doctor", sample.url + "doctor"), ("metrics", sample.url + "metrics")]
        for pixels in (1280, 360):
            for dark in (False, True):
                for name, url in views:
                    page = pages.go(url, width=pixels, dark=dark)
                    pages.ready(url)
                    if name == "doctor":
                        page.evaluate("document.getElementById('run').click()")
                        page.until("document.querySelectorAll('#findings li').length === 1", "no findings")
                    page.screenshot(os.path.join(shots, f"{name}-{pixels}{'-dark' if dark else ''}.png"))

    return [quiet, contrast, width, keyboard, skip, names, scriptless, form, playground, timers, notes, android, second, manifest,
            files, doctor, foreigners, screenshots]

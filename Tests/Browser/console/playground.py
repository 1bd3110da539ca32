"""The playground."""
import json
import os

from checking import named

from .files import LINKS, SHOP, STATEMENT


def checks(context):
    pages, console, folder = context.pages, context.console, context.folder

    def ready(url):
        context.views.ready(pages.page, url)

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

    @named("the playground: findings, fixes, decisions, expectations, changes")
    def playground():
        page = pages.go(console.url + "playground")
        ready(page.evaluate("location.href"))
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
        ready(console.url + "playground")
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
        ready(console.url + "playground")
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
            ready(url)
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
        ready(console.url + "playground")
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
        ready(console.url + "playground")
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

    @named("the playground: typing moves nothing")
    def shift():
        page = pages.go(console.url + "playground?file=1")
        ready(console.url + "playground")
        page.evaluate("(() => { const text = document.getElementById('text'); const at = text.value.indexOf('stays on');"
                      " text.focus(); text.setSelectionRange(at, at); window.shifts.length = 0; })()")
        for letter in "what is typed in the middle of a comment ":
            page.type(letter)
            page.evaluate("new Promise((done) => setTimeout(done, 30))")
        page.until("document.getElementById('text').value.includes('a comment stays on')", "nothing is typed")
        ready(console.url + "playground")
        page.evaluate("new Promise((done) => setTimeout(done, 500))")
        moved = page.evaluate("window.shifts.reduce((sum, one) => sum + one, 0)")
        print(f"        layout shift of 41 letters: {moved:.4f}")
        assert moved < 0.01, f"{moved}"
        # What does move is noticed.
        page.evaluate("document.querySelector('main').prepend(Object.assign(document.createElement('p'), { textContent: 'here' }))")
        page.until("window.shifts.length > 0", "a shift is not measured")

    return [playground, timers, notes, android, second, files, shift]

"""The playground."""
import json
import os

from checking import named

from .files import LINKS, MANIFEST, SHOP, STATEMENT


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

    # The lines that are pointed out in the text.
    deciding = "[...document.getElementById('text').parentElement.querySelectorAll('.marks [aria-current]')].map((one) => one.dataset.line).join()"
    fresh = "!document.querySelector('#playground [data-stale]')"
    # What is typed, and what is said of it whenever something is said.
    watch = """window.said = []; new MutationObserver(() => {
        const part = document.getElementById('links-part');
        if ('stale' in part.dataset) return;
        window.said.push([document.getElementById('text').value, document.getElementById('urls').value,
          [...document.querySelectorAll('#decisions tbody tr')].map((one) => one.dataset.outcome).join(' ')]);
      }).observe(document.getElementById('links-part'), { attributes: true, attributeFilter: ['data-stale'] })"""

    @named("the playground: findings, fixes, decisions, expectations, changes")
    def playground():
        page = pages.go(console.url + "playground")
        ready(page.evaluate("location.href"))
        codes = "[...document.querySelectorAll('#findings li')].map((one) => one.dataset.code).join(' ')"
        assert page.evaluate(codes) == "dead-exclude missing-leading-slash", page.evaluate(codes)
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
        said = words("fix-note") + ".startsWith('Fixed 1 finding; with the fixes, links such as') && " + words("summary") + ".startsWith('1 warning')"
        page.until("document.querySelectorAll('#findings li').length === 1 && " + said, "the fix says nothing with the findings")
        # By then all checks that the fix has caused are done.
        typed(page, urls="https://shop.example/buy/8 open")
        page.until(rows + " === 'open:held'", "the link is not decided")
        assert page.evaluate(said), page.evaluate(words("fix-note"))
        typed(page, text=SHOP)
        page.until(words("fix-note") + " === ''", "the note stays after an edit")
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
            assert page.evaluate("document.getElementById('assetlinks-part').hidden")
            assert page.evaluate(deciding) == "12,13", page.evaluate(deciding)
            assert page.evaluate("document.querySelector('#decisions td button').dataset.line") == "13"
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
        assert not page.evaluate("document.getElementById('assetlinks-part').hidden")
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

    @named("the playground: of two fields that are edited within 20 ms nothing stale is said, whoever answers late")
    def pair():
        page = pages.go(console.url + "playground")
        ready(page.evaluate("location.href"))
        page.evaluate(watch)
        texts = [SHOP, SHOP.replace("/buy/*", "/shop/*")]
        lists = ["https://shop.example/buy/7", "https://shop.example/buy/7\nhttps://shop.example/shop/7"]
        right = {(0, 0): "open", (0, 1): "open noMatch", (1, 0): "noMatch", (1, 1): "noMatch open"}
        page.call("Network.emulateNetworkConditions", offline=False, latency=60, downloadThroughput=-1, uploadThroughput=-1)
        try:
            for number in range(12):
                text, urls = number % 2, number // 2 % 2
                for first in (True, False):
                    typed(page, **({"text": texts[text]} if first else {"urls": lists[urls]}))
                    assert page.evaluate("'stale' in document.getElementById('links-part').dataset"), "what was decided for another text stays"
                    seen = "[...document.querySelectorAll('.verdict')].filter((one) => getComputedStyle(one).visibility !== 'hidden').length"
                    assert page.evaluate(seen) == 0, "a verdict about another text is seen"
                    page.evaluate(f"new Promise((done) => setTimeout(done, {20 if first else 25 * number}))")
            page.until(fresh, "the last one is not decided")
        finally:
            page.call("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1, uploadThroughput=-1)
        said = page.evaluate("window.said")
        assert said and said[-1][2] == right[1, 1], said[-1:]
        for text, urls, outcomes in said:
            if urls in lists and text in texts:
                assert outcomes == right[texts.index(text), lists.index(urls)], (text, urls, outcomes)

    @named("the playground: a finding leads to its place, labels and proofs are said, and many findings are folded")
    def places():
        page = pages.go(console.url + "playground")
        ready(page.evaluate("location.href"))
        selected = "(() => { const field = document.getElementById('text'); return [document.activeElement === field, field.value.slice(field.selectionStart, field.selectionEnd)]; })()"
        page.evaluate("document.querySelector('#findings li:last-of-type button.go').click()")
        assert page.evaluate(selected) == [True, '"sale/*"'], page.evaluate(selected)
        found = page.evaluate(words("findings"))
        assert "opens these URLs first" in found and "still opens the app" in found, found
        kinds = "[...document.querySelectorAll('#findings [data-fix]')].map((one) => one.dataset.applicability).join()"
        assert page.evaluate(kinds) == "suggested,automatic", page.evaluate(kinds)
        marked = "[...document.querySelectorAll('.marks mark')].map((one) => one.textContent).join('|')"
        assert page.evaluate(marked) == page.evaluate("document.getElementById('text').value.split('\\n')[8].trim().replace(/,$/, '')") + '|"sale/*"', page.evaluate(marked)
        # What is edited in other lines does not move the marks away from their text.
        page.evaluate("(() => { const field = document.getElementById('text'); field.value = '\\n\\n' + field.value; field.dispatchEvent(new Event('input')); })()")
        moved = page.evaluate("[...document.querySelectorAll('.marks mark')].map((one) => one.parentElement.dataset.line).join()")
        assert moved == "11,12", moved
        many = SHOP.replace('{ "/": "/buy/*" },', "\n".join('          { "/": "buy/%d" },' % one for one in range(2000)))
        typed(page, text=many)
        page.until(words("summary") + " === '1001 warnings'", "the findings are not counted")
        page.until(fresh, "no answer")
        assert page.evaluate("document.querySelectorAll('#findings > li').length") <= 110, page.evaluate("document.querySelectorAll('#findings > li').length")
        assert page.evaluate("document.documentElement.scrollHeight") < 4000, page.evaluate("document.documentElement.scrollHeight")
        took = page.evaluate("(() => { const field = document.getElementById('text'); const start = performance.now();"
                             " field.setRangeText('x', 5, 5); field.dispatchEvent(new Event('input')); document.body.offsetHeight; return performance.now() - start; })()")
        print(f"        a letter beside 1,001 findings: {took:.1f} ms")
        page.evaluate("document.querySelector('#findings details summary').click()")
        page.until("document.querySelectorAll('#findings details li').length > 0", "what is folded does not unfold")
        expected_only(page)

    @named("the playground: a list is read as aasa test reads it, and saved with what was seen")
    def lists():
        page = pages.go(console.url + "playground")
        ready(page.evaluate("location.href"))
        typed(page, text=SHOP, urls="# links\nshop.example/buy/7 7K3QWZ9PLM.com.shop.app # the app\n!https://shop.example/help/x\n"
              "https://shop.example/help/y stays in browser\nhttps://shop.example/Buy/8\nnothing")
        page.until(fresh + " && " + rows + " === 'open:held excluded:held excluded:held noMatch:'", "the list is read otherwise")
        assert page.evaluate("document.querySelector('#urls-findings li').dataset.code") == "invalid-case"
        saved = page.evaluate("(() => { const own = URL.createObjectURL; let saved; URL.createObjectURL = (blob) => { saved = blob; return own.call(URL, blob); };"
                              " document.getElementById('download-links').click(); URL.createObjectURL = own; return saved.text(); })()")
        assert saved == ("# links\nhttps://shop.example/buy/7 7K3QWZ9PLM.com.shop.app # the app\n!https://shop.example/help/x\n"
                         "!https://shop.example/help/y\n!https://shop.example/Buy/8\nnothing"), saved
        page.evaluate("document.querySelectorAll('button.why')[3].click()")
        page.until("document.querySelectorAll('.trace li').length === 3", "no rule is shown")
        assert "letter case differs" in page.evaluate("document.querySelector('.trace').textContent")
        expected_only(page)

    @named("the playground: a manifest is decided with the asset links file, and each has its findings beside it")
    def manifests():
        page = pages.go(console.url + "playground")
        ready(page.evaluate("location.href"))
        good = MANIFEST.replace("https://shop.example", "shop.example").replace(
            "        <data", '        <category android:name="android.intent.category.DEFAULT" />\n        <data')
        typed(page, text=SHOP, urls="https://shop.example/buy/7 com.shop.app\nhttps://shop.example/z com.shop.app", assetlinks=STATEMENT.replace("RULES", ""),
              manifest=good)
        android = "[...document.querySelectorAll('td[data-android]')].map((one) => one.dataset.android).join(' ')"
        page.until(fresh + f" && {android} === 'open open'", "the manifest decides nothing")
        typed(page, manifest=MANIFEST)
        page.until(fresh + " && document.querySelector('#manifest-findings [data-code=\"manifest-host-form\"]') !== null", "no finding beside the manifest")
        typed(page, manifest="<manifest>")
        page.until(fresh + " && " + words("problem") + ".startsWith('AndroidManifest.xml')", "the manifest is not blamed by its name")
        assert page.evaluate("document.querySelectorAll('#decisions tbody tr').length") == 2
        # A manifest in place of the file.
        typed(page, text=good, urls="https://shop.example/buy/7 opens\nhttps://other.example/ none", assetlinks="", manifest="")
        page.until(fresh + " && " + rows + " === 'open:held noMatch:held'", "a manifest is decided otherwise")
        assert page.evaluate(words("text-label")) == "AndroidManifest.xml"
        assert page.evaluate("document.getElementById('manifest-part').hidden && document.getElementById('changes-section').hidden")
        expected_only(page)

    @named("the playground: what is taken along: a report, commands, and a link that no server is sent")
    def takeaway():
        page = pages.go(context.sample.url + "playground")
        ready(page.evaluate("location.href"))
        typed(page, text=SHOP + "\ud800`", urls="https://shop.example/it's open", domain="shop.example", api="30")
        page.until(fresh, "no answer")
        typed(page, text=SHOP)
        page.until(fresh + " && document.querySelectorAll('#decisions tbody tr').length === 1", "no answer")
        taken = "document.getElementById('taken').value"

        def take(button):
            page.evaluate(f"document.getElementById('taken').value = ''; document.getElementById('{button}').click()")
            return page.until(taken, f"{button} copies nothing")

        commands = take("copy-commands")
        assert "aasa route --explain --domain shop.example --api 30 apple-app-site-association 'https://shop.example/it'\\''s'" in commands, commands
        report = take("copy-report")
        assert "**error** 9:11" in report and "| Link | iOS |" in report and report.endswith("```\n" + SHOP + "```\n"), report
        assert take("copy-text") == SHOP
        link = take("copy-link")
        assert link.startswith(context.sample.url + "playground#state=") and SHOP[:20] not in link, link
        page.requests.clear()
        page.go("about:blank")
        page.go(link)
        page.until(fresh + " && document.querySelectorAll('#decisions tbody tr').length === 1", "the link restores nothing")
        for id, value in {"text": SHOP, "urls": "https://shop.example/it's open", "domain": "shop.example", "api": "30", "other": ""}.items():
            assert page.evaluate(f"document.getElementById('{id}').value") == value, id
        assert not any("state=" in one and "#" not in one for one in page.requests), page.requests
        # One that is cut off, or inflates to more than a page holds, is no link.
        bomb = page.evaluate("(async () => { const stream = new Blob(['{\"text\":\"' + 'a'.repeat(4000000) + '\"}']).stream().pipeThrough(new CompressionStream('deflate-raw'));"
                             " const bytes = new Uint8Array(await new Response(stream).arrayBuffer());"
                             " return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''); })()")
        for state in (link.split("#state=")[1][:40], bomb, "!"):
            page.go("about:blank")
            page.go(context.sample.url + "playground#state=" + state)
            page.until(fresh + " && document.querySelectorAll('#decisions tbody tr').length > 1", "the example is not there")
            assert page.evaluate("document.getElementById('text').value.length") < 2000
            assert "cannot be read" in page.evaluate(words("fix-note")), page.evaluate(words("fix-note"))
        page.go(console.url + "playground")
        ready(console.url + "playground")
        assert page.evaluate("document.getElementById('copy-link')") is None, "the address of aasa console has a secret"

    return [playground, timers, notes, android, second, files, shift, pair, places, lists, manifests, takeaway]

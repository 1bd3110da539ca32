"""Pages and what they are asked, one by one."""
from checking import named


def checks(context):
    browser, pages, console, sample, foreign = context.browser, context.pages, context.console, context.sample, context.foreign

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

    @named("a manifest is shown with its findings, and opens no playground")
    def manifest():
        page = pages.go(console.url + "files/8")
        assert page.evaluate("document.querySelectorAll('#findings [data-code=\"manifest-host-form\"]').length") == 1
        assert page.evaluate("document.querySelector('main a[href*=playground]')") is None
        assert page.evaluate("document.querySelector('#source mark')") is not None

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
            return [status for number, status in page.statuses if page.addresses.get(number, "").endswith("/api/v1/validate")]
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

    return [form, manifest, doctor, foreigners]

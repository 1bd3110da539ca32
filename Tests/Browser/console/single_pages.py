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

    @named("a manifest is shown with its findings, and opens in the playground")
    def manifest():
        page = pages.go(console.url + "files/8")
        assert page.evaluate("document.querySelectorAll('#findings [data-code=\"manifest-host-form\"]').length") == 1
        assert page.evaluate("document.querySelector('main a[href*=playground]').search") == "?file=8"
        assert page.evaluate("document.querySelector('#source mark')") is not None

    # As a person would: the form loads the page again, which then begins.
    def check_domain(url, domain):
        page = pages.go(url)
        page.evaluate(f"document.getElementById('domain').value = {domain!r}")
        pages.load("document.getElementById('run').click()")
        assert f"domain={domain}" in page.evaluate("location.href")
        return page

    @named("the doctor of a server shows steps and findings, and hostile ones as text; it begins by a click only")
    def doctor():
        page = pages.go(sample.url + "doctor?domain=site-00001.example")
        assert page.evaluate("document.getElementById('domain').value") == "site-00001.example"
        page.evaluate("new Promise((done) => setTimeout(done, 300))")
        assert not [one for one in page.requests if one.endswith("/api/v1/doctor")], page.requests
        page = check_domain(sample.url + "doctor", "site-00001.example")
        page.until("document.querySelectorAll('#findings li').length === 1", "no findings")
        assert page.evaluate("document.querySelectorAll('#steps li').length") == 5
        assert page.evaluate("window.isPwned") is None and not page.messages, page.messages
        page = check_domain(sample.url + "doctor", "elsewhere.example")
        page.until("document.getElementById('summary').textContent.includes('no site')", "another domain is examined")
        page.messages.clear()

    @named("the doctor of aasa console takes any domain or link, and keeps to the address rules of the command")
    def live():
        page = check_domain(console.url + "doctor", "localhost")
        page.until("document.querySelectorAll('#steps li').length > 1", "no steps", seconds=120)
        assert page.evaluate("document.getElementById('summary').dataset.status") == "error"
        text = page.evaluate("document.getElementById('report').innerText")
        assert "private" in text or "loopback" in text, text
        assert not page.messages, page.messages

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
        page.until("document.title === 'Health – aasa console'", "the link of another site does not work")
        page.messages.clear()

    return [form, manifest, doctor, live, foreigners]

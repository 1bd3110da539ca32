"""What has to hold of every page."""
from checking import named


def checks(context):
    pages, views = context.pages, context.views
    every, short = views.all, views.short

    @named("no message in the console, no request elsewhere, and the frame of a page")
    def quiet():
        for url in every:
            page = pages.go(url)
            views.ready(page, url)
            # A page that is not there is one all the same; the browser notes its status.
            messages = [one for one in page.messages if not ("404" in one and views.is_missing(one))]
            assert not messages, f"{short(url)}: {messages}"
            elsewhere = [one for one in page.requests if not one.startswith(views.origin(url) + "/") and one != "data:,"]
            assert not elsewhere, f"{short(url)}: {elsewhere}"
            found = page.evaluate("checks.structure()")
            assert found["main"] == 1 and found["h1"] == 1 and found["lang"] == "en", f"{short(url)}: {found}"
            assert found["title"].endswith(" – aasa console") and found["strange"] == 0, f"{short(url)}: {found}"
            assert found["first"] == "a.skip" and found["scripts"] == views.scripts(url), f"{short(url)}: {found}"
            assert page.evaluate("window.isPwned") is None, short(url)

    @named("contrast in both colour schemes, and in the colours of the system")
    def contrast():
        for url in every:
            for dark, forced in ((False, False), (True, False), (False, True), (True, True)):
                page = pages.go(url, dark=dark, forced=forced)
                views.ready(page, url)
                faults = page.evaluate("checks.contrast()")
                assert not faults, f"{short(url)}, {'dark' if dark else 'light'}{', forced' if forced else ''}: {faults[:6]}"

    @named("nothing has to be scrolled sideways from 320 to 1920 px, nor at 200 %")
    def width():
        for url in every:
            for pixels in (320, 360, 640, 768, 1280, 1920):
                page = pages.go(url, width=pixels)
                views.ready(page, url)
                faults = page.evaluate("checks.overflow()")
                assert not faults, f"{short(url)} at {pixels} px: {faults}"

    @named("the keyboard reaches everything in the order of the document, and one sees where it is")
    def keyboard():
        for name, url in views.named.items():
            if name in ("hostile", "android"):
                continue
            page = pages.go(url)
            views.ready(page, url)
            if "playground" in url:
                page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
            expected = page.evaluate("checks.focusable()")
            # A page can have the focus somewhere else when it begins.
            page.evaluate("document.querySelector('a.skip').focus()")
            assert page.evaluate("checks.focused()")["order"] == 0, expected[:3]
            seen = []
            for number in range(1, len(expected)):
                page.key("Tab")
                focused = page.evaluate("checks.focused()")
                assert focused and focused["order"] == number, f"{short(url)}: {expected[number]} expected after {seen[-3:]}, not {focused}"
                assert focused["style"] != "none" and focused["width"] >= 2 and focused["ratio"] >= 3, f"{short(url)}: {focused}"
                assert focused["bottom"] > 0 and focused["top"] < 900, f"{short(url)}: {focused}"
                seen.append(focused["name"])

    @named("every page that a navigation leads to is among those that are checked")
    def navigation():
        for url in (context.console.url, context.sample.url):
            page = pages.go(url)
            links = page.evaluate("[...document.querySelectorAll('header nav a')].map((one) => one.href)")
            assert len(links) > 2 and all(one in [view.split("?")[0] for view in every] for one in links), links

    @named("the skip link leads past the navigation")
    def skip():
        page = pages.go(context.console.url)
        page.key("Tab")
        page.key("Enter", text="\r")
        page.until("document.activeElement.id === 'main'", "the main part has no focus")

    @named("every control has a name for those who do not see it")
    def names():
        roles = {"button", "link", "textbox", "searchbox", "combobox", "checkbox", "img", "table", "image", "navigation", "region", "graphics-document"}
        for url in every:
            page = pages.go(url)
            views.ready(page, url)
            for node in page.call("Accessibility.getFullAXTree")["nodes"]:
                role = node.get("role", {}).get("value")
                if role in roles and not node.get("ignored"):
                    assert node.get("name", {}).get("value", "").strip(), f"{short(url)}: a {role} has no name"

    @named("with JavaScript off pages are whole, and the others name the command")
    def scriptless():
        page = pages.page
        page.call("Emulation.setScriptExecutionDisabled", value=True)
        try:
            for name, text in (("files", "apple-app-site-association"), ("file", "uppercase and lowercase"), ("health", "refused"),
                               ("sites", "1–50 of 10,001"), ("rejected", "rejected"), ("certificates", "ECDSA"), ("fleet", "edge-2"),
                               ("metrics", "handshakes"), ("rule", "dead-exclude"), ("playground", "aasa validate FILE"),
                               ("doctor", "aasa doctor "), ("live", "aasa doctor ")):
                page.size(1280)
                page.go(views.named[name])
                content = page.evaluate("document.body.innerText")
                assert text in content, f"{name}: {text}"
        finally:
            page.call("Emulation.setScriptExecutionDisabled", value=False)

    return [quiet, contrast, width, keyboard, navigation, skip, names, scriptless]

"""What checks in the browser share: a page with its questions, and how they are run."""
import os
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
QUESTIONS = open(os.path.join(HERE, "page.js")).read()
# Width in px, whether the scheme is dark.
SIZES = [(width, dark) for width in (1280, 768, 360) for dark in (False, True)]


class Context:
    def __init__(self, browser, programs, shots, stack):
        self.browser, self.programs, self.shots, self.stack = browser, programs, shots, stack
        self.pages = Pages(browser)


class Pages:
    """A page of the browser, and what was seen of it."""

    def __init__(self, browser):
        self.page = browser.page()
        self.page.call("Page.addScriptToEvaluateOnNewDocument", source="""
            window.pwned = () => { window.isPwned = true; };
            window.shifts = [];
            new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map((one) => one.value)))
              .observe({ type: "layout-shift", buffered: true });""")

    def go(self, url, width=1280, dark=False, forced=False):
        self.page.size(width, dark=dark, forced=forced)
        self.page.messages.clear()
        self.page.requests.clear()
        self.page.go(url)
        # Through the debugger, which is not bound to the page's policy.
        self.page.evaluate(QUESTIONS)
        return self.page


    def load(self, action):
        """Does what loads another page, and waits until it has."""
        loads = self.page.loads
        self.page.evaluate(action)
        while self.page.loads == loads:
            self.page.browser.wait()
        self.page.evaluate(QUESTIONS)


def named(title):
    def mark(function):
        function.title = title
        return function
    return mark


def shoot(context, name, url, prepare=lambda page: None):
    """Takes screenshots of a page at each size."""
    for width, dark in SIZES:
        page = context.pages.go(url, width=width, dark=dark)
        prepare(page)
        page.screenshot(os.path.join(context.shots, f"{name}-{width}{'-dark' if dark else ''}.png"))


def run(checks):
    """Runs checks, and returns the titles of those that fail."""
    failures = []
    for check in checks:
        try:
            check()
            print(f"passed  {check.title}", flush=True)
        except Exception as error:  # Each check stands for itself.
            failures.append(check.title)
            print(f"FAILED  {check.title}: {error}", flush=True)
            if not isinstance(error, AssertionError):
                traceback.print_exc()
    return failures

"""Sizes, which are bounds, and times, which are printed; and the screenshots."""
import os

from checking import HERE, named, shoot

ASSETS = os.path.join(os.path.dirname(os.path.dirname(HERE)), "Sources/AssociationConsole/Assets")


def checks(context):
    pages, views, console, sample = context.pages, context.views, context.console, context.sample

    def fetched(page, url, options="{}"):
        """The bytes of an answer, and the shortest of five times, in ms."""
        return page.evaluate(
            "(async () => { let [bytes, best] = [0, Infinity]; for (let turn = 0; turn < 5; turn += 1) { const start = performance.now();"
            f" const answer = await fetch({url!r}, {options}); bytes = (await answer.arrayBuffer()).byteLength;"
            " best = Math.min(best, performance.now() - start); if (!answer.ok) throw new Error(`status ${answer.status}`); }"
            " return [bytes, best]; })()")

    @named("the first pages of 10,000 sites have at most 60 kB")
    def first_pages():
        page = pages.go(sample.url)
        for name in ("health", "sites"):
            count, time = fetched(page, views.named[name])
            print(f"        {name}: {count:,} bytes, {time:.1f} ms (goal 20 ms)")
            assert count <= 60_000, f"{name}: {count}"

    @named("all assets together have at most 120,000 bytes, and are served as they are")
    def assets():
        page = pages.go(sample.url)
        total = 0
        for name in sorted(os.listdir(ASSETS)):
            with open(os.path.join(ASSETS, name), "rb") as file:
                expected = len(file.read())
            count, _ = fetched(page, sample.url + "assets/" + name)
            assert count == expected, f"{name}: {count} bytes instead of {expected}"
            total += count
        print(f"        assets: {total:,} bytes")
        assert total <= 120_000, f"{total}"

    @named("a file of 128 kB is judged")
    def large():
        page = pages.go(console.url + "playground")
        page.evaluate("""(() => { const components = Array.from({ length: 1600 }, (_, number) => ({ "/": `/products/${number}/*`, comment: `the product ${number}` }));
            const text = JSON.stringify({ applinks: { details: [{ appIDs: ["7K3QWZ9PLM.com.shop.app"], components }] } }, null, 1);
            window.large = text; })()""")
        count = page.evaluate("window.large.length")
        assert 128_000 <= count <= 131_072, f"{count}"
        _, time = fetched(page, console.url + "../api/v1/validate",
                          "{ method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ text: window.large }) }")
        print(f"        {count:,} bytes: answer after {time:.1f} ms (goal 50 ms)")

    @named("the pictures of docs/images, to be copied from .build/browser")
    def pictures():
        for name, height in (("health", 680), ("playground", 1020)):
            page = pages.go(views.named[name], width=1120)
            views.ready(page, views.named[name])
            page.screenshot(os.path.join(context.shots, f"console-{name}.png"), height)

    def prepare(name, url):
        def act(page):
            views.ready(page, url)
            if name in ("doctor", "live"):
                pages.load("document.getElementById('run').click()")
                page.until("document.querySelectorAll('#steps li').length > 1", "no steps", seconds=120)
        return act

    def screenshots(name, url):
        @named(f"screenshots: {name}")
        def shots():
            shoot(context, name, url, prepare(name, url))
        return shots

    return [first_pages, assets, large, pictures] + [screenshots(name, url) for name, url in views.named.items()]

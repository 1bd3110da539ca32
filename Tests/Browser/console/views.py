"""Every page of the console, at what it can show."""


class Views:
    def __init__(self, context):
        self.console, self.sample = context.console, context.sample
        console, server = context.console.url, context.sample.url
        site = server + "sites/site-00061.example"
        # Those that screenshots are taken of: one of each page.
        self.named = {
            "health": server, "sites": server + "sites", "site": server + "sites/site-00001.example",
            "rejected": site, "site-link": site + "?url=https://site-00061.example/buy/gift-cards",
            "certificates": server + "certificates", "fleet": server + "fleet", "change": server + "fleet/812",
            "doctor": server + "doctor?domain=site-00001.example", "metrics": server + "metrics", "rules": server + "rules",
            "rule": server + "rules/dead-exclude", "not-found": server + "sites/nobody.example",
            "files": console, "file": console + "files/1?url=https://shop.example/Buy/7", "hostile": console + "files/2",
            "manifest": console + "files/8", "playground": console + "playground", "android": console + "playground?file=7",
            "live": console + "doctor?domain=localhost"}
        files = ["files/1", "files/2?url=https://shop.example/%3Cb%3E", "files/3", "files/4", "files/5", "files/6",
                 "files/7?url=https://shop.example/buy/7", "files/99", "rules?q=team", "rules/dead-exclude", "rules/nothing",
                 "playground?file=2", "playground?file=4", "playground?file=8"]
        sites = ["sites?q=0999&sort=findings&order=desc", "sites?problem=refused", "sites/site-00003.example",
                 "sites/_wildcard.wild.example", "fleet/3", "fleet?before=3", "rules?q=team",
                 "playground?site=site-00061.example&file=apple-app-site-association&version=rejected",
                 "playground?site=nobody.example"]
        self.all = list(dict.fromkeys(
            list(self.named.values()) + [console + one for one in files] + [server + one for one in sites]
            + [context.sample.origin + "/"]))

    def short(self, url):
        return url.replace(self.console.url, "").replace(self.sample.url, "server:").replace(self.sample.origin, "server:")

    def origin(self, url):
        return self.console.origin if url.startswith(self.console.origin) else self.sample.origin

    def is_missing(self, url):
        """Whether it is the address of a page that is not there: the browser notes its status."""
        return any(one in url for one in ("/99", "nobody", "rules/nothing"))

    def scripts(self, url):
        """The number of scripts: one for local times on a server, and one of a page that cannot do without."""
        own = ("playground" in url or "doctor" in url) and not self.is_missing(url)
        return int(own) + int(url.startswith(self.sample.origin))

    def ready(self, page, url):
        """Waits until a page with a script has shown its answers."""
        if "playground" in url and not self.is_missing(url):
            page.until("document.getElementById('summary').textContent !== '' && !document.querySelector('#playground [data-stale]')",
                       "the playground has no answer")
            page.until("!document.getElementById('problem').hidden || document.getElementById('urls').value.trim() === ''"
                       " || document.querySelectorAll('#decisions tbody tr').length > 0", "no link is decided")

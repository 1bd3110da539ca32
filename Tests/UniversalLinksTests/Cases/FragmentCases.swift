extension MatchingCase {
    /// Section 3, the fragment.
    static let fragments: [MatchingCase] = [
        .init("a fragment", ##"{"#": "top"}"##, "/x#top", .open),
        .init("another fragment", ##"{"#": "top"}"##, "/x#topper", .noMatch),
        .init("no fragment", ##"{"#": "top"}"##, "/x", .noMatch),
        .init("wildcards", ##"{"#": "sec-??*"}"##, "/x#sec-12", .open),
        .init("wildcards, too short", ##"{"#": "sec-??*"}"##, "/x#sec-1", .noMatch),
        .init("a star takes none", ##"{"#": "*"}"##, "/x", .open),
        .init("one or more demands a fragment", ##"{"#": "?*"}"##, "/x#", .noMatch),
        .init("one or more takes one", ##"{"#": "?*"}"##, "/x#a", .open),
        .init("an empty pattern demands none", ##"{"#": ""}"##, "/x#a", .noMatch),
        .init("an absent pattern takes any", #"{"/": "/x"}"#, "/x#anything", .open),
        .init("all of a single-page route is fragment", ##"{"#": "/route?x=1"}"##, "/#/route?x=1", .open),
        .init("the route of a single-page site is no path", #"{"/": "/#/route"}"#, "/#/route", .noMatch),
        .init("the query of a single-page route is no query", #"{"?": "x=1"}"#, "/#/route?x=1", .noMatch),
        .init("slashes of a fragment are not dropped", ##"{"#": "route"}"##, "/#/route", .noMatch),
        .init("a trailing slash of a fragment counts", ##"{"#": "/route"}"##, "/#/route/", .noMatch),
        .init("a tail in a fragment is not optional", ##"{"#": "/route/*"}"##, "/#/route", .noMatch),
        .init("a tail in a fragment", ##"{"#": "/route/*"}"##, "/#/route/7", .open),
        .init("the number sign is not part of the fragment", ##"{"#": "#top"}"##, "/x#top", .noMatch),
        .init(
            "a fragment excludes", ##"{"#": "web_only", "exclude": true}, {"/": "/soups/*"}"##, "/other#web_only",
            .excluded, by: [0, 0]),
        .init(
            "a fragment that an exclusion does not match", ##"{"#": "web_only", "exclude": true}, {"/": "/soups/*"}"##,
            "/soups/1#web_only2", .open, by: [0, 1]),
        .init("a fragment behind a query", ##"{"?": "a", "#": "b"}"##, "/x?a#b", .open),
    ]
}

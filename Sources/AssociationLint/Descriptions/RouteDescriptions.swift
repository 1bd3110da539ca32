internal import Diagnostics

/// Findings about a list of the routes of an app.
enum RouteDescriptions {
    static let all: [RuleDescription] = [
        RuleDescription(
            "invalid-route", .error, subject: .routeList, summary: "a line of a list of routes is not a route",
            reason: """
                A route is a path pattern, in the language of the association file and with captures like {product}, and \
                behind it columns for the query ('?q={term}'), the fragment ('#{section}') and how both are compared \
                ('caseSensitive:false'). The system knows the variables $(digit), $(alpha) and so on; routes have no others.
                """, basis: [.lint],
            bad: """
                # shop
                /buy/{product}
                /order/⟦$(digits)⟧

                """,
            good: """
                # shop
                /buy/{product}
                /order/$(digit)*

                """),
        RuleDescription(
            "unreachable-route", .warning, subject: .routeList, summary: "an earlier route takes all URLs of this one",
            reason: "The first route that matches a URL gets it, so a route behind one that is wider never runs.",
            basis: [.lint],
            bad: """
                /buy/{product}
                ⟦/buy/new⟧

                """,
            good: """
                /buy/new
                /buy/{product}

                """),
    ]
}

internal import Diagnostics

/// Findings about a list of the routes of an app.
enum RouteDescriptions {
    static let all: [RuleDescription] = [
        RuleDescription(
            "invalid-route", .error, subject: .routeList, summary: "a line in a list of routes is not a route",
            reason: """
                A route is a path pattern, in the syntax of the association file and with captures like {product}, \
                followed by optional columns for the query ('?q={term}'), the fragment ('#{section}') and the comparison \
                ('caseSensitive:false'). Routes can use the system's variables, such as $(digit) and $(alpha), but no others.
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
            "unreachable-route", .warning, subject: .routeList,
            summary: "an earlier route matches all URLs of this one",
            reason: "The first route that matches a URL handles it, so a route after a more general one never runs.",
            basis: [.lint],
            bad: """
                /buy/{product}
                ⟦/buy/new⟧

                """,
            good: """
                /buy/new
                /buy/{product}

                """),
        RuleDescription(
            "unhandled-link", .error, subject: .routedFile,
            summary: "the file opens links in the app that none of its routes handles",
            reason: """
                The system opens the link in the app instead of the browser, but the app cannot handle it: the user sees its \
                first screen, or nothing. Add a route to the app, or an exclusion before the rule to the file. In the examples the app has one route, '/buy/{path:*}'.
                """, basis: [.lint],
            bad: """
                {
                  "applinks": {
                    "details": [
                      {
                        "appIDs": ["7K3QWZ9PLM.com.shop.app"],
                        "components": [{ "/": "/buy/*" }, ⟦{ "/": "/help/*" }⟧]
                      }
                    ]
                  }
                }

                """,
            good: """
                {
                  "applinks": {
                    "details": [
                      {
                        "appIDs": ["7K3QWZ9PLM.com.shop.app"],
                        "components": [{ "/": "/buy/*" }]
                      }
                    ]
                  }
                }

                """),
        RuleDescription(
            "excluded-route", .error, subject: .routeRun,
            summary: "the file excludes the URLs of a route and opens none of them",
            reason: """
                The system leaves these links in the browser, so no link ever reaches the route. In the examples the file \
                excludes '/buy/old/*' and opens '/buy/*'.
                """, basis: [.lint],
            bad: """
                /buy/{product}
                ⟦/buy/old/{product}⟧

                """,
            good: """
                /buy/{product}

                """),
        RuleDescription(
            "unsent-route", .error, subject: .routeRun, summary: "the file opens none of the URLs of a route",
            reason: """
                The system opens only links that the file lists, so no link ever reaches the route. Add a rule to the file, \
                or correct the spelling of the route. In the examples the file excludes '/buy/old/*' and opens '/buy/*'.
                """, basis: [.lint],
            bad: """
                /buy/{product}
                ⟦/help/{topic}⟧

                """,
            good: """
                /buy/{product}

                """),
        RuleDescription(
            "shadowed-route", .error, subject: .routeRun, summary: "earlier routes match all URLs of a route",
            reason: """
                The first route that matches a URL handles it. Specific routes must come before general \
                ones.
                """, basis: [.lint],
            bad: """
                /buy/{path:*}
                ⟦/buy/{product}⟧

                """,
            good: """
                /buy/{product}
                /buy/{path:*}

                """),
        RuleDescription(
            "no-routes", .warning, subject: .routeRun, summary: "the list of routes is empty",
            reason: "The list has no routes, so nothing was compared.",
            basis: [.lint],
            bad: """
                # to be written

                """,
            good: """
                /buy/{product}

                """),
    ]
}

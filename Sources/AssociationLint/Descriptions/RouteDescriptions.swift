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

/// The codes about an app's routes, when they are compared with an association file.
enum CoverageDescriptions {
    static let all: [RuleDescription] = [
        RuleDescription(
            "unhandled-link", .error, subject: .routedFile,
            summary: "the file sends links to the app that none of its routes handles",
            reason: """
                The system opens the app and takes the link from the browser, and the app does not know what to do with it: \
                the user sees its first screen, or nothing. The app needs a route, or the file an exclusion in front of the \
                rule. In the examples the app has one route, '/buy/{path:*}'.
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
            summary: "the file excludes the URLs of a route, and sends none of them to the app",
            reason: """
                The system leaves these links in the browser, so no link ever gets to the route. In the examples it is a file \
                that excludes '/buy/old/*' and opens '/buy/*'.
                """, basis: [.lint],
            bad: """
                /buy/{product}
                ⟦/buy/old/{product}⟧

                """,
            good: """
                /buy/{product}

                """),
        RuleDescription(
            "unsent-route", .error, subject: .routeRun, summary: "no rule of the file takes a URL of a route",
            reason: """
                The system opens only what the file says, so no link ever gets to the route. The file needs a rule, or the \
                route is misspelt. In the examples it is a file that excludes '/buy/old/*' and opens '/buy/*'.
                """, basis: [.lint],
            bad: """
                /buy/{product}
                ⟦/help/{topic}⟧

                """,
            good: """
                /buy/{product}

                """),
        RuleDescription(
            "shadowed-route", .error, subject: .routeRun, summary: "earlier routes take all URLs of a route",
            reason: """
                The first route that matches gets a URL. What is more special has to stand in front of what is more \
                general.
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
            reason: "Nothing was compared because there is nothing: that a check passes should mean something.",
            basis: [.lint],
            bad: """
                # to be written

                """,
            good: """
                /buy/{product}

                """),
    ]
}

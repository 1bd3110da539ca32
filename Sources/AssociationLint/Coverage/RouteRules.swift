internal import AppSiteAssociation
internal import Diagnostics

/// The rules about a list of routes, and about a file that is compared with it.
enum RouteRules {
    static let all: [RuleDescription] = [
        .invalidRoute, .unreachableRoute, .unhandledLink, .excludedRoute, .unsentRoute, .shadowedRoute, .noRoutes,
    ]
}

extension RuleDescription {
    static let unhandledLink = RuleDescription(
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

            """)
    static let excludedRoute = RuleDescription(
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

            """)
    static let unsentRoute = RuleDescription(
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

            """)
    static let shadowedRoute = RuleDescription(
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

            """)
    static let noRoutes = RuleDescription(
        "no-routes", .warning, subject: .routeRun, summary: "the list of routes is empty",
        reason: "The list has no routes, so nothing was compared.",
        basis: [.lint],
        bad: """
            # to be written

            """,
        good: """
            /buy/{product}

            """)
}

import AppSiteAssociation
import Foundation
import LinkDelivery
import Testing

@Suite("tables of routes")
@MainActor
struct RouteTableTests {
    enum Size: String, RouteParameter, CaseIterable { case small, large }

    /// The answer of the first route that takes a link.
    private func handle(_ link: String, _ table: RouteTable) async throws -> Handling? {
        let received = ReceivedActivity(number: 1, activity: .link(link), scene: nil, time: .zero)
        for route in table.routes {
            if let action = route.action(for: received) { return try await action() }
        }
        return nil
    }

    @Test("the first route that matches wins, and handlers get what was captured")
    func order() async throws {
        var said: [String] = []
        let table = try RouteTable {
            Route("/buy/{product}", Int.self) { product in said.append("product \(product)") }
            Route("/buy/{product}/{size}", Int.self, Size.self) { product, size in
                said.append("product \(product) in \(size)")
                return .notHandled
            }
            Route("/buy/*") { match in said.append("shop at \(match.url?.path() ?? "")") }
            Route("/search ?q={term}&page={page:*}", String.self, Int?.self) { term, page in
                said.append("search \(term) on \(page.map(String.init) ?? "no page")")
            }
            Route("/cart") { said.append("cart") }
            Route("/help/{rest:*}") { match in match["rest"] == "" ? .handled : .openInBrowser }
        }
        #expect(try await handle("/buy/7", table) == .handled)
        #expect(try await handle("/buy/7/large", table) == .notHandled)
        #expect(try await handle("/buy/7/huge", table) == .handled)
        #expect(try await handle("/buy/x", table) == .handled)
        #expect(try await handle("/search?page=2&q=a%20b", table) == .handled)
        #expect(try await handle("/search?q=c", table) == .handled)
        #expect(try await handle("/search?q=", table) == nil)
        #expect(try await handle("/cart/", table) == .handled)
        #expect(try await handle("/help", table) == .handled)
        #expect(try await handle("/help/a/b", table) == .openInBrowser)
        #expect(
            said == [
                "product 7", "product 7 in large", "shop at /buy/7/huge", "shop at /buy/x", "search a b on 2",
                "search c on no page", "cart",
            ])
    }

    @Test("routes can be chosen and repeated where they are built")
    func building() throws {
        let isTest = true
        let account = try RouteTable { Route("/account") { .handled } }
        let table = try RouteTable {
            if isTest { Route("/test") { .handled } }
            if !isTest { Route("/never") { .handled } } else { Route("/else") { .handled } }
            for name in ["a", "b"] { Route("/\(name)") { .handled } }
            account
            [Route("/x") { .handled }, Route("/y") { .handled }]
        }
        #expect(table.routes.map(\.text) == ["/test", "/else", "/a", "/b", "/account", "/x", "/y"])
        #expect(table.text == "/test\n/else\n/a\n/b\n/account\n/x\n/y\n")
        #expect(table.patterns.map(\.description) == table.routes.map(\.text))
    }

    @Test("plain functions build the same")
    func functions() throws {
        let route = Route("/buy/{product}", perform: { match in match["product"] == "7" ? .handled : .notHandled })
        #expect(try RouteTable([route]).firstMatch(.link("/buy/7"))?["product"] == "7")
        #expect(try RouteTable([route]).firstMatch(.link("/sell/7")) == nil)
        #expect(try RouteTable([]).firstMatch(.link("/")) == nil)
    }

    @Test("activities of other types have routes of their own")
    func types() throws {
        let table = try RouteTable {
            Route("/*") { .handled }
            Route(activityType: "com.example.edit") { _ in .handled }
        }
        #expect(table.firstMatch(UserActivity(activityType: "com.example.edit"))?.route == "com.example.edit")
        #expect(table.firstMatch(UserActivity(activityType: "com.example.view")) == nil)
        #expect(table.firstMatch(.link("/a"))?.route == "/*")
        #expect(table.firstMatch(UserActivity(activityType: UserActivity.browsingWeb)) == nil)
        #expect(table.patterns.count == 1)
    }

    @Test("what cannot be meant is reported all at once when the table is built, with the place and what to do")
    func problems() throws {
        let error = #expect(throws: RouteTableError.self) {
            try RouteTable {
                Route("/buy/{product}") { .handled }
                Route("/buy/{id}") { .handled }
                Route("/buy/7") { .handled }
                Route("/sell/{id", fileID: "Shop/Links.swift", line: 12) { .handled }
                Route("/rent/{id}", Int.self, Int.self, fileID: "Shop/Links.swift", line: 13) { _, _ in .handled }
                Route("/rent/{id}/{size}", Int.self, fileID: "Shop/Links.swift", line: 14) { _ in .handled }
                Route("/rent", Int.self, fileID: "Shop/Links.swift", line: 15) { _ in .handled }
                Route(activityType: "edit", fileID: "Shop/Links.swift", line: 16) { _ in .handled }
                Route(activityType: "edit", fileID: "Shop/Links.swift", line: 17) { _ in .handled }
            }
        }
        let problems = try #require(error).problems
        #expect(problems.map(\.index) == [1, 2, 3, 4, 5, 6, 8])
        #expect(
            problems.map(\.kind) == [.clash, .unreachable, .pattern, .parameters, .parameters, .parameters, .clash])
        let texts = problems.map(\.description)
        #expect(texts[0].contains("'/buy/{id}' is for the same links as '/buy/{product}' at RouteTableTests.swift:"))
        #expect(texts[1].contains("'/buy/7' is never reached: '/buy/{product}' at RouteTableTests.swift:"))
        #expect(texts[2].hasPrefix("Links.swift:12: '/sell/{id', column "))
        #expect(
            texts[3] == "Links.swift:13: '/rent/{id}' has {id}, but its handler takes 2 values; expected a type for "
                + "each capture, in the same order")
        #expect(texts[4].contains("has {id}, {size}, but its handler takes 1 value;"))
        #expect(texts[5].contains("has no captures, but its handler takes 1 value;"))
        #expect(texts[6].contains("Links.swift:17: the route at Links.swift:16 is for activities of the type 'edit'"))
        #expect(try #require(error).description.split(separator: "\n").count == problems.count)
    }

    @Test("a route with types is not in the way of one for the links that it does not take")
    func typesLetOthersPass() throws {
        let table = try RouteTable {
            Route("/buy/{product}", Int.self) { _ in .handled }
            Route("/buy/{name}", String.self) { _ in .handled }
        }
        #expect(table.firstMatch(.link("/buy/7"))?.route == "/buy/{product}")
        #expect(table.firstMatch(.link("/buy/seven"))?.route == "/buy/{name}")
        #expect(
            table.explain(.link("/buy/seven")).map(\.description) == [
                "/buy/{product}: 'product' is 'seven' in '/buy/{product}'; expected a whole number",
                "/buy/{name}: matches",
            ])
        #expect(table.explain(.link("/")).map(\.outcome) == [.doesNotMatch, .doesNotMatch])
        #expect(throws: RouteTableError.self) {
            try RouteTable {
                Route("/buy/{name}", String.self) { _ in .handled }
                Route("/buy/{product}", Int.self) { _ in .handled }
            }
        }
    }

    @Test("modules that take the same links are found when their tables are put together")
    func combining() throws {
        let shop = try RouteTable { Route("/buy/*") { .handled } }
        let other = try RouteTable { Route("/buy/{product}") { .handled } }
        #expect(throws: RouteTableError.self) { try RouteTable(combining: [shop, other]) }
        #expect(try RouteTable(combining: [other, shop]).routes.count == 2)
    }

    @Test("a match hands out values, or says what is the matter")
    func values() throws {
        let table = try RouteTable { Route("/buy/{product}/{size}") { _ in .handled } }
        let match = try #require(table.firstMatch(.link("/buy/7/large")))
        #expect(try match.value("product") == 7)
        #expect(try match.value("size", as: Size.self) == .large)
        #expect(match["size"] == "large")
        #expect(match["colour"] == nil)
        #expect(throws: RouteParameterError.self) { try match.value("size", as: Int.self) }
        let error = #expect(throws: RouteParameterError.self) { try match.value("product", as: Size.self) }
        #expect(
            error?.description
                == "'product' is '7' in '/buy/{product}/{size}'; expected one of 'small', 'large'")
        let missing = #expect(throws: RouteParameterError.self) { try match.value("colour", as: String.self) }
        #expect(missing?.description == "the route '/buy/{product}/{size}' has no capture 'colour'; expected a text")
    }

    @Test("a route does not keep its owner, and is no longer there without it")
    func owner() async throws {
        final class Shop {
            var shown: [Int] = []
        }
        var shop: Shop? = Shop()
        weak let weakShop = shop
        let table = try RouteTable {
            Route("/buy/{product}", Int.self, owner: try! #require(shop)) { shop, product in shop.shown.append(product)
            }
            Route("/sell/{product}", Int.self, owner: try! #require(shop)) { shop, product in
                shop.shown.append(-product)
                return .openInBrowser
            }
        }
        #expect(try await handle("/buy/7", table) == .handled)
        #expect(try await handle("/sell/7", table) == .openInBrowser)
        #expect(shop?.shown == [7, -7])
        shop = nil
        #expect(weakShop == nil)
        #expect(try await handle("/buy/7", table) == .notHandled)
    }
}

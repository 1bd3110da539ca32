import Foundation
import LinkDelivery
import Testing

@Suite("delivering activities")
@MainActor
struct DeliveryTests {
    @Test("modules are asked in their order, until a handler has taken the activity")
    func nextHandler() async throws {
        let (center, results) = recorded()
        var asked: [String] = []
        let shop = try center.add {
            Route("/buy/{product}", Int.self, policy: .oneAfterAnother) { product in
                asked.append("shop \(product)")
                return product == 7 ? .handled : .notHandled
            }
            Route("/buy/*") { _ in
                asked.append("shop, all")
                return .notHandled
            }
        }
        let other = try center.add {
            Route("/buy/*") { _ in asked.append("other") }
        }
        #expect(center.receive(.link("/buy/7")))
        #expect(center.receive(.link("/buy/8")))
        #expect(!center.receive(.link("/sell")))
        await results.waitFor([
            "3 unhandled", #"1 handled(by: "/buy/{product}")"#, #"2 handled(by: "/buy/*")"#,
        ])
        await center.idle()
        #expect(asked == ["shop 7", "shop 8", "shop, all", "other"])
        shop.cancel()
        other.cancel()
    }

    @Test("a link that nobody wants goes back to the browser, as does one whose handler says so")
    func browser() async throws {
        var opened: [String] = []
        let (center, results) = recorded(
            UserActivityCenter(openInBrowser: { opened.append($0.webpageURL?.absoluteString ?? "") }))
        let shop = try center.add {
            Route("/help") { .openInBrowser }
            Route("/*", policy: .sideBySide) { match in match.url?.path() == "/mine" ? .handled : .notHandled }
        }
        let other = try center.add { Route("/help") { _ in Issue.record("nobody else is to be asked") } }
        for path in ["/help", "/mine", "/else"] { center.receive(.link(path)) }
        center.receive(UserActivity(activityType: "com.example.edit"))
        await results.waitFor([
            "4 unhandled", #"2 handled(by: "/*")"#, "1 openedInBrowser", "3 openedInBrowser",
        ])
        #expect(opened == ["https://example.com/help", "https://example.com/else"])
        shop.cancel()
        other.cancel()
    }

    @Test("observers get all activities in order, and one that comes late of the last if it asks")
    func observers() async throws {
        let center = UserActivityCenter()
        var observed: [String] = []
        let first = center.observe { received in
            observed.append("first \(received.number)")
            // Whoever hands over another one does not change the order for those behind it.
            if received.number == 1 { center.receive(.link("/2")) }
        }
        let second = center.observe { observed.append("second \($0.number)") }
        let early = Recorder(center.activities(replayingLast: true))
        center.receive(.link("/1"))
        #expect(observed == ["first 1", "second 1", "first 2", "second 2"])
        #expect(center.lastActivity?.activity == .link("/2"))
        let late = center.observe(replayingLast: true) { observed.append("late \($0.number)") }
        let later = center.observe { observed.append("later \($0.number)") }
        let replayed = Recorder(center.activities(replayingLast: true))
        let unreplayed = Recorder(center.activities())
        second.cancel()
        center.receive(.link("/3"))
        #expect(observed.dropFirst(4) == ["late 2", "first 3", "late 3", "later 3"])
        await wait { early.elements.count == 3 && replayed.elements.count == 2 && unreplayed.elements.count == 1 }
        #expect(early.elements.map(\.number) == [1, 2, 3])
        #expect(replayed.elements.map(\.number) == [2, 3])
        #expect(unreplayed.elements.map(\.number) == [3])
        for subscription in [first, late, later] { subscription.cancel() }
    }

    @Test("an observer takes nothing: the activity waits for a handler all the same")
    func observersTakeNothing() async throws {
        let center = UserActivityCenter()
        let observer = center.observe { _ in }
        #expect(center.receive(.link("/buy/7")))
        #expect(center.pendingActivities.map(\.number) == [1])
        let results = Recorder(center.results())
        let shop = try center.add { Route("/buy/*") { .handled } }
        await results.waitFor([#"1 handled(by: "/buy/*")"#])
        #expect(center.pendingActivities.isEmpty)
        observer.cancel()
        shop.cancel()
    }

    @Test("an activity goes to the routes of its scene and to those for all")
    func scenes() async throws {
        let (center, results) = recorded(UserActivityCenter(pending: .all(upTo: 10)))
        var asked: [String] = []
        let left = try center.add(scene: "left") {
            Route("/*", policy: .oneAfterAnother) { match in
                asked.append("left \(match.received.number)")
                return .notHandled
            }
        }
        let seen = center.observe(scene: "right") { asked.append("seen \($0.number)") }
        center.receive(.link("/"), scene: "right")
        // Nobody is there for that scene yet.
        #expect(center.pendingActivities.map(\.number) == [1])
        center.receive(.link("/"), scene: "left")
        center.receive(.link("/"))
        await results.waitFor(["2 unhandled", "3 unhandled"])
        let right = try center.add(scene: "right") {
            Route("/*", policy: .sideBySide) { match in asked.append("right \(match.scene ?? "-")") }
        }
        await results.waitFor(["2 unhandled", "3 unhandled", #"1 handled(by: "/*")"#])
        #expect(asked == ["seen 1", "seen 3", "left 2", "left 3", "right right"])
        for subscription in [left, right, seen] { subscription.cancel() }
    }

    @Test("what waits for a scene that ends goes to another, and its routes and gates are gone")
    func endOfScene() async throws {
        let (center, results) = recorded()
        center.addGate("interface", scene: "left")
        center.addGate("interface", scene: "right", isOpen: true)
        let left = try center.add(scene: "left") { Route("/*") { _ in Issue.record("the scene has ended") } }
        center.receive(.link("/"), scene: "left")
        #expect(center.closedGates(scene: "left") == ["interface"])
        #expect(center.closedGates(scene: "right") == [])
        let right = try center.add(scene: "right") { Route("/*") { match in #expect(match.scene == nil) } }
        center.endScene("left")
        await results.waitFor([#"1 handled(by: "/*")"#])
        #expect(center.closedGates(scene: "left") == [])
        left.cancel()
        right.cancel()
    }

    @Test("of several activities at a cold start the one whose type is wanted is taken, whatever their order")
    func coldStart() async throws {
        let edit = UserActivity(activityType: "com.example.edit")
        let view = UserActivity(activityType: "com.example.view")
        let link = UserActivity.link("/buy/7")
        for activities in [[edit, view, link], [link, view, edit], [view, link, edit]] {
            let center = UserActivityCenter()
            #expect(center.receive(oneOf: activities, scene: "main"))
            #expect(center.lastActivity?.activity == link)
            #expect(center.lastActivity?.scene == "main")
            #expect(center.receive(oneOf: activities, types: ["com.example.view", UserActivity.browsingWeb]))
            #expect(center.lastActivity?.activity == view)
            #expect(center.pendingActivities.map(\.number) == [1, 2])
        }
        let center = UserActivityCenter()
        #expect(!center.receive(oneOf: []))
        #expect(center.lastActivity == nil)
        // Nobody asks for one of them yet.
        #expect(center.receive(oneOf: [view, edit], types: []))
        #expect(center.lastActivity?.activity == edit)
        let editor = try center.add { Route(activityType: "com.example.edit") { _ in .handled } }
        #expect(center.receive(oneOf: Set([edit, view])))
        #expect(center.lastActivity?.activity == edit)
        #expect(!center.receive(oneOf: []))
        await center.idle()
        editor.cancel()
    }

    @Test("an activity that came before the modules waits for all that are added together")
    func modulesOneByOne() async throws {
        let (center, results) = recorded()
        center.receive(.link("/account"))
        let shop = try center.add { Route("/buy/*") { .handled } }
        center.receive(.link("/account"))
        let account = try center.add { Route("/account", policy: .oneAfterAnother) { .handled } }
        await center.idle()
        await results.waitFor([#"1 handled(by: "/account")"#, #"2 handled(by: "/account")"#])
        shop.cancel()
        account.cancel()
    }

    @Test("routes can be asked for the reason")
    func reasons() throws {
        let center = UserActivityCenter()
        let shop = try center.add { Route("/buy/{product}", Int.self) { _ in .handled } }
        let help = try center.add(scene: "left") { Route("/*") { .handled } }
        #expect(
            center.explain(.link("/buy/x")).map(\.description) == [
                "/buy/{product}: 'product' is 'x' in '/buy/{product}'; expected a whole number", "/*: matches",
            ])
        #expect(center.explain(.link("/x"), scene: "right").map(\.outcome) == [.doesNotMatch])
        shop.cancel()
        help.cancel()
    }
}

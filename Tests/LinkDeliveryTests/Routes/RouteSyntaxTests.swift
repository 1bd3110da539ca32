import LinkDelivery
import Testing

/// That each of these is compiled is half of the test.
@Suite("handlers as they are written")
@MainActor
struct RouteSyntaxTests {
    @MainActor
    final class Shop {
        var shown: [String] = []

        func show(_ match: RouteMatch) async throws { shown.append("\(match.route) \(match["id"] ?? "")") }
        func product(_ id: Int) { shown.append("product \(id)") }
        func isMine(_ id: Int) async -> Handling { id == 7 ? .handled : .notHandled }
        func count(_ id: Int) throws -> Int { id }
    }

    private func handle(_ link: String, _ routes: [Route]) async throws -> [Handling] {
        var answers: [Handling] = []
        for route in routes {
            let received = ReceivedActivity(number: 1, activity: .link(link), scene: nil, time: .zero)
            guard let action = route.action(for: received) else {
                Issue.record("\(route.text) does not take \(link)")
                continue
            }
            answers.append(try await action())
        }
        return answers
    }

    @RoutesBuilder
    private func silent(_ shop: Shop) -> [Route] {
        Route("/a/{id}", perform: shop.show)
        Route("/b/{id}") { match in
            let id: Int = try match.value("id")
            shop.product(id)
        }
        Route("/c/{id}") { match in let _: Int = try match.value("id") }
        Route("/d/{id}", Int.self) { id in
            shop.product(id)
            shop.product(id)
        }
        Route("/e/{id}", Int.self, perform: shop.product)
        Route("/f/{id}", Int?.self) { id in if let id { shop.product(id) } }
        Route("/g/{id}", Int.self, owner: shop) { $0.product($1) }
        Route("/h/{id}", Int.self, owner: shop) { shop, id in for _ in 0..<2 { shop.product(id) } }
        Route("/i/{id}") { match in do { try await shop.show(match) } catch { Issue.record(error) } }
        Route("/j/{id}") { match in
            guard match["id"] == "7" else { return }
            shop.product(7)
        }
        Route("/k/{id}", Int.self) { id in Task { shop.product(id) } }
        Route("/l/{id}", Int.self) { [weak shop] id in shop?.product(id) }
        Route("/m/{id}") {
            let id = 7
            shop.product(id)
        }
        Route("/n/{id}", Int.self) { id in _ = try shop.count(id) }
        Route("/o/{id}") {}
    }

    @RoutesBuilder
    private func answering(_ shop: Shop) -> [Route] {
        Route("/a/{id}", Int.self) { id in await shop.isMine(id) }
        Route("/b/{id}", Int.self, perform: shop.isMine)
        Route("/c/{id}", Int.self, owner: shop) { await $0.isMine($1) }
        Route("/d/{id}", Int.self) { id in
            switch id {
            case 7: .handled
            default: .openInBrowser
            }
        }
        Route("/e/{id}", Int?.self) { id in if id == 7 { .handled } else { .notHandled } }
        Route("/f/{id}") { match in match["id"] == "7" ? .handled : .notHandled }
        Route("/g/{id}", Int.self) { [weak shop] id in
            guard let shop else { return .notHandled }
            return await shop.isMine(id)
        }
        Route("/h/{id}", Int.self) { id in
            switch id {
            case 7: return .handled
            default: break
            }
            return .notHandled
        }
    }

    @Test("a handler that says nothing has handled the link, however it is written")
    func nothingSaid() async throws {
        let shop = Shop()
        for route in silent(shop) {
            let path = route.text.replacing("{id}", with: "7")
            #expect(try await handle(path, [route]) == [.handled], "\(route.text)")
        }
        #expect(shop.shown.filter { $0 == "product 7" }.count >= 10)
    }

    @Test("a handler that says something is heard, however it is written")
    func heard() async throws {
        let shop = Shop()
        for route in answering(shop) {
            let path = route.text.replacing("{id}", with: "7")
            #expect(try await handle(path, [route]) == [.handled], "\(route.text)")
            let other = route.text.replacing("{id}", with: "8")
            #expect(try await handle(other, [route]) != [.handled], "\(route.text)")
        }
    }

    @Test("a handler may only throw, and a route without one asks the next")
    func others() async throws {
        let throwing = Route("/a/{id}") { _ in throw HandlerError() }
        await #expect(throws: HandlerError.self) { try await handle("/a/7", [throwing]) }
        #expect(try await handle("/a/7", [Route("/a/{id}", Int.self, perform: nil)]) == [.notHandled])
        #expect(try await handle("/a/7", [Route("/a/{id}", perform: nil)]) == [.notHandled])
    }
}

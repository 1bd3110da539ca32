import Foundation
import TestSupport
import Testing

/// Hosts and their faults in the output of `aasa doctor` (doctor.md).
@Suite("aasa doctor: hosts", .waiting)
struct DoctorHostTests {
    private let tool: BuiltTool
    private let network: StubNetwork
    /// The options for what every stub has: a port of its own, on this machine.
    private let quiet = ["--disable", "nonstandard-port,dns-private-address"]

    init() throws {
        tool = try BuiltTool()
        network = try StubNetwork()
    }

    private func doctor(_ arguments: String...) throws -> Shell.Outcome {
        try tool.doctor(quiet + arguments, network: network)
    }

    private func wellKnown(_ site: StubSite) -> String { "https://\(site.authority)\(StubNetwork.wellKnown)" }

    @Test("what is wrong with the host shows in its step, with its code")
    func hostFaults() throws {
        let expired = try network.site("expired.example", .expired)
        let blocked = try network.site("blocked.example", .good)
        blocked.answer(StubNetwork.wellKnown, agent: "AASA-Bot", with: .status(403, [], "no robots"))
        let stale = try network.site("stale.example", .good)
        network.appleHas(stale.authority, StubNetwork.goodFile.replacing("/buy/", with: "/sell/"))
        let page = try network.site("page.example", .good)
        page.answer(StubNetwork.wellKnown, with: .page)
        let cases: [(StubSite, String, String)] = [
            (expired, "✗ TLS", "expired.example:\(expired.port): error [tls-expired]"),
            (blocked, "✗ Agents", "\(wellKnown(blocked)): error [agent-blocked]"),
            (stale, "! Apple CDN", "stale.example:\(stale.port): warning [cdn-stale]"),
            (page, "✗ File", "\(wellKnown(page)):1:1: error [html-instead-of-json]"),
        ]
        // All in one run, in the order of the targets.
        let outcome = try tool.doctor(quiet + cases.map(\.0.authority), network: network)
        #expect(outcome.status == 1)
        let blocks = outcome.text.components(separatedBy: "\n\n")
        let order = cases.map(\.0.authority).map { authority in
            blocks.firstIndex { $0 == authority || $0.hasPrefix("\(authority)\n") }
        }
        #expect(order.compactMap { $0 }.count == 4 && order.compactMap { $0 } == order.compactMap { $0 }.sorted())
        for (_, step, problem) in cases {
            #expect(outcome.steps.contains(step), "\(step)")
            #expect(outcome.problems.contains(problem), "\(problem) of \(outcome.problems)")
        }
        #expect(outcome.lastLine.hasSuffix(" in 4 domains"))
    }

    @Test("a host that cannot be reached is an error, in the text of any locale")
    func unreachable() throws {
        let closed = try network.site("closed.example", fronts: [("127.0.0.1", .refused)])
        let arguments = quiet + [closed.authority, "--resolve", closed.override]
        let outcome = try tool.doctor(arguments)
        #expect(outcome.status == 1)
        #expect(outcome.steps == ["✓ DNS", "✗ TLS", "– HTTP", "– Agents", "– File", "– Apple CDN", "– Android"])
        #expect(outcome.problems == ["closed.example:\(closed.port): error [connect-failed]"])
        let plain = try tool.doctor(arguments, locale: "C")
        #expect(plain.steps == ["+ DNS", "x TLS", "- HTTP", "- Agents", "- File", "- Apple CDN", "- Android"])
        #expect(plain.text.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test("a name in Unicode is shown beside its form in Punycode, where the locale can show it")
    func unicode() throws {
        let site = try network.site("xn--bcher-kva.example", .good)
        network.appleHas(site.authority)
        let target = "BÜCHER.example:\(site.port)"
        #expect(try doctor(target).text.hasPrefix("\(site.authority) (bücher.example)\n"))
        #expect(try tool.doctor([target], network: network, locale: "C").text.hasPrefix("\(site.authority)\n"))
    }
}

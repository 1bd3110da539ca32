import AssociationServer
import DomainNames
import EventLoops
import Logging
import Testing

/// Names that no certificate covers are in the log, and nobody can fill it with them.
@Suite("Refused server names")
struct RefusedNamesTests {
    private let address = IPAddress(ipv4: 0xC000_0201)
    private let log = RefusedNameLog(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })

    @Test("a name is told once a minute, with who has asked for it")
    func onceAMinute() {
        let line = "refused the unknown server name 'a.example' (192.0.2.1): no certificate covers it"
        #expect(log.message("a.example", address, 0) == line)
        #expect(log.message("a.example", address, 59_999) == nil)
        #expect(log.message("b.example", address, 59_999) != nil)
        #expect(log.message("a.example", address, 60_000) == line)
    }

    @Test("a client without a name is told of, and what helps")
    func nameless() {
        #expect(log.message("", address, 0)?.hasSuffix("; 'defaultSite' gives such clients a certificate") == true)
        #expect(log.message("", address, 1) == nil)
    }

    @Test("a name is escaped and cut")
    func escaped() {
        let message = log.message("a\u{1B}[2J\n'" + String(repeating: "x", count: 1_000), address, 0) ?? ""
        #expect(message.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value < 0x7F || $0 == "…" })
        #expect(message.count < 400)
    }

    @Test("many names are told of in one line")
    func flood() {
        let lines = (0..<10_000).compactMap { log.message("a\($0).example", address, 0) }
        #expect(lines.count == RefusedNameLog.most + 1)
        #expect(lines.last?.hasPrefix("more than 64 unknown server names were refused within a minute") == true)
        #expect(log.message("b.example", address, 60_000) != nil)
    }

    @Test("a loop asks for a name once a minute, and for no more than are told")
    func filter() {
        var filter = RefusedNameFilter()
        let first = [0, 59_999, 60_000].map { filter.passes(7, now: $0) }
        #expect(first == [true, false, true])
        let passed = (0..<10_000).count { filter.passes(UInt64($0) &* 0x9E37_79B9_7F4A_7C15, now: 60_001) }
        #expect(passed <= RefusedNameLog.most)
        let later = filter.passes(0, now: 200_000)
        #expect(later)
    }
}

import OpenSSL
import Synchronization
import Testing

@Suite("Keys of session tickets")
struct TicketKeysTests {
    private final class ManualClock: Sendable {
        private let seconds = Atomic<Int64>(1_000)

        var now: Int64 { seconds.load(ordering: .relaxed) }
        func advance(_ by: Int64) { seconds.add(by, ordering: .relaxed) }
    }

    private let clock = ManualClock()

    private func makeKeys() throws -> TicketKeys {
        let clock = clock
        return try TicketKeys { clock.now }
    }

    private func isKept(_ key: TicketKeys.Key, by keys: TicketKeys) -> Bool? {
        key.name.withUnsafeBufferPointer { keys.key(named: $0) }?.isOld
    }

    @Test("a key is used for an hour, and kept for two more")
    func rotation() throws {
        let keys = try makeKeys()
        let first = try #require(keys.current())
        clock.advance(TicketKeys.lifetime - 1)
        #expect(keys.current()?.name == first.name)
        #expect(isKept(first, by: keys) == false)
        clock.advance(1)
        let second = try #require(keys.current())
        #expect(second.name != first.name)
        #expect(isKept(first, by: keys) == true)
        clock.advance(TicketKeys.lifetime)
        _ = keys.current()
        #expect(isKept(first, by: keys) == true)
        clock.advance(TicketKeys.lifetime)
        #expect(isKept(first, by: keys) == nil)
        #expect(isKept(second, by: keys) == true)
    }

    @Test("keys of a quiet night are gone in the morning", arguments: [(1, true), (2, true), (3, false), (24, false)])
    func quietHours(hours: Int64, isKeptStill: Bool) throws {
        let keys = try makeKeys()
        let first = try #require(keys.current())
        clock.advance(TicketKeys.lifetime * hours + 1)
        #expect((isKept(first, by: keys) != nil) == isKeptStill)
    }

    @Test("keys differ")
    func difference() throws {
        let first = try makeKeys().current()
        let second = try makeKeys().current()
        #expect(first?.name != second?.name)
    }
}

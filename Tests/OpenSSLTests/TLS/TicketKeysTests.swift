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

    private func shared(_ number: UInt8, from time: Int64) throws -> TicketKeys.Key {
        let secret = SecretBytes([UInt8](repeating: number, count: 64))
        return try #require(
            TicketKeys.Key(sharedAs: [UInt8](repeating: number, count: 16), secret: secret, useFrom: time))
    }

    @Test("the youngest shared key whose time has come encrypts, and all decrypt")
    func sharing() throws {
        let keys = try makeKeys()
        let own = try #require(keys.current())
        let (old, new) = (try shared(1, from: 500), try shared(2, from: 1_120))
        keys.share([new, old])
        #expect(keys.current()?.name == old.name)
        #expect(isKept(own, by: keys) == true)
        #expect(isKept(old, by: keys) == false)
        #expect(isKept(new, by: keys) == false)
        clock.advance(120)
        #expect(keys.current()?.name == new.name)
        #expect(isKept(old, by: keys) == true)
        keys.share([])
        #expect(keys.current()?.name == own.name)
        #expect(isKept(old, by: keys) == nil)
    }

    @Test("without a fresh shared key a process uses its own again, and returns to shared ones later")
    func staleSharing() throws {
        let keys = try makeKeys()
        let key = try shared(1, from: 1_000)
        keys.share([key])
        clock.advance(TicketKeys.freshness - 1)
        #expect(keys.current()?.name == key.name)
        clock.advance(1)
        #expect(keys.current()?.name != key.name)
        #expect(isKept(key, by: keys) != nil)
        clock.advance(TicketKeys.lifetime * 3 - TicketKeys.freshness)
        #expect(isKept(key, by: keys) == nil)
        let next = try shared(2, from: 1_000 + TicketKeys.lifetime * 3)
        keys.share([next, key])
        #expect(keys.current()?.name == next.name)
    }

    @Test("a shared key of another size is none", arguments: [(15, 64), (16, 63), (16, 65), (0, 0)])
    func sizes(name: Int, secret: Int) {
        let bytes = SecretBytes([UInt8](repeating: 1, count: secret))
        #expect(TicketKeys.Key(sharedAs: [UInt8](repeating: 1, count: name), secret: bytes, useFrom: 0) == nil)
    }
}

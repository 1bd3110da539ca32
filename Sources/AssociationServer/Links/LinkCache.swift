internal import Glibc
internal import HTTP1
package import LinkPages

/// The answers by links and pages that a loop has written out lately, of at most 4 MiB together.
///
/// What an answer depends on is its key. The table has a fixed number of places, and a new answer takes the place of those
/// that nobody has asked for lately: whatever is asked for, it does not grow.
package struct LinkCache {
    /// The things that an answer depends on: host and target as they are, and of its fields the variant.
    package struct Key {
        let links: UnsafeRawPointer
        let variant: LinkVariant
        /// The host, a line feed, which is in no host, and the path with the query.
        let text: [UInt8]

        package init(links: UnsafeRawPointer, variant: LinkVariant, text: [UInt8]) {
            (self.links, self.variant, self.text) = (links, variant, text)
        }
    }

    /// The most bytes of all answers.
    package static let maxBytes = 4 << 20
    /// Between host and target in the text of a key.
    static let separator = UInt8(ascii: "\n")
    /// An answer that is larger is not kept.
    private static let maxAnswer = maxBytes / 8
    private static let count = 4_096
    /// The bytes that an answer takes besides its head, body and key.
    private static let overhead = 512

    private var places: [LinkResponse?] = []
    /// The bytes of all answers.
    package private(set) var bytes = 0
    /// The place that is looked at next for room.
    private var hand = 0

    package init() {}

    /// The answer that was kept; nil if none is.
    ///
    /// - Parameters:
    ///   - hash: of host, target and variant.
    ///   - target: the path with the query.
    package func find(
        _ hash: UInt64, _ links: UnsafeRawPointer, _ variant: LinkVariant, _ host: UnsafeBufferPointer<UInt8>,
        _ target: UnsafeBufferPointer<UInt8>
    ) -> LinkResponse? {
        guard !places.isEmpty, let response = places[Self.index(hash)], let key = response.key, key.links == links,
            key.variant == variant, key.text.count == host.count &+ 1 &+ target.count,
            key.text.withUnsafeBufferPointer({ Self.equal($0, host, target) })
        else { return nil }
        response.isUsed = true
        return response
    }

    /// Keeps an answer.
    package mutating func keep(_ response: LinkResponse, _ key: Key, _ hash: UInt64) {
        response.key = key
        let size = Self.size(response)
        guard size <= Self.maxAnswer else { return }
        if places.isEmpty { places = [LinkResponse?](repeating: nil, count: Self.count) }
        let index = Self.index(hash)
        remove(index)
        while bytes > Self.maxBytes - size {
            if let other = places[hand], other.isUsed { other.isUsed = false } else { remove(hand) }
            hand = (hand + 1) % Self.count
        }
        places[index] = response
        bytes += size
    }

    /// Forgets all answers: others are right from now on.
    package mutating func removeAll() {
        (places, bytes, hand) = ([], 0, 0)
    }

    private mutating func remove(_ index: Int) {
        guard let response = places[index] else { return }
        bytes -= Self.size(response)
        places[index] = nil
    }

    private static func size(_ response: LinkResponse) -> Int {
        response.message.longestHead + response.message.bodyCount + (response.key?.text.count ?? 0) + overhead
    }

    private static func index(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (count - 1) }

    private static func equal(
        _ text: UnsafeBufferPointer<UInt8>, _ host: UnsafeBufferPointer<UInt8>, _ target: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard let start = text.baseAddress, let host = host.baseAddress else { return false }
        let count = text.count &- target.count &- 1
        return memcmp(start, host, count) == 0
            && (target.baseAddress.map { memcmp(start + count + 1, $0, target.count) == 0 } ?? true)
    }
}

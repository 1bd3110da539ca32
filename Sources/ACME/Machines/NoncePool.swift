/// The nonces that a CA has handed out and that were not used yet (RFC 8555, section 6.5), for all orders together.
package struct NoncePool: Equatable, Sendable {
    private static let capacity = 64
    private var nonces: [String] = []

    package init() {}

    package var count: Int { nonces.count }

    /// Keeps the nonce of an answer, if it is one; of many the last ones.
    mutating func keep(_ nonce: String?) {
        guard let nonce, 1...512 ~= nonce.utf8.count, Base64URL.isSpelledInAlphabet(nonce) else { return }
        if nonces.count == Self.capacity { nonces.removeFirst() }
        nonces.append(nonce)
    }

    /// The one that came last: it is the least likely to have expired.
    mutating func take() -> String? { nonces.popLast() }

    /// After one was refused: those that came with it are no better.
    mutating func removeAll() { nonces = [] }
}

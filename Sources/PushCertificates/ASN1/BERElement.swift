internal import OpenSSL

/// An element of BER or DER (X.690): its tag, and where its content is.
struct BERElement {
    /// The first octet: class, whether it is constructed, and the number if that is below 31.
    let identifier: UInt8
    /// The number of the tag.
    let number: Int
    /// Without the end-of-contents octets of an indefinite length.
    let content: ArraySlice<UInt8>
    /// All of it, header and end included.
    let encoded: ArraySlice<UInt8>

    var isConstructed: Bool { identifier & 0x20 != 0 }
    var tagClass: UInt8 { identifier >> 6 }

    /// Whether it is of a universal type, in primitive or constructed form.
    func isUniversal(_ tag: BERTag) -> Bool { tagClass == 0 && number == tag.rawValue }
    /// Whether it has a context-specific tag.
    func isContext(_ number: Int) -> Bool { tagClass == 2 && self.number == number }
}

extension BERElement {
    /// The octets of an OCTET STRING; the pieces of a constructed one together (X.690, section 8.7).
    ///
    /// Of an implicitly tagged one the tag does not matter.
    func octets() throws(BERError) -> [UInt8] {
        try octetString().withBytes { Array($0) }
    }

    /// The same without a copy, unless it is in pieces.
    func octetString() throws(BERError) -> OctetString {
        guard isConstructed else { return OctetString(content) }
        var failure: BERError?
        let gathered = SecretBytes(capacity: content.count) { buffer in
            var count = 0
            do throws(BERError) {
                try gather(into: buffer, count: &count, depth: 0)
                return count
            } catch {
                failure = error
                return nil
            }
        }
        guard let gathered else { throw failure ?? .malformed }
        return OctetString(gathered)
    }

    private func gather(
        into buffer: UnsafeMutableBufferPointer<UInt8>, count: inout Int, depth: Int
    ) throws(BERError) {
        guard isConstructed else {
            guard content.count <= buffer.count - count else { throw .malformed }
            _ = UnsafeMutableBufferPointer(rebasing: buffer[count...]).update(fromContentsOf: content)
            count += content.count
            return
        }
        guard depth < Self.maximumDepth else { throw .malformed }
        var reader = BERReader(content)
        while let piece = try reader.next() {
            guard piece.isUniversal(.octetString) else { throw .malformed }
            try piece.gather(into: buffer, count: &count, depth: depth + 1)
        }
    }

    /// Deeper nesting of pieces is refused.
    private static let maximumDepth = 8

    /// A number that is not negative; nil if it is, or above 2^63 - 1.
    var unsigned: UInt64? {
        guard isUniversal(.integer), !isConstructed, let first = content.first, first & 0x80 == 0 else { return nil }
        let digits = content.drop { $0 == 0 }
        guard digits.count <= 8, digits.count < 8 || digits[digits.startIndex] & 0x80 == 0 else { return nil }
        return digits.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// A number that is not negative, the largest there is for all above 2^63 - 1; nil if it is none or negative.
    var saturated: UInt64? {
        guard isUniversal(.integer), let first = content.first, first & 0x80 == 0 else { return nil }
        return unsigned ?? .max
    }

    /// An object identifier in dots; nil if it is none, or longer than any that is in use (X.690, section 8.19).
    var objectIdentifier: String? {
        guard isUniversal(.objectIdentifier), !isConstructed, content.count <= 64, let last = content.last,
            last & 0x80 == 0
        else { return nil }
        var arcs: [UInt64] = []
        var arc: UInt64 = 0
        for octet in content {
            guard arc <= UInt64.max >> 8 else { return nil }
            arc = arc << 7 | UInt64(octet & 0x7F)
            guard octet & 0x80 == 0 else { continue }
            if arcs.isEmpty {
                let first = min(arc / 40, 2)
                arcs = [first, arc - first * 40]
            } else {
                arcs.append(arc)
            }
            arc = 0
        }
        return arcs.map(String.init).joined(separator: ".")
    }
}

/// The octets of a string: lent from the file if they are in one piece, else put together and wiped afterwards,
/// as there may be a private key among them.
struct OctetString {
    private enum Storage {
        case lent(ArraySlice<UInt8>)
        case gathered(SecretBytes)
    }

    private let storage: Storage

    init(_ bytes: ArraySlice<UInt8>) {
        storage = .lent(bytes)
    }

    init(_ bytes: SecretBytes) {
        storage = .gathered(bytes)
    }

    /// Lends the bytes; neither they nor slices of them may outlive the call.
    func withBytes<Result, Failure>(
        _ body: (ArraySlice<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        switch storage {
        case .lent(let bytes): try body(bytes)
        case .gathered(let secret): try secret.withBytes { bytes throws(Failure) in try body(bytes[...]) }
        }
    }
}

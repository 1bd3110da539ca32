internal import OpenSSL

/// Reads elements one after another; lengths may be indefinite and longer than necessary (X.690, section 8.1).
struct BERReader {
    /// Deeper nesting of indefinite lengths is refused.
    private static let maximumDepth = 64

    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    /// The elements inside a constructed one.
    init(inside element: BERElement) throws(ReadingError) {
        guard element.isConstructed else { throw .malformed }
        rest = element.content
    }

    /// The elements of a SEQUENCE that is all there is.
    init(onlySequenceIn bytes: ArraySlice<UInt8>) throws(ReadingError) {
        var outer = BERReader(bytes)
        self = try BERReader(inside: outer.next(.sequence))
        try outer.finish()
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// The next element; nil at the end.
    mutating func next() throws(ReadingError) -> BERElement? {
        guard !rest.isEmpty else { return nil }
        let element = try Self.element(at: rest, depth: 0)
        rest = rest[element.encoded.endIndex...]
        return element
    }

    /// The next element, which has to be there and of a universal type.
    mutating func next(_ tag: BERTag) throws(ReadingError) -> BERElement {
        guard let element = try next() else { throw .truncated }
        guard element.isUniversal(tag) else { throw .malformed }
        return element
    }

    /// The next element if it is as wanted; nil at the end too.
    mutating func next(if isWanted: (BERElement) -> Bool) throws(ReadingError) -> BERElement? {
        guard !isAtEnd else { return nil }
        let element = try Self.element(at: rest, depth: 0)
        guard isWanted(element) else { return nil }
        rest = rest[element.encoded.endIndex...]
        return element
    }

    /// - Throws: `ReadingError.malformed` if anything is left.
    func finish() throws(ReadingError) {
        guard isAtEnd else { throw .malformed }
    }

    private static func element(at bytes: ArraySlice<UInt8>, depth: Int) throws(ReadingError) -> BERElement {
        guard depth <= maximumDepth else { throw .malformed }
        var offset = bytes.startIndex
        func octet() throws(ReadingError) -> UInt8 {
            guard offset < bytes.endIndex else { throw .truncated }
            defer { offset += 1 }
            return bytes[offset]
        }
        let identifier = try octet()
        var number = Int(identifier & 0x1F)
        if number == 0x1F {
            number = 0
            var next: UInt8
            repeat {
                next = try octet()
                guard number <= 0xFF_FFFF else { throw .malformed }
                number = number << 7 | Int(next & 0x7F)
            } while next & 0x80 != 0
        }
        let first = try octet()
        if first == 0x80 {
            guard identifier & 0x20 != 0 else { throw .malformed }
            let start = offset
            while true {
                guard offset < bytes.endIndex else { throw .truncated }
                let inner = try element(at: bytes[offset...], depth: depth + 1)
                if inner.identifier == 0, inner.content.isEmpty {
                    return BERElement(
                        identifier: identifier, number: number, content: bytes[start..<offset],
                        encoded: bytes[bytes.startIndex..<inner.encoded.endIndex])
                }
                offset = inner.encoded.endIndex
            }
        }
        var length = Int(first & 0x7F)
        if first & 0x80 != 0 {
            let octets = length
            length = 0
            for _ in 0..<octets {
                // More than any file has.
                guard length <= 0xFFFF_FFFF else { throw .truncated }
                length = length << 8 | Int(try octet())
            }
        }
        guard length <= bytes.endIndex - offset else { throw .truncated }
        return BERElement(
            identifier: identifier, number: number, content: bytes[offset..<offset + length],
            encoded: bytes[bytes.startIndex..<offset + length])
    }
}

/// The universal tags that are needed here (X.680, section 8).
enum BERTag: Int {
    case boolean = 1
    case integer = 2
    case bitString = 3
    case octetString = 4
    case null = 5
    case objectIdentifier = 6
    case utf8String = 12
    case sequence = 16
    case set = 17
    case bmpString = 30
}

/// An element of BER or DER (X.690): its tag, and where its content is.
struct BERElement {
    /// The first octet: class, whether it is constructed, and the number if that is below 31.
    let identifier: UInt8
    /// The number of the tag.
    let number: Int
    /// The content without the end-of-contents octets of an indefinite length.
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
    /// The tag of an implicitly tagged one does not matter.
    func octets() throws(ReadingError) -> [UInt8] {
        try octetString().withBytes { Array($0) }
    }

    /// The same without a copy, unless it is in pieces.
    func octetString() throws(ReadingError) -> OctetString {
        guard isConstructed else { return OctetString(content) }
        var failure: ReadingError?
        let gathered = SecretBytes(capacity: content.count) { buffer in
            var count = 0
            do throws(ReadingError) {
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
    ) throws(ReadingError) {
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

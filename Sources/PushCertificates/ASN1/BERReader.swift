/// Reads elements one after another; lengths may be indefinite and longer than necessary (X.690, section 8.1).
struct BERReader {
    /// Deeper nesting of indefinite lengths is refused.
    private static let maximumDepth = 64

    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    /// The elements inside a constructed one.
    init(inside element: BERElement) throws(BERError) {
        guard element.isConstructed else { throw .malformed }
        rest = element.content
    }

    /// The elements of a SEQUENCE that is all there is.
    init(onlySequenceIn bytes: ArraySlice<UInt8>) throws(BERError) {
        var outer = BERReader(bytes)
        self = try BERReader(inside: outer.next(.sequence))
        try outer.finish()
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// The next element; nil at the end.
    mutating func next() throws(BERError) -> BERElement? {
        guard !rest.isEmpty else { return nil }
        let element = try Self.element(at: rest, depth: 0)
        rest = rest[element.encoded.endIndex...]
        return element
    }

    /// The next element, which has to be there and of a universal type.
    mutating func next(_ tag: BERTag) throws(BERError) -> BERElement {
        guard let element = try next() else { throw .truncated }
        guard element.isUniversal(tag) else { throw .malformed }
        return element
    }

    /// The next element if it is as wanted; nil at the end too.
    mutating func next(if isWanted: (BERElement) -> Bool) throws(BERError) -> BERElement? {
        guard !isAtEnd else { return nil }
        let element = try Self.element(at: rest, depth: 0)
        guard isWanted(element) else { return nil }
        rest = rest[element.encoded.endIndex...]
        return element
    }

    /// - Throws: `BERError.malformed` if anything is left.
    func finish() throws(BERError) {
        guard isAtEnd else { throw .malformed }
    }

    private static func element(at bytes: ArraySlice<UInt8>, depth: Int) throws(BERError) -> BERElement {
        guard depth <= maximumDepth else { throw .malformed }
        var offset = bytes.startIndex
        func octet() throws(BERError) -> UInt8 {
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

/// Bytes that are not BER where it was expected.
enum BERError: Error {
    /// The bytes end before the element does.
    case truncated
    /// A length, a tag or a type that cannot be here.
    case malformed
}

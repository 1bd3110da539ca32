/// Writes DER (X.690).
public enum DER {
    /// - Parameter tag: The identifier octet.
    public static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        var element = [tag]
        element.reserveCapacity(content.count + 6)
        element += length(content.count)
        element += content
        return element
    }

    /// The octets of a length.
    public static func length(_ count: Int) -> [UInt8] {
        guard count >= 0x80 else { return [UInt8(max(0, count))] }
        var octets: [UInt8] = []
        var rest = count
        while rest > 0 {
            octets.insert(UInt8(rest & 0xFF), at: 0)
            rest >>= 8
        }
        return [0x80 | UInt8(octets.count)] + octets
    }

    public static func sequence(_ elements: [UInt8]...) -> [UInt8] { element(0x30, elements.flatMap { $0 }) }
    public static func sequence(of elements: [[UInt8]]) -> [UInt8] { element(0x30, elements.flatMap { $0 }) }
    public static func set(_ elements: [UInt8]...) -> [UInt8] { element(0x31, elements.flatMap { $0 }) }
    public static func set(of elements: [[UInt8]]) -> [UInt8] { element(0x31, elements.flatMap { $0 }) }
    /// An explicit tag, context-specific and constructed.
    public static func tagged(_ number: UInt8, _ content: [UInt8]) -> [UInt8] { element(0xA0 | number, content) }
    public static func octets(_ content: [UInt8]) -> [UInt8] { element(0x04, content) }
    public static func bits(_ content: [UInt8], unused: UInt8 = 0) -> [UInt8] { element(0x03, [unused] + content) }
    public static func boolean(_ value: Bool) -> [UInt8] { element(0x01, [value ? 0xFF : 0]) }
    public static func utf8(_ text: String) -> [UInt8] { element(0x0C, Array(text.utf8)) }
    public static let null: [UInt8] = [0x05, 0x00]

    public static func integer(_ value: some FixedWidthInteger) -> [UInt8] {
        var octets: [UInt8] = []
        var rest = value
        // Until only copies of the sign are left and the sign is right.
        while true {
            octets.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 7
            if rest == 0 || ~rest == 0 { break }
            rest >>= 1
        }
        return element(0x02, octets)
    }

    /// A number that is not negative.
    ///
    /// - Parameter magnitude: Big endian.
    public static func integer(magnitude: [UInt8]) -> [UInt8] {
        let digits = Array(magnitude.drop { $0 == 0 })
        guard let first = digits.first else { return element(0x02, [0]) }
        return element(0x02, first & 0x80 == 0 ? digits : [0] + digits)
    }

    /// - Parameter dotted: Like `1.2.840.113549.1.1.11`.
    public static func oid(_ dotted: String) -> [UInt8] {
        let arcs = dotted.split(separator: ".").compactMap { UInt64($0) }
        guard arcs.count >= 2 else { return element(0x06, []) }
        let numbers = [arcs[0] &* 40 &+ arcs[1]] + arcs[2...]
        return element(0x06, numbers.flatMap(base128))
    }

    private static func base128(_ number: UInt64) -> [UInt8] {
        var octets = [UInt8(number & 0x7F)]
        var rest = number >> 7
        while rest > 0 {
            octets.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
            rest >>= 7
        }
        return octets
    }
}

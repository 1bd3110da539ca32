/// A distinguished name; each attribute is a relative distinguished name of its own, in the order given.
public struct SampleName: Sendable, ExpressibleByArrayLiteral {
    public var attributes: [Attribute]

    public init(_ attributes: [Attribute]) {
        self.attributes = attributes
    }

    public init(arrayLiteral attributes: Attribute...) {
        self.attributes = attributes
    }

    public var der: [UInt8] {
        DER.sequence(of: attributes.map { DER.set(DER.sequence(DER.oid($0.oid), $0.value)) })
    }

    /// A type and a value.
    public struct Attribute: Sendable {
        public let oid: String
        /// In DER.
        public let value: [UInt8]

        /// - Parameter value: In DER, of any type.
        public init(oid: String, value: [UInt8]) {
            self.oid = oid
            self.value = value
        }

        public init(oid: String, _ text: String, as type: StringType = .utf8) {
            self.init(oid: oid, value: type.der(text))
        }

        public static func commonName(_ text: String, as type: StringType = .utf8) -> Self {
            Attribute(oid: "2.5.4.3", text, as: type)
        }
        public static func userID(_ text: String, as type: StringType = .utf8) -> Self {
            Attribute(oid: "0.9.2342.19200300.100.1.1", text, as: type)
        }
        public static func organizationalUnit(_ text: String, as type: StringType = .utf8) -> Self {
            Attribute(oid: "2.5.4.11", text, as: type)
        }
        public static func organization(_ text: String, as type: StringType = .utf8) -> Self {
            Attribute(oid: "2.5.4.10", text, as: type)
        }
        public static func country(_ text: String, as type: StringType = .printable) -> Self {
            Attribute(oid: "2.5.4.6", text, as: type)
        }
        public static func email(_ text: String, as type: StringType = .ia5) -> Self {
            Attribute(oid: "1.2.840.113549.1.9.1", text, as: type)
        }
    }

    /// The types of text in names.
    public enum StringType: Sendable, CaseIterable {
        case utf8, printable, ia5
        /// Latin 1, as everybody reads it.
        case teletex
        /// UTF-16, big endian.
        case bmp
        /// UTF-32, big endian.
        case universal

        /// Characters that the type cannot hold become question marks in `teletex`; the others are not checked.
        public func der(_ text: String) -> [UInt8] {
            switch self {
            case .utf8: DER.element(0x0C, Array(text.utf8))
            case .printable: DER.element(0x13, Array(text.utf8))
            case .ia5: DER.element(0x16, Array(text.utf8))
            case .teletex: DER.element(0x14, text.unicodeScalars.map { UInt8(exactly: $0.value) ?? UInt8(ascii: "?") })
            case .bmp: DER.element(0x1E, text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
            case .universal:
                DER.element(
                    0x1C,
                    text.unicodeScalars.flatMap { scalar in
                        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: scalar.value >> UInt32($0)) }
                    })
            }
        }
    }
}

/// What the common name of a subject says (push-certificates.md, section 2).
enum CommonName {
    private static let beginnings: [(text: String, kind: CertificateKind)] = [
        ("Apple Push Services:", .applePushServices),
        ("Apple Development IOS Push Services:", .apnsDevelopment),
        ("Apple Development Mac Push Services:", .apnsDevelopment),
        ("Apple Sandbox Push Services:", .apnsDevelopment),
        ("Apple Production IOS Push Services:", .apnsProduction),
        ("Apple Production Mac Push Services:", .apnsProduction),
        ("VoIP Services:", .voip),
        ("WatchKit Services:", .watchkit),
        ("Website Push ID:", .websitePush),
        ("Pass Type ID:", .passTypeID),
        ("APSP:", .mdm),
    ]

    /// The kind that Apple gives such a name; nil for all others.
    static func kind(_ name: String) -> CertificateKind? {
        beginnings.first { begins(name, with: $0.text) }?.kind
    }

    /// What follows the first `: `; nil if there is none, or nothing behind it.
    static func identifier(_ name: String) -> String? {
        let bytes = name.utf8
        var place = bytes.startIndex
        while let colon = bytes[place...].firstIndex(of: UInt8(ascii: ":")) {
            place = bytes.index(after: colon)
            guard place < bytes.endIndex, bytes[place] == UInt8(ascii: " ") else { continue }
            let rest = bytes[bytes.index(after: place)...]
            return rest.isEmpty ? nil : String(rest)
        }
        return nil
    }

    /// Whether it begins so, upper and lower case of ASCII being the same.
    static func begins(_ name: String, with beginning: String) -> Bool {
        let start = name.utf8.prefix(beginning.utf8.count)
        return start.elementsEqual(beginning.utf8) { lowercase($0) == lowercase($1) }
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}

/// The object identifiers of digests.
enum SampleDigest {
    static func oid(_ name: String) -> String {
        switch name {
        case "MD5": "1.2.840.113549.2.5"
        case "SHA1": "1.3.14.3.2.26"
        case "SHA224": "2.16.840.1.101.3.4.2.4"
        case "SHA384": "2.16.840.1.101.3.4.2.2"
        case "SHA512": "2.16.840.1.101.3.4.2.3"
        default: "2.16.840.1.101.3.4.2.1"
        }
    }

    static func hmac(_ name: String) -> String {
        switch name {
        case "MD5": "1.2.840.113549.2.6"
        case "SHA1": "1.2.840.113549.2.7"
        case "SHA224": "1.2.840.113549.2.8"
        case "SHA384": "1.2.840.113549.2.10"
        case "SHA512": "1.2.840.113549.2.11"
        case "SHA3-224": "2.16.840.1.101.3.4.2.13"
        case "SHA3-512": "2.16.840.1.101.3.4.2.16"
        default: "1.2.840.113549.2.9"
        }
    }

    /// The number of bytes of a digest.
    static func size(_ name: String) -> Int {
        ["MD5": 16, "SHA1": 20, "SHA224": 28, "SHA3-224": 28, "SHA384": 48, "SHA512": 64, "SHA3-512": 64][name] ?? 32
    }
}

/// What can be the host of a web URL, in its ASCII form.
package enum HostName {
    /// Whether it is a domain in small letters (RFC 1035, 2.3.1; `_` is in use).
    package static func isDomain(_ name: String) -> Bool {
        let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isName = labels.allSatisfy { label in
            !label.isEmpty
                && label.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
                    default: byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
                    }
                }
        }
        return name.utf8.count <= 253 && isName
    }

    /// Whether it looks like an IPv6 address in brackets (RFC 3986, section 3.2.2).
    package static func isAddress(_ name: String) -> Bool {
        guard name.hasPrefix("["), name.hasSuffix("]"), name.utf8.contains(UInt8(ascii: ":")) else { return false }
        return name.utf8.dropFirst().dropLast().allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
            default: byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
            }
        }
    }
}

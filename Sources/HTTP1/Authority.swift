/// The `host[:port]` of a `Host` field or of an absolute target (RFC 3986, section 3.2).
enum Authority {
    /// The host, without its port and without one trailing dot; `nil` if this is no authority, is empty, or holds user
    /// information.
    static func host(in bytes: Span<UInt8>, range: Range<Int>) -> Range<Int>? {
        guard let end = endOfHost(in: bytes, range: range) else { return nil }
        guard isPort(bytes, end..<range.upperBound) else { return nil }
        var host = range.lowerBound..<end
        if let last = host.last, bytes[last] == UInt8(ascii: ".") { host = host.lowerBound..<last }
        return host.isEmpty || host.count > 255 ? nil : host
    }

    private static func endOfHost(in bytes: Span<UInt8>, range: Range<Int>) -> Int? {
        guard let first = range.first else { return nil }
        var index = first
        if bytes[first] == UInt8(ascii: "[") {
            index &+= 1
            while index < range.upperBound, isAddressCharacter(bytes[index]) { index &+= 1 }
            guard index < range.upperBound, bytes[index] == UInt8(ascii: "]"), index > first &+ 2 else { return nil }
            return index &+ 1
        }
        while index < range.upperBound, bytes[index] != Characters.colon {
            if bytes[index] == UInt8(ascii: "%") {
                guard index &+ 2 < range.upperBound, Characters.hexValue(bytes[index &+ 1]) != nil,
                    Characters.hexValue(bytes[index &+ 2]) != nil
                else { return nil }
            } else if !Characters.isRegisteredName(bytes[index]) {
                return nil
            }
            index &+= 1
        }
        return index
    }

    /// Nothing, or a colon and a number of at most 65,535, which may be missing.
    private static func isPort(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard let first = range.first else { return true }
        guard bytes[first] == Characters.colon else { return false }
        var port = 0
        for index in first &+ 1..<range.upperBound {
            guard Characters.isDigit(bytes[index]) else { return false }
            port = port &* 10 &+ Int(bytes[index] &- UInt8(ascii: "0"))
            guard port <= 65_535 else { return false }
        }
        return true
    }

    private static func isAddressCharacter(_ byte: UInt8) -> Bool {
        Characters.hexValue(byte) != nil || byte == Characters.colon || byte == UInt8(ascii: ".")
    }
}

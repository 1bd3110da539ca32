internal import Glibc

/// What libcurl says about TLS, which it has no numbers for: OpenSSL's number is in the text, and the system's reason.
enum TLSErrorText {
    static func error(in text: String) -> Failure.TLSError {
        if let error = numbered(in: text) { return error }
        if isReset(text) { return .reset }
        // What is left without a number is the end of the stream.
        return text.contains("SSL_ERROR_SYSCALL") || text.contains("SSL_ERROR_ZERO_RETURN") ? .closed : .other(text)
    }

    static func isReset(_ text: String) -> Bool {
        [ECONNRESET, EPIPE].contains { text.contains(String(cString: strerror($0))) }
    }

    /// By the first of OpenSSL's numbers in the text, which stands there as `error:0A000410:`.
    static func numbered(in text: String) -> Failure.TLSError? {
        guard let number = number(in: text) else { return nil }
        let (library, reason) = (number >> 23 & 0xFF, number & 0x7F_FFFF)
        guard library == tlsLibrary else { return .other(text) }
        switch reason {
        case alertOffset...alertOffset + 255: return .alert(UInt8(truncatingIfNeeded: reason - alertOffset))
        // SSL_R_WRONG_VERSION_NUMBER, SSL_R_PACKET_LENGTH_TOO_LONG: the first bytes are not those of a record.
        case 267, 198: return .notTLS
        // SSL_R_UNSUPPORTED_PROTOCOL
        case 258: return .versionNotOffered
        // SSL_R_NO_PROTOCOLS_AVAILABLE
        case 191: return .unsupportedHere
        // SSL_R_UNEXPECTED_EOF_WHILE_READING
        case 294: return .closed
        default: return .other(text)
        }
    }

    /// `ERR_LIB_SSL`
    private static let tlsLibrary: UInt32 = 20
    /// `SSL_AD_REASON_OFFSET`
    private static let alertOffset: UInt32 = 1_000

    private static func number(in text: String) -> UInt32? {
        let bytes = Array(text.utf8)
        let mark = Array("error:".utf8)
        guard bytes.count >= mark.count + 8 else { return nil }
        for start in 0...bytes.count - mark.count - 8 where bytes[start..<start + mark.count].elementsEqual(mark) {
            let digits = String(decoding: bytes[(start + mark.count)..<(start + mark.count + 8)], as: UTF8.self)
            if let number = UInt32(digits, radix: 16) { return number }
        }
        return nil
    }
}

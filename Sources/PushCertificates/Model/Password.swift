package import OpenSSL

/// A password; its memory is wiped when the last one forgets it.
public struct Password: Sendable {
    package let bytes: SecretBytes

    package init(_ bytes: SecretBytes) {
        self.bytes = bytes
    }

    /// - Parameter utf8: Copied; the caller's own copy is the caller's to wipe.
    public init(utf8: some Sequence<UInt8>) {
        bytes = SecretBytes(utf8)
    }
}

extension Password {
    /// Checks that something can be encrypted with it which other programs open too.
    ///
    /// - Throws: `RenewalError.Code.invalidPassword` if it is empty, has a zero byte, or is not UTF-8.
    public func checkForNewFile() throws(RenewalError) {
        guard bytes.count > 0 else {
            throw RenewalError(
                .invalidPassword, "the password is empty; a file with a private key needs a password")
        }
        guard bytes.withBytes({ !$0.contains(0) }) else {
            throw RenewalError(.invalidPassword, "the password contains a NUL byte, which other programs do not accept")
        }
        // Each program would make something else of it.
        guard bytes.withBytes(Self.isUTF8) else {
            throw RenewalError(.invalidPassword, "the password is not UTF-8; write it in UTF-8 or ASCII")
        }
    }

    /// Without making a string of it, which could not be wiped.
    private static func isUTF8(_ bytes: [UInt8]) -> Bool {
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        while true {
            switch decoder.decode(&iterator) {
            case .scalarValue: continue
            case .emptyInput: return true
            case .error: return false
            }
        }
    }
}

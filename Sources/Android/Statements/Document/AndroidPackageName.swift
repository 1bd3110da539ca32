/// The application IDs of Android.
package enum AndroidPackageName {
    /// Android's rule for application IDs: two parts or more, each of letters, digits and `_` after a letter.
    package static func isValid(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count >= 2
            && parts.allSatisfy { part in
                guard let first = part.first, isLetter(first) else { return false }
                return part.allSatisfy {
                    isLetter($0) || $0 == UInt8(ascii: "_")
                        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                }
            }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}

internal import URLPatterns

/// The application IDs of Android.
package enum AndroidPackageName {
    /// Android's rule for application IDs: two parts or more, each of letters, digits and `_` after a letter.
    package static func isValid(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count >= 2 && parts.allSatisfy { $0.first?.isLetter == true && $0.allSatisfy(\.isWord) }
    }
}

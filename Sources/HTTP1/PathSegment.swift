/// A part of a path between two slashes (RFC 3986, section 3.3).
package enum PathSegment {
    /// Whether the text stands in a path as it is, without a character that would have to be percent-encoded.
    package static func isPlain(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy {
                Characters.isRegisteredName($0) || $0 == Characters.colon || $0 == UInt8(ascii: "@")
            }
    }
}

package import Diagnostics

/// The links of a file, in its order; each is a few numbers, and its texts are in one array of bytes.
package struct LinkList: Sendable, RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { 0 }
    package subscript(index: Int) -> Link { Link(list: self, index: index) }
}

/// A link of a file.
package struct Link: Sendable {
    let list: LinkList
    package let index: Int

    /// The path with a slash before it and none after it, percent-encoded unreserved characters decoded.
    package var path: [UInt8] { [] }
    /// The key in the file, with its quotes.
    package var keyRange: SourceRange { SourceRange(start: 0, end: 0) }
    package var kind: LinkKind { .page }
    package var to: [UInt8]? { nil }
    package var appURL: [UInt8]? { nil }
    package var image: LinkImageReference? { nil }
    package var keepsQuery: Bool { false }

    /// The title in a language, or what there is instead; nil if there is none.
    package func title(in language: PageLanguage) -> [UInt8]? { nil }
    package func description(in language: PageLanguage) -> [UInt8]? { nil }
}

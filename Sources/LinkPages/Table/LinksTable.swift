/// The content of a file of links, ready to answer requests.
package final class LinksTable: Sendable {
    package let content: LinksContent

    package init(_ content: LinksContent) { self.content = content }

    /// The variant of an answer that a request asks for; with host, path and query it is the key of a cached answer.
    package func variant(of request: LinkRequest) -> LinkVariant { LinkVariant(language: .english) }

    /// The entry that a path and a query match; nil where not even the fallback answers.
    package func match(path: UnsafeBufferPointer<UInt8>, query: UnsafeBufferPointer<UInt8>) -> LinkMatch? { nil }

    /// Decides a request.
    ///
    /// - Parameters:
    ///   - variant: That of the request.
    ///   - output: Bytes of a redirect's location are appended to it.
    package func answer(for request: LinkRequest, _ variant: LinkVariant, into output: inout [UInt8]) -> LinkAnswer {
        .nothing
    }
}

internal import AppSiteAssociation

/// The content of a file of links, ready to answer requests.
package final class LinksTable: Sendable {
    package let content: LinksContent
    /// The indices of images by their paths.
    private let images: [[UInt8]: Int]

    package init(_ content: LinksContent) {
        self.content = content
        images = Dictionary(
            content.images.enumerated().map { ($1.path, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The entry that a path and a query match; nil where not even the fallback answers.
    package func match(path: UnsafeBufferPointer<UInt8>, query: UnsafeBufferPointer<UInt8>) -> LinkMatch? {
        find(path: path, query: query)?.match
    }

    /// The entry that a path and a query match, and what the captures of its route take.
    func find(
        path: UnsafeBufferPointer<UInt8>, query: UnsafeBufferPointer<UInt8>
    ) -> (match: LinkMatch, captures: RouteCaptures?)? {
        if let index = link(at: path) { return (.link(index), nil) }
        if !content.pages.isEmpty {
            let (path, query) = (path.isEmpty ? [UInt8(ascii: "/")] : Array(path), Array(query))
            for (index, page) in content.pages.enumerated() {
                if let captures = page.route.captures(path: path, query: query) { return (.page(index), captures) }
            }
        }
        if case .notFound = content.fallback { return nil }
        return (.fallback, nil)
    }

    /// The index of the link with a path.
    private func link(at path: UnsafeBufferPointer<UInt8>) -> Int? {
        guard !content.links.isEmpty else { return nil }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: max(path.count, 1)) { buffer in
            let count = ComparedPath.write(path, to: buffer)
            return content.links.index(ofPath: UnsafeRawBufferPointer(start: buffer.baseAddress, count: count))
        }
    }

    /// The kind of answer that an entry gives.
    func kind(of match: LinkMatch) -> LinkKind {
        switch match {
        case .link(let index): content.links.records[index].kind
        case .page(let index): content.pages[index].kind
        case .fallback:
            if case .redirect(_, _, _, let status) = content.fallback { .redirect(status) } else { .page }
        }
    }

    /// The image at a path below `/_links/`.
    func image(at path: UnsafeBufferPointer<UInt8>) -> LinkImage? {
        images.isEmpty ? nil : images[Array(path)].map { content.images[$0] }
    }

    /// Appends the target of a redirect.
    ///
    /// - Returns: Whether there is one that a browser would follow to where the file says.
    func writeTarget(
        of match: LinkMatch, _ captures: RouteCaptures?, path: UnsafeBufferPointer<UInt8>,
        query: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]
    ) -> Bool {
        let start = output.count
        var keepsQuery = false
        var isWritten = true
        switch match {
        case .link(let index):
            let record = content.links.records[index]
            output += content.links.texts[record.to.range]
            keepsQuery = record.keepsQuery
        case .page(let index):
            let page = content.pages[index]
            if let template = page.to, let captures { isWritten = template.write(captures, to: &output) }
            keepsQuery = page.keepsQuery
        case .fallback:
            guard case .redirect(let url, let keepsPath, let isQueryKept, _) = content.fallback else { return false }
            output += url
            keepsQuery = isQueryKept
            if keepsPath {
                while output.count > start, output.last == UInt8(ascii: "/") { output.removeLast() }
                if path.first != UInt8(ascii: "/") { output.append(UInt8(ascii: "/")) }
                URLBytes.writePath(path, to: &output)
            }
        }
        if isWritten, keepsQuery { TargetTemplate.append(query: query, toURLAt: start, of: &output) }
        guard isWritten, output.count > start, output.count - start <= LinkLimits.maxLocationBytes else {
            output.removeSubrange(start...)
            return false
        }
        return true
    }
}

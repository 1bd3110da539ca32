/// The sites of a server in their order, and what is counted of them.
///
/// A copy in which a site is another shares the rest with the original: it costs a chunk and a list of chunks, however many
/// sites there are.
package struct SiteList: Sendable {
    /// The most sites in a chunk; all but the last one are full.
    static let chunkCount = 1 << chunkBits
    static let chunkBits = 7

    private(set) var chunks: [[LoadedSite]] = []
    package private(set) var count = 0
    /// The number of sites that serve what they are meant to.
    private(set) var publishedCount = 0
    /// The number of sites that serve an earlier association file.
    private(set) var staleCount = 0
    /// The number of sites that have a file which is not published as it is.
    private(set) var refusedCount = 0
    /// The number of sites that serve anything.
    private(set) var servingCount = 0

    package init(_ sites: some Sequence<LoadedSite>) {
        for site in sites { append(site) }
    }

    package mutating func append(_ site: LoadedSite) {
        if count & (Self.chunkCount - 1) == 0 { chunks.append([]) }
        chunks[count >> Self.chunkBits].append(site)
        count += 1
        add(site, 1)
    }

    package mutating func removeLast() -> LoadedSite {
        count -= 1
        let site = chunks[count >> Self.chunkBits].removeLast()
        if count & (Self.chunkCount - 1) == 0 { chunks.removeLast() }
        add(site, -1)
        return site
    }

    package mutating func replace(_ index: Int, with site: LoadedSite) {
        add(self[index], -1)
        chunks[index >> Self.chunkBits][index & (Self.chunkCount - 1)] = site
        add(site, 1)
    }

    private mutating func add(_ site: LoadedSite, _ sign: Int) {
        if site.isPublished { publishedCount += sign }
        if site.isStale { staleCount += sign }
        if site.hasRefusedFile { refusedCount += sign }
        if site.servesSomething { servingCount += sign }
    }
}

extension SiteList: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { count }

    package subscript(index: Int) -> LoadedSite { chunks[index >> Self.chunkBits][index & (Self.chunkCount - 1)] }
}

extension SiteList: ExpressibleByArrayLiteral {
    package init(arrayLiteral sites: LoadedSite...) { self.init(sites) }
}

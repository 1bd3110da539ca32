internal import SystemSupport

/// A number for each domain, the same as long as the site is there: what loops count belongs to numbers.
///
/// The number of a site that is gone is given to another one, so that what is kept for numbers does not grow with the sites
/// that there have ever been.
package final class SiteNumbers: Sendable {
    private struct Given {
        var numbers: [String: Int] = [:]
        /// The free ones below `end`, the largest first.
        var free: [Int] = []
        /// All that were given are below it.
        var end = 0

        mutating func retire(_ domains: some Sequence<String>) {
            let retired = domains.compactMap { numbers.removeValue(forKey: $0) }
            guard !retired.isEmpty else { return }
            free += retired
            free.sort(by: >)
            let last = free.enumerated().prefix { $0.element == end - 1 - $0.offset }.count
            free.removeFirst(last)
            end -= last
        }
    }

    private let given = Locked(Given())

    package init() {}

    package func number(of domain: String) -> Int {
        given.withLock { given in
            if let number = given.numbers[domain] { return number }
            let number = given.free.popLast() ?? given.end
            if number == given.end { given.end += 1 }
            given.numbers[domain] = number
            return number
        }
    }

    /// Takes the numbers of these domains back: no loop counts anything under them any more, and what was counted is
    /// forgotten.
    package func retire(_ domains: [String]) { given.withLock { $0.retire(domains) } }
}

/// The domains of sites by their numbers, as text that stays where it is. It never changes after it was made.
package final class SiteNames: Sendable {
    /// The view for the path of a request; valid as long as the names are.
    package struct View: BitwiseCopyable {
        fileprivate let chunks: UnsafePointer<UnsafePointer<UnsafeBufferPointer<UInt8>>>
        /// All numbers of sites are below it.
        package let count: Int

        /// Empty for a number that no site has.
        @inline(__always)
        package subscript(number: Int) -> UnsafeBufferPointer<UInt8> {
            chunks[number >> SiteNames.chunkBits][number & (SiteNames.chunkCount - 1)]
        }
    }

    private static let chunkBits = 7
    private static let chunkCount = 1 << chunkBits

    private final class Chunk: TableChunk, @unchecked Sendable {
        let view: UnsafePointer<UnsafeBufferPointer<UInt8>>
        private let names: UnsafeMutablePointer<UnsafeBufferPointer<UInt8>>
        private let text: UnsafeMutablePointer<UInt8>

        /// - Parameter changes: by the last bits of the numbers.
        init(_ other: Chunk?, _ changes: [Int: [UInt8]]) {
            let all = (0..<SiteNames.chunkCount).map { index in
                changes[index] ?? other.map { Array($0.view[index]) } ?? []
            }
            text = .allocate(capacity: max(1, all.reduce(0) { $0 + $1.count }))
            names = .allocate(capacity: SiteNames.chunkCount)
            view = UnsafePointer(names)
            var end = text
            for (index, name) in all.enumerated() {
                end.initialize(from: name, count: name.count)
                (names + index).initialize(to: UnsafeBufferPointer(start: name.isEmpty ? nil : end, count: name.count))
                end += name.count
            }
        }

        deinit {
            names.deallocate()
            text.deallocate()
        }
    }

    private let directory: ChunkDirectory<Chunk>
    private let count: Int

    package var view: View { View(chunks: directory.views, count: count) }

    package convenience init(_ sites: SiteList) {
        self.init(nil, Dictionary(sites.map { ($0.number, .some($0.domain)) }) { first, _ in first })
    }

    /// The same with other names for some numbers; nil for a number that no site has any more.
    package convenience init(_ other: SiteNames, _ changes: [Int: String?]) { self.init(.some(other), changes) }

    private init(_ other: SiteNames?, _ changes: [Int: String?]) {
        var grouped: [Int: [Int: [UInt8]]] = [:]
        for (number, name) in changes {
            grouped[number >> Self.chunkBits, default: [:]][number & (Self.chunkCount - 1)] = Array((name ?? "").utf8)
        }
        let before = other?.directory.chunks ?? []
        let size = max(before.count, (grouped.keys.max() ?? -1) + 1)
        for index in before.count..<size where grouped[index] == nil { grouped[index] = [:] }
        let changed = grouped.map {
            (index: $0, chunk: Chunk(before.indices.contains($0) ? before[$0] : nil, $1))
        }
        directory = ChunkDirectory(other?.directory ?? ChunkDirectory([]), count: size, with: changed)
        var count = max(other?.count ?? 0, (changes.keys.max() ?? -1) + 1)
        let view = View(chunks: directory.views, count: count)
        while count > 0, view[count - 1].isEmpty { count -= 1 }
        self.count = count
    }

    /// The numbers that a site had before, and none has now.
    package func freed(since other: SiteNames) -> [Int] {
        var freed: [Int] = []
        let view = view
        for (index, chunk) in other.directory.chunks.enumerated() {
            if directory.chunks.indices.contains(index), directory.chunks[index] === chunk { continue }
            let start = index << Self.chunkBits
            for number in start..<start + Self.chunkCount where !chunk.view[number - start].isEmpty {
                if number >= view.count || view[number].isEmpty { freed.append(number) }
            }
        }
        return freed
    }
}

public import AppSiteAssociation
internal import DomainNames
internal import URLPatterns

/// The storage of a router: its documents, and which domain has which.
@usableFromInline
final class RouterStorage: Sendable {
    let documents: [DocumentIndex]
    /// Whether there is a table of domains; else any host is that of the only document.
    private let hasDomains: Bool
    private let domains: DomainTable
    /// The memory of each document, and the document, unretained; so that a decision counts no references.
    nonisolated(unsafe) private let table: UnsafeMutablePointer<Entry>

    private struct Entry {
        let memory: UnsafeRawPointer
        let document: Unmanaged<DocumentIndex>
    }

    /// - Parameter domains: Nil if any host is that of the only document. The storage takes it over.
    init(_ documents: [DocumentIndex], domains: DomainTable?) {
        self.documents = documents
        hasDomains = domains != nil
        self.domains = domains ?? DomainTable(exact: [:], below: [:])
        table = .allocate(capacity: documents.count)
        for (number, document) in documents.enumerated() {
            let entry = Entry(memory: document.memory, document: .passUnretained(document))
            (table + number).initialize(to: entry)
        }
    }

    deinit {
        table.deallocate()
        domains.deallocate()
    }

    @usableFromInline
    func verdict(_ url: UnsafeRawBufferPointer) -> RouterVerdict {
        guard let base = url.baseAddress else { return .notAWebURL }
        guard let scanned = ScannedURL(base, url.count) else { return unusualVerdict(url) }
        var number = 0
        if hasDomains {
            number = document(url, scanned)
            if number < 0 { return .unknownDomain }
        }
        guard isUnmetered(url, number) else { return meteredVerdict(url, base, scanned, number) }
        let needed = scratchSize(url, scanned, number)
        guard needed <= Self.stackCapacity else { return verdict(url, base, scanned, number, scratchSize: needed) }
        return withUnsafeTemporaryAllocation(byteCount: Self.stackCapacity, alignment: 16) { scratch in
            verdict(url, base, scanned, number, scratch, Unmetered())
        }
    }

    /// Whether no URL of this length can take more steps than a decision may.
    @inline(__always)
    private func isUnmetered(_ url: UnsafeRawBufferPointer, _ number: Int) -> Bool {
        url.count <= table[number].memory.int(DocumentHeader.longestUnmetered)
    }

    /// The verdict about a URL whose decision may take long.
    @inline(never)
    private func meteredVerdict(
        _ url: UnsafeRawBufferPointer, _ base: UnsafeRawPointer, _ scanned: ScannedURL, _ number: Int
    ) -> RouterVerdict {
        var budget = WorkBudget.decision
        return meteredVerdict(url, base, scanned, number, &budget)
    }

    private func meteredVerdict(
        _ url: UnsafeRawBufferPointer, _ base: UnsafeRawPointer, _ scanned: ScannedURL, _ number: Int,
        _ budget: inout WorkBudget
    ) -> RouterVerdict {
        withUnsafeTemporaryAllocation(byteCount: scratchSize(url, scanned, number), alignment: 16) { scratch in
            withUnsafeMutablePointer(to: &budget) { budget in
                let verdict = verdict(url, base, scanned, number, scratch, Metered(budget: budget))
                return budget.pointee.isSpent ? .notDecided(number) : verdict
            }
        }
    }

    /// The verdict about a URL within a budget, of which other decisions take their part, too.
    func verdict(_ url: UnsafeRawBufferPointer, _ budget: inout WorkBudget) -> RouterVerdict {
        budget.spend(100 + url.count)
        guard let base = url.baseAddress, let parts = URLParts(url) else { return .notAWebURL }
        let scanned = ScannedURL(parts, in: base)
        let number = hasDomains ? unusualDocument(url, parts) : 0
        return number < 0 ? .unknownDomain : meteredVerdict(url, base, scanned, number, &budget)
    }

    /// The document of a host as written in the URL.
    @inline(__always)
    private func document(_ url: UnsafeRawBufferPointer, _ scanned: ScannedURL) -> Int {
        let count = scanned.hostEnd &- scanned.hostStart
        guard count <= 253, let base = url.baseAddress else { return -1 }
        return withUnsafeTemporaryAllocation(byteCount: 272, alignment: 16) { buffer in
            guard let folded = buffer.baseAddress else { return -1 }
            let host = base + scanned.hostStart
            var offset = 0
            while offset < count {
                // The scheme comes before the host, so the last word can be read from before its end.
                let start = min(offset, count &- 8)
                let word = Word.lowercased(host.word(start)) &>> UInt64(truncatingIfNeeded: (offset &- start) &* 8)
                folded.storeBytes(of: word.littleEndian, toByteOffset: offset, as: UInt64.self)
                offset &+= 8
            }
            return domains.document(UnsafeRawPointer(folded), count)
        }
    }

    /// A URL with a port, user information, an IP literal or a host that is not ASCII; or none at all.
    @inline(never)
    private func unusualVerdict(_ url: UnsafeRawBufferPointer) -> RouterVerdict {
        guard let base = url.baseAddress, let parts = URLParts(url) else { return .notAWebURL }
        let scanned = ScannedURL(parts, in: base)
        let number = hasDomains ? unusualDocument(url, parts) : 0
        guard number >= 0 else { return .unknownDomain }
        guard isUnmetered(url, number) else { return meteredVerdict(url, base, scanned, number) }
        return verdict(url, base, scanned, number, scratchSize: scratchSize(url, scanned, number))
    }

    /// The document of any host; negative if there is none.
    private func unusualDocument(_ url: UnsafeRawBufferPointer, _ parts: URLParts) -> Int {
        withUnsafeTemporaryAllocation(byteCount: 288, alignment: 16) { buffer in
            let host = UnsafeRawBufferPointer(rebasing: url[parts.host])
            let target = UnsafeMutableRawBufferPointer(rebasing: buffer[..<256])
            guard let count = Punycode.ascii(host: host, into: target), let start = target.baseAddress else {
                return -1
            }
            return domains.document(UnsafeRawPointer(start), count)
        }
    }

    /// The bytes that may be copied so that a decision needs no memory but the stack.
    static let stackCapacity = 1024
    /// The number of bytes that must be readable before a copy; `paddingAfter` after it.
    private static let paddingBefore = 16
    private static let paddingAfter = 72

    @inline(__always)
    private func scratchSize(_ url: UnsafeRawBufferPointer, _ scanned: ScannedURL, _ number: Int) -> Int {
        scanned.pathEnd &- scanned.pathStart &+ restSize(url, scanned, number) &+ Self.paddingBefore &+ 2
            &* Self.paddingAfter
    }

    /// The bytes of the URL after its path that a document needs.
    @inline(__always)
    private func restSize(_ url: UnsafeRawBufferPointer, _ scanned: ScannedURL, _ number: Int) -> Int {
        table[number].memory.int(DocumentHeader.hasConditions) == 1 ? url.count &- scanned.wholePathEnd : 0
    }

    @inline(never)
    private func verdict(
        _ url: UnsafeRawBufferPointer, _ base: UnsafeRawPointer, _ scanned: ScannedURL, _ number: Int, scratchSize: Int
    ) -> RouterVerdict {
        withUnsafeTemporaryAllocation(byteCount: scratchSize, alignment: 16) { scratch in
            verdict(url, base, scanned, number, scratch, Unmetered())
        }
    }

    @inline(__always)
    private func verdict(
        _ url: UnsafeRawBufferPointer, _ base: UnsafeRawPointer, _ scanned: ScannedURL, _ number: Int,
        _ scratch: UnsafeMutableRawBufferPointer, _ meter: some StepMeter
    ) -> RouterVerdict {
        let verdict = withPath(url, base, scanned, number, scratch) { DocumentSearch.decide($0, &$1, meter) }
        guard let verdict else { return .unknownDomain }
        return RouterVerdict(
            document: Int32(truncatingIfNeeded: number), key: verdict.key, apps: verdict.apps,
            hasManyApps: verdict.hasManyApps)
    }

    /// The apps that open a URL, if they are more than a verdict can say. This allocates.
    @usableFromInline
    func manyApps(_ verdict: RouterVerdict, _ url: UnsafeRawBufferPointer) -> [String]? {
        let number = Int(verdict.document)
        guard documents.indices.contains(number), let base = url.baseAddress, let parts = URLParts(url) else {
            return nil
        }
        let scanned = ScannedURL(parts, in: base)
        return withUnsafeTemporaryAllocation(byteCount: scratchSize(url, scanned, number), alignment: 16) { scratch in
            // As many steps as the decision has taken.
            var budget = WorkBudget.unlimited
            let apps = withUnsafeMutablePointer(to: &budget) { budget in
                withPath(url, base, scanned, number, scratch) {
                    DocumentSearch.openApps($0, &$1, Metered(budget: budget))
                }
            }
            return apps?.map { documents[number].apps[$0] }
        }
    }

    /// Lends the copy of a path in which the index looks.
    @inline(__always)
    private func withPath<Result>(
        _ url: UnsafeRawBufferPointer, _ base: UnsafeRawPointer, _ scanned: ScannedURL, _ number: Int,
        _ scratch: UnsafeMutableRawBufferPointer, _ body: (IndexText, inout RoutingRequest) -> Result
    ) -> Result? {
        guard let start = scratch.baseAddress else { return nil }
        let entry = table[number]
        let path = start + Self.paddingBefore
        let count = scanned.pathEnd &- scanned.pathStart
        var request = RoutingRequest(
            memory: entry.memory, document: entry.document, url: url, wholePathEnd: scanned.wholePathEnd,
            space: path + (count &+ Self.paddingAfter))
        path.copyMemory(from: base + scanned.pathStart, byteCount: count)
        path.storeBytes(of: UInt8(ascii: "/"), toByteOffset: count, as: UInt8.self)
        return body(IndexText(base: UnsafeRawPointer(path), count: count), &request)
    }
}

/// A decision in numbers.
@usableFromInline
struct RouterVerdict: Sendable {
    /// The number of the document, or what is wrong with the URL.
    let document: Int32
    /// The key of the rule that decided, or `RuleKey.none`.
    @usableFromInline let key: UInt32
    /// The apps, as bits, if the document has several groups and at most 64 apps.
    let apps: UInt64
    /// Whether there are too many apps for that.
    @usableFromInline let hasManyApps: Bool

    @inlinable var outcome: Outcome {
        if key >= .max - 1 { return key == .max ? .noMatch : .notDecided }
        return key & 1 == 1 ? .excluded : .open
    }

    static let notAWebURLNumber: Int32 = -2
    static let unknownDomain = RouterVerdict(document: -1, key: RuleKey.none, apps: 0, hasManyApps: false)
    /// To decide the URL by a document takes more steps than a decision may.
    static func notDecided(_ document: Int) -> RouterVerdict {
        RouterVerdict(
            document: Int32(truncatingIfNeeded: document), key: RuleKey.undecided, apps: 0, hasManyApps: false)
    }

    static let notAWebURL = RouterVerdict(document: notAWebURLNumber, key: RuleKey.none, apps: 0, hasManyApps: false)
}

/// The domains of a router: a hash table from names to documents.
///
/// A slot has 32 bytes: the name and its length (0, 4), the document of the name itself and that of the names below it, each
/// plus one (8, 12), the hash (16).
struct DomainTable: Sendable {
    private static let slotSize = 32

    private let table: Int
    private let mask: Int
    private let hasWildcards: Bool
    private let longest: Int
    private let seed: UInt64
    // Written once, by `init`, and only read until it is deallocated.
    nonisolated(unsafe) private let memory: UnsafeMutableRawPointer

    /// - Parameters:
    ///   - exact: The number of the document of each name, in ASCII and lowercase.
    ///   - below: The number of the document of all names below each name.
    init(exact: [String: Int], below: [String: Int], seed: UInt64 = .random(in: 0 ... .max)) {
        let names = Set(exact.keys).union(below.keys).sorted()
        var arena = Arena()
        var capacity = 4
        while capacity < names.count * 2 { capacity *= 2 }
        let table = arena.reserve(capacity * Self.slotSize, alignment: 64)
        for name in names {
            let text = Array(name.utf8)
            let textOffset = arena.append(text + [UInt8](repeating: 0, count: 8))
            let hash = (text + [UInt8](repeating: 0, count: 8)).withUnsafeBytes { bytes in
                bytes.baseAddress.map { Self.hash($0, text.count, seed) } ?? 0
            }
            var slot = Int(truncatingIfNeeded: hash) & (capacity - 1)
            while arena.bytes[table + slot * Self.slotSize + 4] != 0 { slot = (slot + 1) & (capacity - 1) }
            let offset = table + slot * Self.slotSize
            arena.store(textOffset, at: offset)
            arena.store(text.count, at: offset + 4)
            arena.store(exact[name].map { $0 + 1 } ?? 0, at: offset + 8)
            arena.store(below[name].map { $0 + 1 } ?? 0, at: offset + 12)
            arena.store(hash, at: offset + 16)
        }
        mask = capacity - 1
        hasWildcards = !below.isEmpty
        longest = names.map(\.utf8.count).max() ?? 0
        self.seed = seed
        memory = arena.freeze()
        self.table = table
    }

    /// Gives the memory back; the owner does this once.
    func deallocate() {
        memory.deallocate()
    }

    /// The number of the document for a host in lowercase; -1 if there is none.
    ///
    /// `host` may be read 8 bytes beyond its end.
    func document(_ host: UnsafeRawPointer, _ count: Int) -> Int {
        if count <= longest {
            let exact = number(host, count, 8)
            if exact >= 0 || !hasWildcards { return exact }
        }
        guard hasWildcards else { return -1 }
        var offset = 0
        while offset < count {
            if host.byte(offset) == UInt8(ascii: "."), count &- offset &- 1 <= longest {
                let below = number(host + (offset &+ 1), count &- offset &- 1, 12)
                if below >= 0 { return below }
            }
            offset &+= 1
        }
        return -1
    }

    private func number(_ host: UnsafeRawPointer, _ count: Int, _ field: Int) -> Int {
        let hash = Self.hash(host, count, seed)
        let memory = UnsafeRawPointer(memory)
        var number = Int(truncatingIfNeeded: hash) & mask
        while true {
            let slot = memory + (table &+ number &* Self.slotSize)
            let length = slot.int(4)
            if length == 0 { return -1 }
            if slot.word(16) == hash, length == count, Self.equal(memory + slot.int(0), host, count) {
                return slot.int(field) &- 1
            }
            number = (number &+ 1) & mask
        }
    }

    private static func hash(_ text: UnsafeRawPointer, _ count: Int, _ seed: UInt64) -> UInt64 {
        var hash = seed ^ UInt64(truncatingIfNeeded: count)
        var offset = 0
        while offset < count {
            hash = Word.mix(hash, text.word(offset) & Word.mask(count &- offset))
            offset &+= 8
        }
        return hash
    }

    private static func equal(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ count: Int) -> Bool {
        var offset = 0
        while offset < count {
            if (a.word(offset) ^ b.word(offset)) & Word.mask(count &- offset) != 0 { return false }
            offset &+= 8
        }
        return true
    }
}

/// A domain for which a file speaks, or all names below one.
package struct DomainName: Sendable {
    /// In Punycode and lower case, without the `*.` of a wildcard.
    package let ascii: String
    package let isWildcard: Bool

    /// - Parameter text: `example.com`, in any case, in Unicode or Punycode; `*.example.com`; or an IPv6 address in brackets.
    package init(_ text: String) throws(RouterError) {
        isWildcard = text.hasPrefix("*.")
        let name = isWildcard ? String(text.dropFirst(2)) : text
        guard let host = HostName(name), !isWildcard || !host.isAddress else {
            throw RouterError(.invalidDomain, text)
        }
        ascii = host.ascii
    }

    /// A host for URLs that show something about the file of a domain: one of those that a wildcard stands for, and
    /// `example.com` without a domain.
    package static func exampleHost(of domain: String?) -> String {
        guard let domain, let name = try? DomainName(domain) else { return "example.com" }
        return name.isWildcard ? "www.\(name.ascii)" : name.ascii
    }

    /// Whether the file of this domain is that of a host, which is in lower case and in Punycode.
    package func covers(_ host: String) -> Bool { isWildcard ? host.hasSuffix(".\(ascii)") : host == ascii }
}

internal import AppSiteAssociation

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
}

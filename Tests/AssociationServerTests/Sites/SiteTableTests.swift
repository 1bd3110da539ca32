import AssociationServer
import FuzzingSupport
import HTTP1
import TestSupport
import Testing

/// Tables that are made from others by a few changes, compared with dictionaries.
@Suite("Changes of the tables of sites")
struct SiteTableTests {
    @Test(
        "a table of hosts with some names removed and others added is that of the names that are left",
        arguments: TestSeeds.of(1...2))
    func hosts(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let names = (0..<2_000).map { $0 % 9 == 0 ? "*.s\($0 / 9).example" : "s\($0).example" }
        var model: [String: Int] = [:]
        var table = HostTable([])
        var earlier: [(HostTable, [String: Int])] = []
        for step in 0..<120 {
            if step % 10 == 0 { earlier.append((table, model)) }
            let isGrowing = step < 60
            let removed = random.list(of: Array(model.keys).sorted(), upTo: model.isEmpty ? 0 : isGrowing ? 3 : 40)
            for name in removed { model[name] = nil }
            var added: [(name: String, value: Int)] = []
            for name in random.list(of: names, upTo: isGrowing ? 60 : 3) {
                let value = random.number(below: 1_000_000)
                added.append((name, value))
                // Of equal names the first counts.
                if model[name] == nil { model[name] = value }
            }
            table = HostTable(table, removing: removed, adding: added)
        }
        for (table, model) in earlier + [(table, model)] {
            let wrong = names.filter { name in
                let plain = name.hasPrefix("*.") ? "x\(name.dropFirst())" : name
                return table.find(plain) != model[name] ?? model["*.example"]
            }
            #expect(wrong.isEmpty)
        }
    }

    @Test(
        "a table of sites with a few others serves what the list has, and earlier tables what theirs had",
        arguments: TestSeeds.of(1...2))
    func sites(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let pool = try SitePool()
        var list = SiteList(pool.first(300))
        var table = SiteTable(list)
        var earlier: [SiteTable] = []
        for step in 0..<80 {
            if step % 16 == 0 { earlier.append(table) }
            var changed: Set<Int> = []
            for _ in 0..<random.number(1...4) { change(&list, &changed, pool, &random) }
            table = SiteTable(table, with: list, changed: changed)
            #expect(Array(table.sites) == Array(list))
        }
        for table in earlier + [table] {
            var wrong: [String] = []
            for domain in pool.domains {
                let site = table.sites.first { $0.domain == domain }
                let answer = try Self.answer(table, domain)
                if answer.site != site.map({ Int32($0.number) }) ?? Responder.noSite { wrong.append(domain) }
                if let body = site?.file?.digest, body != answer.digest { wrong.append(domain) }
                if table.index(of: domain).map({ table.sites[$0].domain }) != site?.domain { wrong.append(domain) }
            }
            #expect(wrong.isEmpty)
        }
    }

    private func change(
        _ list: inout SiteList, _ changed: inout Set<Int>, _ pool: SitePool, _ random: inout SplitMix64
    ) {
        switch random.number(below: 3) {
        case 0 where !list.isEmpty:
            // The last one takes the index of the one that is gone.
            let index = random.number(below: list.count)
            let last = list.removeLast()
            changed.insert(list.count)
            if index < list.count {
                list.replace(index, with: last)
                changed.insert(index)
            }
        case 1 where !list.isEmpty:
            let index = random.number(below: list.count)
            list.replace(index, with: pool.other(list[index]))
            changed.insert(index)
        default:
            let present = Set(list.map(\.domain))
            guard let site = pool.all.shuffled(using: &random).first(where: { !present.contains($0.domain) }) else {
                return
            }
            changed.insert(list.count)
            list.append(site)
        }
    }

    /// The number of the site that answers for a host, and the SHA-256 that the entity tag of its file has.
    private static func answer(_ table: SiteTable, _ host: String) throws -> (site: Int32, digest: String?) {
        let bytes = Array("GET /.well-known/apple-app-site-association HTTP/1.1\r\nHost: \(host)\r\n\r\n".utf8)
        guard case .request(let head) = RequestParser.parse(bytes.span) else { throw TestFailure("refused: \(host)") }
        let scratch = UnsafeMutablePointer<UInt8>.allocate(capacity: HostKey.scratchCount)
        defer { scratch.deallocate() }
        let covered = HostTable([(host, 0)])
        let answer = Responder(standard: standard.view).answer(
            to: head, in: bytes.span, sites: table.view, covered: covered.view, serverName: nil, scratch: scratch,
            now: 2_000_000_000, mustClose: false)
        guard case .reply(let reply) = answer else { throw TestFailure("links answer: \(host)") }
        var output = [UInt8](repeating: 0, count: PreparedResponse.longestHead)
        let date = [UInt8](repeating: UInt8(ascii: "d"), count: HTTPDate.count)
        let count = output.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.map { reply.response.writeHead(to: $0, date: date, connection: reply.connection) } ?? 0
        }
        let field = String(decoding: output[..<count], as: UTF8.self).split(separator: "\r\n").first {
            $0.hasPrefix("ETag: ")
        }
        return (reply.site, field.map { String($0.dropFirst(7).dropLast()) })
    }

    private static let standard = StandardResponses()

    @Test("names by numbers follow changes, and say which numbers are free now", arguments: TestSeeds.of(1...2))
    func names(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var names = SiteNames([])
        var model: [Int: String] = [:]
        for step in 0..<200 {
            var changes: [Int: String?] = [:]
            for _ in 0..<random.number(1...30) {
                let number = random.number(below: 600)
                changes.updateValue(random.chance(step < 120 ? 70 : 20) ? "d\(step).example" : nil, forKey: number)
            }
            let before = names
            let modelBefore = model
            for (number, name) in changes { model[number] = name }
            names = SiteNames(names, changes)
            #expect(names.view.count == (model.keys.max() ?? -1) + 1)
            #expect(
                (0..<names.view.count).allSatisfy {
                    String(decoding: names.view[$0], as: UTF8.self) == model[$0] ?? ""
                })
            #expect(Set(names.freed(since: before)) == Set(modelBefore.keys.filter { model[$0] == nil }))
        }
    }
}

/// Two loaded versions of each of many sites.
private struct SitePool {
    let all: [LoadedSite]
    let domains: [String]
    private let others: [String: LoadedSite]
    private let folder: SitesFolder

    init() throws {
        folder = try SitesFolder()
        for number in 0..<400 { try folder.write(SitesFolder.document, "s\(number).example") }
        try folder.load()
        all = folder.sites
        domains = all.map(\.domain)
        for number in 0..<400 {
            try folder.write(SitesFolder.document + String(repeating: " ", count: number + 1), "s\(number).example")
        }
        try folder.load()
        others = Dictionary(uniqueKeysWithValues: folder.sites.map { ($0.domain, $0) })
    }

    func first(_ count: Int) -> ArraySlice<LoadedSite> { all.prefix(count) }

    /// The other version of a site, or the same again.
    func other(_ site: LoadedSite) -> LoadedSite { others[site.domain] ?? site }
}

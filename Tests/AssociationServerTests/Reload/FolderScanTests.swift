import AssociationServer
import EventLoops
import SystemSupport
import Testing

/// A file system in memory.
private struct SampleTree: FileTree {
    /// By absolute path; the folders above are there by themselves.
    var entries: [String: FileTreeEntry] = [:]
    private var inodes: [String: Inode] = [:]

    /// - Parameter lines: `path` for a file, `path/` for a folder, `path -> target` for a link.
    init(_ lines: String...) {
        for line in lines { add(line) }
    }

    mutating func add(_ line: String) {
        if let arrow = line.firstRange(of: " -> ") {
            place(.link(target: String(line[arrow.upperBound...])), at: String(line[..<arrow.lowerBound]))
        } else if line.hasSuffix("/") {
            addFolder(String(line.dropLast()))
        } else {
            place(.file(stamp(line)), at: line)
        }
    }

    func stamp(_ path: String, modified: Int64 = 0) -> FileStamp {
        FileStamp(inode: Inode(device: 1, number: UInt64(entries.count)), size: 1, modified: modified, changed: 0)
    }

    mutating func place(_ entry: FileTreeEntry, at path: String) {
        addFolder(Path.folder(of: path))
        entries[path] = entry
    }

    private mutating func addFolder(_ path: String) {
        guard entries[path] == nil else { return }
        entries[path] = .folder(Inode(device: 1, number: UInt64(entries.count)))
        if path != "/" { addFolder(Path.folder(of: path)) }
    }

    func entry(_ path: String) -> FileTreeEntry { entries[path] ?? .nothing }

    func folders(in path: String) -> [String]? {
        guard case .folder = entry(path) else { return nil }
        let start = path == "/" ? path : "\(path)/"
        return entries.keys.compactMap { key -> String? in
            guard key != "/", key.hasPrefix(start), !key.dropFirst(start.count).contains("/") else { return nil }
            if case .file = entry(key) { return nil }
            let name = String(key.dropFirst(start.count))
            return name.hasPrefix(".") ? nil : name
        }.sorted()
    }
}

extension SampleTree {
    func names(in path: String) -> [String] {
        let start = path == "/" ? path : "\(path)/"
        return entries.keys.filter { $0 != "/" && $0.hasPrefix(start) && !$0.dropFirst(start.count).contains("/") }
            .map { String($0.dropFirst(start.count)) }
    }
}

@Suite("Which folders tell of changes")
struct FolderScanTests {
    private func look(
        _ tree: SampleTree, sites: String = "/srv/sites", certs: String = "/srv/certs", issuance: String? = nil,
        now: Int64 = 1_000, only subjects: Set<String>? = nil
    ) -> DirectoryFingerprint {
        let roots = FolderScan.Roots(
            sites: sites, certs: certs, issuance: issuance,
            siteFiles: ["apple-app-site-association", "assetlinks.json"],
            workingDirectory: "/work")
        return FolderScan.scan(roots, in: tree, now: now, only: subjects)
    }

    /// `path: name, name`, with `*` for all names, and `+` where files are watched for being written.
    private func plan(_ view: DirectoryFingerprint) -> [String] {
        view.folders.map { folder in
            let names = folder.names.map { $0.sorted().joined(separator: " ") } ?? "*"
            return "\(folder.path)\(folder.hasFiles ? "+" : ""): \(names)"
        }.sorted()
    }

    private let siteNames = ".aasa.json apple-app-site-association assetlinks.json"

    @Test("the way to the folders, the folders, and each site and pair are watched")
    func plain() {
        let tree = SampleTree(
            "/srv/.git/", "/srv/sites/a.example/apple-app-site-association", "/srv/sites/b.example/",
            "/srv/certs/one/fullchain.pem", "/srv/certs/one/privkey.pem")
        let view = look(tree)
        #expect(
            plan(view) == [
                "/: srv", "/srv/certs/one+: fullchain.pem privkey.pem", "/srv/certs: *",
                "/srv/sites/a.example+: \(siteNames)", "/srv/sites/b.example+: \(siteNames)", "/srv/sites: *",
                "/srv: .aasa.json certs sites",
            ])
        #expect(Set(view.folders.prefix(view.essential).map(\.path)) == ["/", "/srv", "/srv/sites", "/srv/certs"])
    }

    @Test("certbot's links lead to the archive")
    func certbot() {
        let tree = SampleTree(
            "/srv/sites/", "/etc/letsencrypt/archive/x/fullchain3.pem", "/etc/letsencrypt/archive/x/privkey3.pem",
            "/etc/letsencrypt/live/x/fullchain.pem -> ../../archive/x/fullchain3.pem",
            "/etc/letsencrypt/live/x/privkey.pem -> ../../archive/x/privkey3.pem")
        let watched = plan(look(tree, certs: "/etc/letsencrypt/live"))
        #expect(watched.contains("/etc/letsencrypt/live/x+: fullchain.pem privkey.pem"))
        #expect(watched.contains("/etc/letsencrypt/archive/x+: fullchain3.pem privkey3.pem"))
        #expect(watched.contains("/etc/letsencrypt/archive: x"))
        #expect(watched.contains("/etc/letsencrypt: archive live"))
    }

    @Test("Kubernetes' links lead over ..data to what it leads to")
    func kubernetes() {
        let tree = SampleTree(
            "/srv/certs/", "/srv/sites/a.example/..2026_01_01/apple-app-site-association",
            "/srv/sites/a.example/..data -> ..2026_01_01",
            "/srv/sites/a.example/apple-app-site-association -> ..data/apple-app-site-association")
        let watched = plan(look(tree))
        #expect(watched.contains("/srv/sites/a.example+: ..2026_01_01 ..data \(siteNames)"))
        #expect(watched.contains("/srv/sites/a.example/..2026_01_01+: apple-app-site-association"))
    }

    @Test("linked folders of sites, and of all sites, are followed; relative paths begin where the process works")
    func linkedFolders() {
        let tree = SampleTree(
            "/work/certs/", "/work/sites -> /releases/current/sites", "/releases/current -> v2",
            "/releases/v2/sites/a.example -> /data/a", "/data/a/apple-app-site-association")
        let watched = plan(look(tree, sites: "sites", certs: "certs"))
        #expect(watched.contains("/work: certs sites"))
        #expect(watched.contains("/releases: current v2"))
        #expect(watched.contains("/releases/v2/sites: *"))
        #expect(watched.contains("/data/a+: \(siteNames)"))
        #expect(watched.contains("/data: .aasa.json a"))
    }

    @Test("of what is missing, the folder that it would come into is watched")
    func missing() {
        let tree = SampleTree("/srv/certs/x/fullchain.pem -> ../../archive/x/fullchain1.pem", "/srv/archive/")
        let view = look(tree)
        #expect(plan(view).contains("/srv: archive certs sites"))
        #expect(plan(view).contains("/srv/archive: x"))
        var other = tree
        other.add("/srv/sites/")
        #expect(look(other).hash != view.hash)
    }

    @Test("links in a circle come to an end")
    func circle() {
        let tree = SampleTree("/srv/sites -> other", "/srv/other -> sites", "/srv/certs -> certs")
        #expect(plan(look(tree)) == ["/: srv", "/srv: certs other sites"])
    }

    @Test("the validator's configurations are watched up to the root of the repository")
    func lintConfigurations() {
        let tree = SampleTree(
            "/srv/certs/", "/srv/.git/", "/srv/sites/a.example/", "/srv/sites/b.example/.aasa.json", "/srv/.aasa.json")
        let watched = plan(look(tree))
        #expect(watched.contains("/srv+: .aasa.json certs sites"))
        #expect(watched.contains("/: srv"))
        #expect(watched.contains("/srv/sites/b.example+: \(siteNames)"))
    }

    @Test("the fingerprint changes with files, links and names, and with nothing else")
    func fingerprint() {
        let file = "/srv/sites/a.example/apple-app-site-association"
        let tree = SampleTree(file, "/srv/certs/one/fullchain.pem", "/srv/certs/one/privkey.pem -> k1")
        let view = look(tree)
        #expect(look(tree) == view)
        var changes: [(inout SampleTree) -> Void] = []
        changes.append { $0.place(.file($0.stamp(file, modified: 1)), at: file) }
        changes.append { $0.add("/srv/certs/one/privkey.pem -> k2") }
        changes.append { $0.add("/srv/certs/one/k1") }
        changes.append { $0.add("/srv/sites/b.example/") }
        changes.append { $0.add("/srv/sites/a.example/assetlinks.json") }
        changes.append { $0.add("/srv/sites/.aasa.json") }
        for change in changes {
            var other = tree
            change(&other)
            #expect(look(other).hash != view.hash)
        }
        var other = tree
        other.add("/srv/sites/a.example/.apple-app-site-association.swp")
        other.add("/srv/other")
        #expect(look(other).hash == view.hash)
    }

    @Test(
        "a file that was changed a moment ago may have been changed since",
        arguments: [(1_000, true), (3, true), (2, false), (0, false), (-9, false)])
    func conclusive(now: Int64, isConclusive: Bool) {
        let tree = SampleTree("/srv/sites/a.example/apple-app-site-association", "/srv/certs/")
        #expect(look(tree, now: now).isConclusive == isConclusive)
    }

    /// `path: subject`, with `*` where each entry is one, and `?` where there may be several.
    private func subjects(_ view: DirectoryFingerprint) -> Set<String> {
        Set(
            view.folders.map { folder in
                let subject =
                    switch folder.subjects {
                    case .none: "-"
                    case .one(let path): path
                    case .several: "?"
                    case .entries: "*"
                    }
                return "\(folder.path): \(subject)"
            })
    }

    @Test("each folder is about the site or the pair that needs it, unless several do")
    func subjects() {
        let tree = SampleTree(
            "/srv/.git/", "/srv/sites/a.example/apple-app-site-association", "/srv/sites/b.example -> /data/b",
            "/data/b/apple-app-site-association -> ../common/file", "/data/common/file",
            "/srv/sites/c.example/apple-app-site-association -> /data/only/file", "/data/only/file",
            "/srv/sites/c.example/assetlinks.json -> /data/common/file", "/srv/certs/one/fullchain.pem")
        let view = look(tree)
        #expect(view.sites == "/srv/sites")
        #expect(
            subjects(view) == [
                "/: ?", "/srv: ?", "/srv/sites: *", "/srv/certs: *", "/srv/certs/one: /srv/certs/one",
                "/srv/sites/a.example: /srv/sites/a.example", "/srv/sites/c.example: /srv/sites/c.example",
                "/data: ?", "/data/b: /srv/sites/b.example", "/data/common: ?",
                "/data/only: /srv/sites/c.example",
            ])
    }

    @Test(
        "in a root that something else leads through, no entry is a subject",
        arguments: [
            "/srv/sites/a.example/apple-app-site-association -> ../b.example/apple-app-site-association",
            "/srv/sites/a.example/.aasa.json -> ../base.json",
        ])
    func sharedRoot(link: String) {
        let tree = SampleTree("/srv/.git/", "/srv/sites/b.example/", "/srv/certs/", link)
        #expect(subjects(look(tree)).contains("/srv/sites: ?"))
        #expect(subjects(look(tree, sites: "/srv", certs: "/srv/certs")).contains("/srv: ?"))
        #expect(subjects(look(tree, sites: "/srv/certs")).contains("/srv/certs: ?"))
    }

    @Test("a configuration above the folders of sites concerns all of them")
    func subjectsOfConfigurations() {
        let tree = SampleTree(
            "/srv/sites/a.example -> /data/x/a", "/data/x/a/apple-app-site-association", "/srv/certs/")
        let watched = subjects(look(tree))
        #expect(watched.isSuperset(of: ["/data/x: ?", "/data/x/a: /srv/sites/a.example", "/srv/sites: *"]))
    }

    @Test("a few sites are looked at without the others")
    func fewSubjects() {
        let tree = SampleTree(
            "/srv/.git/", "/srv/sites/a.example/", "/srv/sites/b.example -> /data/b", "/data/b/", "/srv/certs/one/")
        let few = look(tree, only: ["/srv/sites/b.example", "/srv/sites/gone.example"])
        let all = look(tree)
        #expect(
            plan(few) == [
                "/: .aasa.json data srv", "/data/b+: \(siteNames)", "/data: .aasa.json b", "/srv/certs: *",
                "/srv/sites: *", "/srv: certs sites",
            ])
        #expect(few.folders.filter { $0.path != "/srv" && $0.path != "/" }.allSatisfy(all.folders.contains))
        #expect(plan(look(tree, only: ["/srv/certs/one"])).contains("/srv/certs/one+: fullchain.pem privkey.pem"))
    }

    @Test("accounts are not looked at, but requests to renew are")
    func issuance() {
        var tree = SampleTree(
            "/srv/sites/", "/srv/certs/a/fullchain.pem -> ..data/fullchain.pem", "/srv/certs/a/..data -> ..1",
            "/srv/certs/a/..1/fullchain.pem", "/srv/certs/acme-account/ca/state.json",
            "/srv/certs/acme-account/renew/a.example")
        for issuance in [nil, "/srv/certs", "/srv/certs/../certs"] {
            let watched = plan(look(tree, issuance: issuance))
            #expect(!watched.contains { $0.contains("state.json") || $0.contains("acme-account/ca") })
            #expect(watched.contains("/srv/certs/acme-account/renew: *") == (issuance != nil))
            let mark = issuance == nil ? "" : " acme.json"
            #expect(watched.contains("/srv/certs/a+: ..1 ..data\(mark) fullchain.pem privkey.pem"), "\(watched)")
            let announced = look(tree, issuance: issuance).folders.filter(\.isAnnounced).map(\.path)
            let installed = ["/srv/certs", "/srv/certs/a", "/srv/certs/a/..1"]
            #expect(announced.sorted() == (issuance == nil ? [] : installed))
        }
        let before = look(tree, issuance: "/srv/certs").hash
        #expect(look(tree, issuance: "/srv/certs").hash == before)
        tree.add("/srv/certs/acme-account/ca/orders/b.key")
        #expect(look(tree, issuance: "/srv/certs").hash == before)
        let request = "/srv/certs/acme-account/renew/b.example"
        tree.add(request)
        let asked = look(tree, issuance: "/srv/certs").hash
        #expect(asked != before)
        // It was answered, and somebody has asked once more before anybody looked.
        tree.place(.file(tree.stamp(request, modified: 5)), at: request)
        #expect(look(tree, issuance: "/srv/certs").hash != asked)
    }

    @Test("another folder of certificates is watched like the first, also inside it, and before it is there")
    func otherIssuance() {
        let tree = SampleTree(
            "/srv/sites/", "/srv/certs/a/fullchain.pem", "/srv/certs/own/b/fullchain.pem", "/var/lib/")
        let inside = plan(look(tree, issuance: "/srv/certs/own"))
        #expect(inside.contains("/srv/certs/own: *"))
        #expect(inside.contains("/srv/certs/own/b+: acme.json fullchain.pem privkey.pem"), "\(inside)")
        #expect(plan(look(tree, issuance: "/var/lib/aasa")).contains("/var/lib: aasa"))
    }
}

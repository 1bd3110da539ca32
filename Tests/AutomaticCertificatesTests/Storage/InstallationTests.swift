import ACME
import AssociationServer
import AutomaticCertificates
import DomainNames
import Foundation
import Logging
import OpenSSL
import PushSamples
import ServiceHealth
import SystemSupport
import TestSupport
import Testing

struct InstallationTests {
    private let folder: TemporaryFolder
    private let issuance: IssuanceFolder
    private var path: String { issuance.path }

    init() throws {
        folder = try TemporaryFolder()
        issuance = IssuanceFolder("\(folder.path)/certs")
        try folder.write(
            #"{"webcredentials":{"apps":["7K3QWZ9PLM.com.shop.app"]}}"#,
            to: "sites/shop.example.com/apple-app-site-association")
    }

    @discardableResult
    private func install(
        _ name: String = "shop.example.com", key: Int = 301, now: Int64 = IssuanceSamples.now
    ) throws -> String {
        let certificate = try IssuanceSamples.issued(name, key: .p256(key))
        return try issuance.install(certificate, directory: IssuanceSamples.directory, now: now)
    }

    private var configuration: ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.sites = "\(folder.path)/sites"
        configuration.certs = path
        configuration.acme.agreesToTerms = true
        return configuration
    }

    /// The inventory as the server reads it from the folder.
    private func inventory() throws -> ServerInventory {
        try ServerInventory(configuration, now: IssuanceSamples.now)
    }

    private func generations(_ name: String = "shop.example.com") -> [String] {
        Folder.names(in: "\(path)/\(name)", most: 100).filter { $0.hasPrefix("..") && $0 != "..data" }.sorted()
    }

    @Test("the server reads what was installed")
    func loader() throws {
        let issued = try IssuanceSamples.issued()
        let own = try issuance.install(issued, directory: IssuanceSamples.directory, now: IssuanceSamples.now)
        #expect(own == "\(path)/shop.example.com")
        let inventory = try inventory()
        #expect(inventory.findings.isEmpty, "\(inventory.findings)")
        let certificate = try #require(inventory.input.certificates.first)
        #expect(inventory.input.certificates.count == 1)
        #expect(certificate.folder == own && certificate.names == ["shop.example.com"])
        #expect(certificate.source == .acme && !certificate.isKept)
        #expect(certificate.leaf == issued.chain.leaf.der)
        #expect(inventory.presented == ["shop.example.com": own])
        #expect(
            IssuanceFolder.metadata(of: own)
                == CertificateMetadata(
                    directory: IssuanceSamples.directory.description,
                    domain: IssuanceSamples.domain("shop.example.com"),
                    issuedAt: IssuanceSamples.now))
    }

    @Test("a server behind a proxy sees what was installed for it, so that it is not ordered again and again")
    func behindProxy() throws {
        try install()
        var configuration = configuration
        configuration.listen = ["http://127.0.0.1:8080"]
        let server = try LinkServer(
            configuration, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        #expect(server.issuanceInput.certificates.map(\.names) == [["shop.example.com"]])
    }

    @Test("files are links through one link, and only their owner can read them")
    func layout() throws {
        try install()
        let generation = try #require(generations().first)
        let contents = FolderContents(path).entries
        let own = "shop.example.com"
        #expect(
            Set(contents.keys)
                == Set(
                    [own]
                        + [
                            "..data", "fullchain.pem", "privkey.pem", "acme.json", generation,
                            "\(generation)/fullchain.pem", "\(generation)/privkey.pem", "\(generation)/acme.json",
                        ].map { "\(own)/\($0)" }))
        #expect(contents["\(own)/..data"] == "-> \(generation)")
        #expect(contents["\(own)/privkey.pem"] == "-> ..data/privkey.pem")
        for (path, content) in contents where !content.hasPrefix("->") {
            #expect(content.hasPrefix("600 ") || content == "folder 700", "\(path): \(content.prefix(12))")
        }
    }

    @Test(
        "the key is the file that was stored for the order, unless that is another key or others could read it",
        arguments: ["same", "other", "readable", "link"])
    func storedKey(_ kind: String) throws {
        let issued = try IssuanceSamples.issued()
        let account = issuance.account(IssuanceSamples.directory)
        let other = try IssuanceSamples.issued(key: .p256(302)).key
        try account.storeOrderKey(kind == "other" ? other : issued.key, of: issued.domain)
        let stored = account.orderKeyPath(of: issued.domain)
        switch kind {
        case "readable": #expect(chmod(stored, 0o644) == 0)
        case "link":
            #expect(rename(stored, "\(folder.path)/elsewhere.key") == 0)
            #expect(symlink("\(folder.path)/elsewhere.key", stored) == 0)
        default: break
        }
        let own = try issuance.install(issued, directory: IssuanceSamples.directory, now: IssuanceSamples.now)
        let installed = "\(own)/privkey.pem"
        let isOne = FileStatus(at: installed)?.stamp.inode == FileStatus(at: stored)?.stamp.inode
        #expect(isOne == (kind == "same"))
        account.removeOrderKey(of: issued.domain)
        let pem = try #require(issued.key.pem)
        #expect(try pem.withBytes { try FileReader.read(installed, limit: 1 << 16).bytes == $0 })
        #expect(FileStatus(at: installed)?.permissions == 0o600)
        #expect(try inventory().findings.isEmpty)
    }

    @Test("key and chain change together; one generation before stays")
    func generations() throws {
        for index in 0..<4 {
            try install(key: 301 + index)
            #expect(generations().count == min(index + 1, 2))
            #expect(try inventory().findings.isEmpty)
        }
        // The clock may go back.
        try install(now: IssuanceSamples.now - 86_400)
        #expect(generations().count == 2)
        #expect(try inventory().findings.isEmpty)
    }

    @Test("a reader sees the old pair or the new one, never one of each")
    func together() throws {
        try install()
        let own = "\(path)/shop.example.com"
        let done = Locked(false)
        let mismatches = Locked(0)
        let group = DispatchGroup()
        DispatchQueue.global().async(group: group) {
            while !done.withLock({ $0 }) {
                // A program that opens the folder of the moment gets both files of one generation.
                guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(own)/..data"),
                    let key = FileManager.default.contents(atPath: "\(own)/\(target)/privkey.pem"),
                    let chain = FileManager.default.contents(atPath: "\(own)/\(target)/fullchain.pem")
                else { continue }
                if key.isEmpty || chain.isEmpty { mismatches.withLock { $0 += 1 } }
                // A reader for whom two installations pass between its steps finds the first one's folder gone.
                let isMissing = !Path.exists("\(own)/privkey.pem")
                if isMissing, (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(own)/..data")) == target {
                    mismatches.withLock { $0 += 1 }
                }
            }
        }
        for index in 0..<30 { try install(key: 301 + index % 2) }
        done.withLock { $0 = true }
        group.wait()
        #expect(mismatches.withLock { $0 } == 0)
    }

    @Test("what a crash has left is removed by the next installation")
    func leftovers() throws {
        try folder.write("half", to: "certs/.acme-new/..2026/privkey.pem")
        try install()
        try folder.write("half", to: "certs/shop.example.com/..20200101T000000Z/privkey.pem")
        try folder.write("", to: "certs/shop.example.com/.privkey.pem.new")
        try folder.link("certs/shop.example.com/...data.new", to: "..gone")
        try folder.write("mine", to: "certs/shop.example.com/notes.txt")
        try install()
        #expect(!Path.exists("\(path)/.acme-new"))
        #expect(generations().count == 2)
        let names = Set(Folder.names(in: "\(path)/shop.example.com", most: 100))
        #expect(
            names.subtracting(generations())
                == ["..data", "fullchain.pem", "privkey.pem", "acme.json", "notes.txt"])
    }

    @Test(
        "what is somebody else's stays as it is, byte for byte",
        arguments: ["folder", "empty", "file", "link", "nowhere"])
    func others(kind: String) throws {
        let name = "certs/shop.example.com"
        switch kind {
        case "folder":
            try folder.write("chain", to: "\(name)/fullchain.pem")
            try folder.write("key", to: "\(name)/privkey.pem")
        case "empty":
            try FileManager.default.createDirectory(
                atPath: "\(folder.path)/\(name)", withIntermediateDirectories: true)
        case "file": try folder.write("text", to: name)
        case "link":
            // Even to a folder that looks like one of ACME.
            try folder.write("chain", to: "elsewhere/fullchain.pem")
            try folder.write(
                #"{"version":1,"directory":"https://ca.example.net/directory","domain":"shop.example.com"}"#,
                to: "elsewhere/acme.json")
            try folder.write("", to: "certs/x/y")
            try folder.link(name, to: "../elsewhere")
        default:
            try folder.write("", to: "certs/x/y")
            try folder.link(name, to: "../gone")
        }
        let before = FolderContents(folder.path)
        for _ in 0..<2 { #expect(try install() == "\(path)/shop.example.com-acme") }
        var after = FolderContents(folder.path).entries
        for key in after.keys where key.hasPrefix("\(name)-acme") { after[key] = nil }
        #expect(after == before.entries)
        #expect(!Path.exists("\(folder.path)/gone"))
        #expect(IssuanceFolder.metadata(of: "\(path)/shop.example.com-acme")?.domain.identifier == "shop.example.com")
    }

    @Test("a folder of ACME for another name is not taken")
    func otherDomain() throws {
        try folder.write("", to: "certs/shop/x")
        try install("shop-acme")
        let before = FolderContents(path).below("shop-acme")
        let error = #expect(throws: SystemError.self) { try install("shop") }
        #expect(
            error?.reason.contains("'shop-acme' exist, but this server did not create them") == true,
            "\(String(describing: error))")
        #expect(FolderContents(path).below("shop-acme") == before)
    }

    @Test("damaged metadata is still one of ACME")
    func damagedMark() throws {
        let own = try install()
        try FileManager.default.removeItem(atPath: "\(own)/acme.json")
        for text in ["", "{", "{\"version\":2}", "[]"] {
            try folder.write(text, to: "certs/shop.example.com/acme.json")
            #expect(IssuanceFolder.metadata(of: own) == nil)
        }
        #expect(IssuanceFolder.metadata(of: "\(path)/nothing") == nil)
        #expect(try install() == own)
        #expect(IssuanceFolder.metadata(of: own)?.issuedAt == IssuanceSamples.now)
        let generation = generations().last ?? ""
        #expect(FolderContents(path).entries["shop.example.com/acme.json"] == "-> ..data/acme.json", "\(generation)")
    }

    @Test("a wildcard is in a folder that is called as that of its site")
    func wildcard() throws {
        #expect(try install("*.example.com") == "\(path)/_wildcard.example.com")
        #expect(IssuanceFolder.metadata(of: "\(path)/_wildcard.example.com")?.domain.identifier == "*.example.com")
    }

    @Test("an installation that fails leaves the certificate in use, and nothing of the new one")
    func failure() throws {
        try folder.write("", to: "certs/shop.example.com/acme.json")
        try folder.write("", to: "certs/shop.example.com/..data/x")
        let before = FolderContents(path)
        #expect(throws: SystemError.self) { try install() }
        #expect(FolderContents(path) == before)
    }

    @Test(
        "on a full file system nothing changes",
        .enabled(if: SmallFileSystem.isAvailable, "needs the right to mount a file system"))
    func full() throws {
        let small = try SmallFileSystem(in: folder, kilobytes: 128)
        let issuance = IssuanceFolder(small.path)
        let first = try IssuanceSamples.issued()
        _ = try issuance.install(first, directory: IssuanceSamples.directory, now: IssuanceSamples.now)
        let before = FolderContents(small.path)
        try small.fill()
        for name in ["shop.example.com", "new.example.com"] {
            let certificate = try IssuanceSamples.issued(name, key: .p256(302))
            let error = #expect(throws: SystemError.self) {
                _ = try issuance.install(certificate, directory: IssuanceSamples.directory, now: IssuanceSamples.now)
            }
            #expect(error?.number == ENOSPC)
        }
        try small.free()
        #expect(FolderContents(small.path) == before)
        _ = try issuance.install(
            IssuanceSamples.issued("shop.example.com", key: .p256(302)), directory: IssuanceSamples.directory,
            now: IssuanceSamples.now)
    }
}

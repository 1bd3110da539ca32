import ACME
import AutomaticCertificates
import Foundation
import OpenSSL
import PushSamples
import SystemSupport
import TestSupport
import Testing

struct AccountFolderTests {
    private let folder: TemporaryFolder
    private let issuance: IssuanceFolder
    private let account: AccountFolder
    private let context: LibraryContext

    init() throws {
        folder = try TemporaryFolder()
        issuance = IssuanceFolder("\(folder.path)/certs")
        account = issuance.account(IssuanceSamples.directory)
        context = try LibraryContext()
    }

    private static func accountKey() throws -> AccountKey {
        guard let key = AccountKey(try SampleKey.p256(300).privateKey()) else { throw TestFailure("no key") }
        return key
    }

    private static func mode(_ path: String) -> String? {
        FileStatus(at: path).map { String($0.permissions, radix: 8) }
    }

    @Test(
        "each CA has a folder of its own",
        arguments: [
            ("https://ca.example.net/directory", "ca.example.net"),
            ("https://ca.example.net:14000/dir", "ca.example.net_14000_dir"),
        ])
    func folders(url: String, name: String) {
        let account = IssuanceFolder("certs").account(IssuanceSamples.url(url))
        #expect(account.path == "certs/acme-account/\(name)")
    }

    @Test("nothing is there in the beginning, and nothing is made by looking")
    func nothing() throws {
        #expect(try account.readKey(in: context) == nil)
        #expect(try account.readAccount() == nil)
        #expect(try account.readState() == IssuanceState())
        #expect(try account.readOrderKey(of: IssuanceSamples.domain("a.example"), in: context) == nil)
        #expect(account.orderKeys().isEmpty)
        account.removeOrderKey(of: IssuanceSamples.domain("a.example"))
        #expect(!issuance.isLocked())
        #expect(issuance.renewalRequests().isEmpty)
        #expect(FolderContents(folder.path).entries.isEmpty)
    }

    @Test("what is stored is read again; only its owner can")
    func roundTrip() throws {
        let key = try Self.accountKey()
        try account.store(key)
        #expect(try account.readKey(in: context)?.thumbprint == key.thumbprint)
        let stored = ACMEAccount(
            directory: IssuanceSamples.directory, url: IssuanceSamples.url("https://ca.example.net/account/7"),
            contact: ["ops@example.com"], termsOfService: nil, caaIdentities: ["ca.example.net"])
        try account.store(stored)
        #expect(try account.readAccount() == stored)
        var state = IssuanceState()
        state.attemptStarted(IssuanceSamples.domain("shop.example.com"), now: 1_790_000_000)
        try account.storeState(Array(state.json.utf8))
        try account.storeState(Array(state.json.utf8))
        #expect(try account.readState() == state)
        let domain = IssuanceSamples.domain("*.example.com")
        let orderKey = try SampleKey.p256(302).privateKey()
        try account.storeOrderKey(orderKey, of: domain)
        try account.storeOrderKey(orderKey, of: domain)
        let read = try #require(try account.readOrderKey(of: domain, in: context))
        #expect(read.publicKeyInfo == orderKey.publicKeyInfo)
        #expect(account.orderKeys() == [domain])
        let contents = FolderContents("\(folder.path)/certs").entries
        let own = "acme-account/ca.example.net"
        #expect(
            Set(contents.keys) == [
                "acme-account", own, "\(own)/account.key", "\(own)/account.json", "\(own)/state.json", "\(own)/orders",
                "\(own)/orders/_wildcard.example.com.key",
            ])
        for (path, content) in contents {
            #expect(content.hasPrefix("600 ") || content == "folder 700", "\(path): \(content.prefix(12))")
        }
        account.removeOrderKey(of: domain)
        #expect(account.orderKeys().isEmpty)
    }

    @Test("the key of an account is never replaced, neither a good one nor a damaged one")
    func keyStays() throws {
        try account.store(Self.accountKey())
        let before = FolderContents(folder.path)
        let error = #expect(throws: SystemError.self) { try account.store(Self.accountKey()) }
        #expect(error?.number == EEXIST)
        #expect(FolderContents(folder.path) == before)
        try folder.write("rubbish", to: "certs/acme-account/ca.example.net/account.key")
        let failure = #expect(throws: IssuanceError.self) { try account.readKey(in: context) }
        #expect(failure?.type == .acmeAccount && failure?.scope == .authority)
        #expect(failure?.message.contains("acme-account/ca.example.net/account.key'") == true)
        #expect(throws: SystemError.self) { try account.store(Self.accountKey()) }
        #expect(
            try String(contentsOfFile: "\(account.path)/account.key", encoding: .utf8) == "rubbish")
    }

    @Test("what cannot be read is an error that names the file, and not a missing one")
    func damaged() throws {
        for name in ["account.key", "account.json", "state.json", "orders/shop.example.com.key"] {
            let path = "certs/acme-account/ca.example.net/\(name)"
            try folder.write("{", to: path)
            let type: IssuanceErrorType = name.hasPrefix("account") ? .acmeAccount : .storage
            for isFolder in [false, true] {
                if isFolder {
                    try FileManager.default.removeItem(atPath: "\(folder.path)/\(path)")
                    try folder.write("", to: "\(path)/x")
                }
                let error = #expect(throws: IssuanceError.self, "\(name)") {
                    switch name {
                    case "account.key": _ = try account.readKey(in: context)
                    case "account.json": _ = try account.readAccount()
                    case "state.json": _ = try account.readState()
                    default:
                        _ = try account.readOrderKey(of: IssuanceSamples.domain("shop.example.com"), in: context)
                    }
                }
                #expect(
                    error?.type == type && error?.message.contains(path) == true,
                    "\(name): \(String(describing: error))")
            }
        }
    }

    @Test("an account of another directory is not used")
    func otherDirectory() throws {
        let other = ACMEAccount(
            directory: IssuanceSamples.otherDirectory, url: IssuanceSamples.url("https://ca.example.net/account/7"),
            contact: [], termsOfService: nil, caaIdentities: [])
        try folder.write(other.json, to: "certs/acme-account/ca.example.net/account.json")
        let error = #expect(throws: IssuanceError.self) { try account.readAccount() }
        #expect(error?.type == .acmeAccount)
    }

    @Test("a broken link is not a missing file")
    func link() throws {
        try folder.write("", to: "certs/acme-account/ca.example.net/x")
        try folder.link("certs/acme-account/ca.example.net/account.key", to: "gone")
        #expect(throws: IssuanceError.self) { try account.readKey(in: context) }
        #expect(throws: SystemError.self) { try account.store(Self.accountKey()) }
        #expect(!Path.exists("\(account.path)/gone"))
    }

    @Test("what cannot be written leaves nothing, and the file before stays")
    func unwritable() throws {
        try folder.write("", to: "certs/acme-account/ca.example.net/state.json/x")
        let before = FolderContents(folder.path)
        #expect(throws: SystemError.self) { try account.storeState(Array("{}".utf8)) }
        #expect(FolderContents(folder.path) == before)
        let blocked = IssuanceFolder("\(folder.path)/certs/acme-account/ca.example.net/state.json/x")
        let error = #expect(throws: SystemError.self) {
            try blocked.account(IssuanceSamples.directory).storeState(Array("{}".utf8))
        }
        #expect(error?.number == ENOTDIR)
        #expect(throws: SystemError.self) { try blocked.lock() }
        #expect(throws: SystemError.self) {
            try blocked.requestRenewal(of: IssuanceSamples.domain("shop.example.com"))
        }
    }

    @Test("a file that a crash has left half written is replaced")
    func leftover() throws {
        try folder.write("{\"version\":", to: "certs/acme-account/ca.example.net/.state.json.new")
        try account.storeState(Array(IssuanceState().json.utf8))
        #expect(FolderContents(account.path).entries.keys.sorted() == ["state.json"])
    }

    @Test(
        "on a full file system the old file stays, and no half one is left",
        .enabled(if: SmallFileSystem.isAvailable, "needs the right to mount a file system"))
    func full() throws {
        let small = try SmallFileSystem(in: folder, kilobytes: 64)
        let account = IssuanceFolder(small.path).account(IssuanceSamples.directory)
        var state = IssuanceState()
        for index in 0..<20 {
            state.attemptStarted(IssuanceSamples.domain("shop\(index).example.com"), now: 1_790_000_000)
        }
        try account.storeState(Array(state.json.utf8))
        try account.store(Self.accountKey())
        let before = FolderContents(small.path)
        try small.fill()
        let error = #expect(throws: SystemError.self) { try account.storeState(Array((state.json + state.json).utf8)) }
        #expect(error?.number == ENOSPC)
        #expect(throws: SystemError.self) {
            try account.storeOrderKey(SampleKey.p256(302).privateKey(), of: IssuanceSamples.domain("shop.example.com"))
        }
        #expect(account.orderKeys().isEmpty)
        try small.free()
        var after = FolderContents(small.path).entries
        after["acme-account/ca.example.net/orders"] = nil
        #expect(after == before.entries)
    }
}

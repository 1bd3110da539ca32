import AssociationServer
import EventLoops
import Foundation
import OpenSSL
import SiteStore
import TestSupport
import Testing

/// A server whose sites come from a store that the test plays.
final class FollowedServer {
    let server: LinkServer
    let log = RecordedLog()
    let folder: TemporaryFolder
    let configuration: ServerConfiguration
    private let ports: [Int]
    private var generation: Int64 = 0

    static let plain = ListenerKind.plain(proxyProtocol: false, health: false)
    static let association = "apple-app-site-association"
    /// 2026-01-01T00:00:00Z, in microseconds since 1970.
    static let newYear: Int64 = 1_767_225_600_000_000

    init(_ kinds: [ListenerKind] = [plain], _ change: (inout ServerConfiguration) -> Void = { _ in }) throws {
        folder = try TemporaryFolder()
        var configuration = ServerConfiguration()
        configuration.store.address = "postgresql://aasa@localhost/links"
        configuration.store.cache = "\(folder.path)/cache"
        configuration.threads = 2
        configuration.log.access = .none
        if kinds.allSatisfy({ if case .plain = $0 { true } else { false } }) {
            configuration.listen = ["http://127.0.0.1:0"]
        }
        change(&configuration)
        self.configuration = configuration
        let listeners = try kinds.map {
            ServingListener(try Listener(try #require(SocketAddress("127.0.0.1:0"))), $0)
        }
        ports = try listeners.map { Int(try #require($0.listener.address.port)) }
        server = try LinkServer(configuration, logger: log.logger)
        _ = try server.start(listeners)
    }

    deinit {
        server.stop()
        server.stop()
        server.waitUntilStopped()
    }

    func port(_ index: Int = 0) -> Int { ports[index] }

    /// Hands the generation over that is there, with older versions of bad files.
    @discardableResult
    func applyAgain(_ files: [StoredFile], older: [StoreFileKey: [StoredFile]]) -> StoreOutcome {
        generation -= 1
        return apply(files, older: older)
    }

    /// Hands the next generation over.
    @discardableResult
    func apply(
        _ files: [StoredFile], isComplete: Bool = false, certificates: [StoredCertificate] = [],
        older: [StoreFileKey: [StoredFile]] = [:], olderCertificates: [String: StoredCertificate] = [:],
        isChecked: Bool = false, keys: StoreKeyRing? = nil, omitted: StoreOmission? = nil
    ) -> StoreOutcome {
        generation += 1
        var update = StoreUpdate(
            changes: StoreChanges(
                position: StorePosition(
                    storeID: "6ba7b810-9dad-11d1-80b4-00c04fd430c8", generation: generation,
                    token: "6ba7b811-9dad-11d1-80b4-00c04fd430c8"),
                isComplete: isComplete, files: files, certificates: certificates), keys: keys)
        update.changes.omitted = omitted
        update.olderVersions = older
        update.olderCertificates = olderCertificates
        update.isChecked = isChecked
        return server.apply(update)
    }

    func reload(_ change: (inout ServerConfiguration) -> Void = { _ in }) {
        var changed = configuration
        change(&changed)
        server.reloadAndWait { [changed] () throws(ServerError) in changed }
    }

    /// The answer of the plain listener.
    func get(_ host: String, _ name: String = association) throws -> Answer {
        let socket = try RawSocket(port: ports[0])
        socket.send("GET /.well-known/\(name) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n")
        return try Answer(socket.rest())
    }

    struct Answer {
        let status: Int
        let head: String
        let body: String

        init(_ text: String) throws {
            let parts = try #require(text.range(of: "\r\n\r\n"))
            head = String(text[..<parts.lowerBound])
            body = String(text[parts.upperBound...])
            status = try #require(Int(head.split(separator: " ")[1]))
        }

        func field(_ name: String) -> String? {
            head.components(separatedBy: "\r\n").first { $0.hasPrefix("\(name): ") }.map {
                String($0.dropFirst(name.count + 2))
            }
        }
    }

    /// A version of a file; without a text one that removes it.
    static func file(
        _ domain: String, _ name: String, _ version: Int64, _ text: String?, lint: String? = nil,
        publishedAt: Int64 = newYear
    ) -> StoredFile {
        let bytes = text.map { Array($0.utf8) }
        return StoredFile(
            key: StoreFileKey(domain: domain, name: name), version: version,
            contents: bytes.map { StoredContents(digest: ContentDigest(of: $0), bytes: $0) }, lint: lint,
            publishedAt: publishedAt, generation: version)
    }

    /// The first version of an association file.
    static func file(_ domain: String, _ text: String) -> StoredFile { file(domain, association, 1, text) }

    /// An association file without findings, and its name in it.
    static func document(_ name: String = "links") -> String {
        #"{"applinks":{"details":[{"appIDs":["7K3QWZ9PLM.com.shop.\#(name)"],"components":[{"/":"/buy/*"}]}]}}"#
    }
}

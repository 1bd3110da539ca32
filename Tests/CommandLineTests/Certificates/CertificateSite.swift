import ACME
import AutomaticCertificates
import DomainNames
import Foundation
import OpenSSL
import PushSamples
import SystemSupport
import TLSSamples
import TestSupport

/// Folders of a server, and `aasa certificates` in them.
final class CertificateSite: Sendable {
    static let directory = url("https://acme-v02.api.letsencrypt.org/directory")
    static let now = SampleSite.now

    let tool: BuiltTool
    let issuance: IssuanceFolder
    var account: AccountFolder { issuance.account(Self.directory) }

    /// - Parameters:
    ///   - acme: the members of `acme`; nil for none.
    ///   - sites: names of folders.
    init(acme: String? = #""agreeToTerms": true"#, sites: [String] = ["shop.example.com"]) throws {
        // Whole days are over by then.
        while time(nil) <= Self.now { usleep(10_000) }
        tool = try BuiltTool()
        issuance = IssuanceFolder("\(tool.folder.path)/certs")
        for site in sites { try tool.write(BuiltTool.sound, to: "sites/\(site)/apple-app-site-association") }
        let value = acme.map { ", \"acme\": {\($0)}" } ?? ""
        try tool.write(#"{"sites": "sites", "certs": "certs"\#(value)}"#, to: "server.json")
    }

    static func url(_ text: String) -> SecureURL {
        guard let url = SecureURL(text) else { fatalError("\(text) is not a URL") }
        return url
    }

    static func domain(_ text: String) -> Domain {
        guard let domain = Domain(text) else { fatalError("\(text) is not a domain") }
        return domain
    }

    static func date(days: Int64) -> String { InternetDate.day(now + days * SampleSite.day) }

    func run(_ arguments: String...) throws -> Shell.Outcome { try run(arguments) }

    func run(_ arguments: [String]) throws -> Shell.Outcome {
        try Shell.run(
            ["env", "LC_ALL=C.UTF-8", tool.executable, "certificates", "--config", "server.json"] + arguments,
            in: tool.folder.url)
    }

    /// Installs a certificate as the server does.
    func install(
        _ name: String = "shop.example.com", key: Int = 301, notBefore: Int64 = -30, notAfter: Int64 = 60,
        directory: SecureURL = directory
    ) throws {
        let leaf = SampleSite.leaf([name], notBefore: notBefore, notAfter: notAfter, key: .p256(key))
        let text = try leaf.pem() + SampleSite.intermediate.certificate.pem()
        let chain = try IssuedChain(pem: Array(text.utf8), in: LibraryContext())
        let certificate = OrderedCertificate(
            domain: Self.domain(name), chain: chain, key: try leaf.key.privateKey())
        _ = try issuance.install(certificate, directory: directory, now: Self.now)
    }

    /// Puts a certificate of another source into a folder.
    func add(
        _ folder: String, _ names: [String], notBefore: Int64 = -30, notAfter: Int64 = 60,
        issuer: SampleAuthority = SampleSite.intermediate
    ) throws {
        let leaf = SampleSite.leaf(names, issuer: issuer, notBefore: notBefore, notAfter: notAfter)
        try tool.write(try leaf.pem() + issuer.certificate.pem(), to: "certs/\(folder)/fullchain.pem")
        try tool.write(try leaf.key.pem(), to: "certs/\(folder)/privkey.pem")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: "\(issuance.path)/\(folder)/privkey.pem")
    }

    /// Stores earlier attempts.
    func remember(_ domains: String, authority: String = "null") throws {
        let text = #"{"version":1,"orders":[],"authority":\#(authority),"domains":[\#(domains)]}"#
        try account.storeState(Array(text.utf8))
    }

    /// A domain that waits after a failure.
    static func failure(
        _ name: String, type: String = "unauthorized", message: String = "because", at: Int64 = now - 60,
        seconds: Int64 = 3_600
    ) -> String {
        """
        {"domain":"\(name)","state":"backoff","failures":3,"notBefore":"\(InternetDate.string(at + seconds))",\
        "pause":\(seconds),"lastAttempt":"\(InternetDate.string(at - 5))",\
        "lastError":{"at":"\(InternetDate.string(at))","type":"\(type)","message":"\(message)"}}
        """
    }

    /// Everything below the folder with its size and time of change.
    func listing() throws -> String {
        try tool.shell(#"find . -printf '%p %s %m %T@ %l\n' | sort"#).text
    }
}

import ACME
import AutomaticCertificates
import DomainNames
import Foundation
import OpenSSL
import PushSamples
import SystemSupport
import TLSSamples
import TestSupport

/// The values that tests of automatic certificates have in common.
enum IssuanceSamples {
    static let now: Int64 = SampleSite.now
    static let directory = url("https://ca.example.net/directory")
    static let otherDirectory = url("https://ca.example.net:14000/dir")

    static func url(_ text: String) -> SecureURL {
        guard let url = SecureURL(text) else { fatalError("\(text) is not a URL") }
        return url
    }

    static func domain(_ text: String) -> Domain {
        guard let domain = Domain(text) else { fatalError("\(text) is not a domain") }
        return domain
    }

    /// As a CA issues it, with its key.
    static func issued(
        _ name: String = "shop.example.com", key: SampleKey = .p256(301), notAfter: Int64 = 60
    ) throws -> OrderedCertificate {
        let domain = domain(name)
        let leaf = SampleSite.leaf([domain.identifier], notAfter: notAfter, key: key)
        let text = try leaf.pem() + SampleSite.intermediate.certificate.pem()
        let chain = try IssuedChain(pem: Array(text.utf8), in: LibraryContext())
        return OrderedCertificate(domain: domain, chain: chain, key: try key.privateKey())
    }
}

/// All that is below a folder: each path with its kind, permissions, and what it holds.
struct FolderContents: Equatable {
    let entries: [String: String]

    init(_ path: String) {
        var entries: [String: String] = [:]
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []
        for name in names {
            let full = "\(path)/\(name)"
            guard let status = FileStatus(at: full, followsLink: false) else { continue }
            let mode = String(status.permissions, radix: 8)
            switch status.kind {
            case .folder: entries[name] = "folder \(mode)"
            case .link: entries[name] = "-> \((try? FileManager.default.destinationOfSymbolicLink(atPath: full)) ?? "")"
            default:
                entries[name] = "\(mode) \(FileManager.default.contents(atPath: full)?.base64EncodedString() ?? "")"
            }
        }
        self.entries = entries
    }

    /// Those below another one.
    func below(_ folder: String) -> [String: String] { entries.filter { $0.key.hasPrefix("\(folder)/") } }
}

internal import Foundation
internal import PushSamples
internal import SystemSupport
internal import TLSSamples

/// The network that a check of domains finds in place of the Internet: sites, Apple's CDN and Google's service, all on
/// the loopback interface and at ports that the system chose.
package final class StubNetwork: Sendable {
    /// The paths that are asked for at a site.
    package static let wellKnown = "/.well-known/apple-app-site-association"
    package static let root = "/apple-app-site-association"
    package static let assetLinks = "/.well-known/assetlinks.json"
    /// A file that is right in every respect.
    package static let goodFile = """
        {
          "applinks": {
            "details": [
              { "appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [{ "/": "/buy/*" }] }
            ]
          }
        }

        """
    /// Statements that are right in every respect.
    package static let goodStatements = """
        [
          {
            "relation": ["delegate_permission/common.handle_all_urls"],
            "target": {
              "namespace": "android_app",
              "package_name": "com.shop.app",
              "sha256_cert_fingerprints": ["\(fingerprint)"]
            }
          }
        ]

        """
    package static let fingerprint = (["AB"] + (0x10..<0x2F).map { String($0, radix: 16, uppercase: true) }).joined(
        separator: ":")

    /// Has no copy of anything, unless a test says so.
    package let apple: StubSite
    /// Knows no statements, unless a test says so.
    package let google: StubSite
    private let folder: TemporaryFolder
    private let sites = Locked<[StubSite]>([])

    package init() throws {
        folder = try TemporaryFolder()
        try folder.write(try SampleSite.root.certificate.pem(), to: "roots.pem")
        apple = try StubSite([], [("127.0.0.1", .clear)])
        google = try StubSite([], [("127.0.0.1", .clear)])
        apple.answer(with: .status(404, ["Content-Type: text/html"], "<p>Not Found\n"))
        google.answer(with: .json("{\"statements\": [], \"maxAge\": \"3600s\"}"))
    }

    /// Adds a host with a file that is right in every respect, and nothing else.
    ///
    /// - Parameters:
    ///   - hosts: its names; the first one is what it is called.
    ///   - fronts: by address.
    @discardableResult
    package func site(
        _ hosts: String..., fronts: [(address: String, front: StubFront)] = [("127.0.0.1", .tls(.good))]
    ) throws -> StubSite {
        let site = try StubSite(hosts, fronts)
        site.answer(Self.wellKnown, with: .json(Self.goodFile))
        sites.withLock { $0.append(site) }
        return site
    }

    /// One with the same certificate at each of its addresses.
    @discardableResult
    package func site(
        _ host: String, _ certificate: StubCertificate, addresses: [String] = ["127.0.0.1"]
    ) throws -> StubSite {
        try site(host, fronts: addresses.map { ($0, .tls(certificate)) })
    }

    /// The prefix of Apple's copies.
    package var cdn: String { "http://127.0.0.1:\(apple.port)/a/v1/" }
    /// The prefix of Google's views.
    package var googlePrefix: String { "http://127.0.0.1:\(google.port)/v1/" }
    /// A file with the root of all certificates that are trusted.
    package var rootsFile: String { "\(folder.path)/roots.pem" }
    /// The values of `--resolve` for all sites; names with a `*` are left to the test.
    package var overrides: [String] { sites.withLock { $0.map(\.override) }.filter { !$0.hasPrefix("*") } }

    /// The options with which the command finds all of it.
    package var options: [String] {
        ["--allow-private", "--ca-file", rootsFile, "--cdn", cdn, "--google", googlePrefix]
            + overrides.flatMap { ["--resolve", $0] }
    }

    /// Gives Apple's CDN an answer for a host.
    ///
    /// - Parameter authority: `HOST:PORT`, or the host alone for port 443.
    package func appleAnswers(_ authority: String, with answer: StubAnswer) {
        apple.answer("/a/v1/\(authority)", with: answer)
    }

    /// Gives Apple's CDN a copy of a file.
    package func appleHas(_ authority: String, _ file: String = goodFile, age: Int = 3_600, maxAge: Int = 21_600) {
        let date = DateFormatter()
        date.locale = Locale(identifier: "en_US_POSIX")
        date.timeZone = TimeZone(identifier: "GMT")
        date.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        let now = Date(timeIntervalSince1970: Double(SampleSite.now))
        appleAnswers(
            authority,
            with: .json(
                file, ["Age: \(age)", "Cache-Control: max-age=\(maxAge),public", "Date: \(date.string(from: now))"]))
    }

    /// Has Apple's CDN say why it has no copy.
    package func appleFails(_ authority: String, reason: String, details: String? = nil, tryDirect: Bool? = nil) {
        var fields = ["Apple-Failure-Reason: \(reason)", "Apple-From: https://\(authority)\(Self.wellKnown)"]
        fields += ["Cache-Control: max-age=3600,public"]
        if let details { fields.append("Apple-Failure-Details: \(details)") }
        if let tryDirect { fields.append("Apple-Try-Direct: \(tryDirect)") }
        appleAnswers(authority, with: .status(404, fields, "Not Found\n"))
    }

    /// Gives Google's service an answer for a host.
    package func googleAnswers(_ authority: String, with answer: StubAnswer) {
        let relation = "delegate_permission/common.handle_all_urls"
        google.answer(
            "/v1/statements:list?source.web.site=https://\(authority)&relation=\(relation)", with: answer)
    }

    /// Has Google know an app.
    package func googleHas(
        _ authority: String, package name: String = "com.shop.app", fingerprint: String = fingerprint
    ) {
        googleAnswers(
            authority,
            with: .json(
                """
                {
                  "statements": [
                    {
                      "source": { "web": { "site": "https://\(authority)." } },
                      "relation": "delegate_permission/common.handle_all_urls",
                      "target": {
                        "androidApp": {
                          "packageName": "\(name)", "certificate": { "sha256Fingerprint": "\(fingerprint)" }
                        }
                      }
                    }
                  ],
                  "maxAge": "3599.5s"
                }

                """))
    }
}

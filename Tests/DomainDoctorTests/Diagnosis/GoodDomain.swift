import AppProjects
import DomainDoctor
import DomainNames
import HTTPClient
import OpenSSL
import TestSupport

// A domain on which everything is right; each test changes something about it.

enum GoodDomain {
    /// 2026-11-21T12:00:00Z
    static let now: Int64 = 1_795_262_400
    static let day: Int64 = 86_400
    static let host = "shop.example.com"
    static let ipv4 = IPAddress(ipv4: 0xC000_020A)
    static let ipv6 = IPAddress(high: 0x2001_0DB8_0000_0000, low: 0x10)
    static let root = "https://shop.example.com"
    static let fileURL = "\(root)/.well-known/apple-app-site-association"
    static let assetLinksURL = "\(root)/.well-known/assetlinks.json"
    static let app = "7K3QWZ9PLM.com.shop.app"
    static let package = "com.shop.app"
    static let fingerprint = fingerprint("AB")
    static let webPage = "<!DOCTYPE html>\n<html><body>Hello</body></html>\n"

    /// Line 7 has the rule for `/buy/`.
    static let file = file("/buy/*")

    static func file(_ pattern: String) -> String {
        """
        {
          "applinks": {
            "details": [
              {
                "appIDs": ["\(app)"],
                "components": [
                  { "/": "\(pattern)" }
                ]
              },
              { "appIDs": ["7K3QWZ9PLM.com.shop.web"], "components": [{ "/": "/help/*" }] }
            ]
          },
          "webcredentials": { "apps": ["\(app)"] }
        }

        """
    }

    static func fingerprint(_ byte: String) -> String {
        ([byte] + (0x10..<0x2F).map { String($0, radix: 16, uppercase: true) }).joined(separator: ":")
    }

    static func statements(_ package: String = package, _ fingerprint: String = fingerprint, more: String = "")
        -> String
    {
        """
        [
          {
            "relation": ["delegate_permission/common.handle_all_urls"],
            "target": {
              "namespace": "android_app",
              "package_name": "\(package)",
              "sha256_cert_fingerprints": ["\(fingerprint)"]
            }
          }\(more)
        ]

        """
    }

    static func googleView(_ package: String = package, _ fingerprint: String = fingerprint) -> String {
        """
        {
          "statements": [
            {
              "source": { "web": { "site": "https://shop.example.com." } },
              "relation": "delegate_permission/common.handle_all_urls",
              "target": {
                "androidApp": {
                  "packageName": "\(package)", "certificate": { "sha256Fingerprint": "\(fingerprint)" }
                }
              }
            }
          ],
          "maxAge": "3599.2s", "debugString": "ok"
        }
        """
    }

    static func observation(_ urls: [String] = []) throws -> Observation {
        var target = try Target(host, allowsAddresses: false)
        target.urls = urls
        var seen = Observation(target, checkedAt: now, timeLimit: .seconds(50))
        seen.names = Observation.Names(a: .success([ipv4]), aaaa: .success([ipv6]))
        seen.addresses = [ipv4, ipv6]
        seen.handshakes = [.good(ipv4), .good(ipv6)]
        seen.versions = Observation.Versions(tls12: true, tls13: true)
        seen.wellKnown = .file()
        seen.root = .status(404)
        seen.device = .file()
        seen.browser = .file()
        seen.others = [(ipv6, .file(from: ipv6))]
        seen.appleCopy = .copy()
        seen.appleCopyURL = "https://app-site-association.cdn-apple.com/a/v1/shop.example.com"
        seen.assetLinks = .status(404)
        return seen
    }

    /// The same with Android's side of it.
    static func observationWithAndroid() throws -> Observation {
        var seen = try observation()
        seen.assetLinks = .answer(statements())
        seen.googleView = .success(.sample(googleView()))
        seen.googleURL = "https://digitalassetlinks.googleapis.com/v1/statements:list?…"
        return seen
    }
}

extension Response {
    /// - Parameter fields: Beside `Content-Type`, if that is not among them.
    static func sample(
        _ body: String = "", status: Int = 200, reason: String = "OK", _ fields: [(String, String)] = [],
        after header: Duration = .milliseconds(84), isTruncated: Bool = false, from address: IPAddress = GoodDomain.ipv4
    ) -> Response {
        let type = fields.contains { $0.0 == "Content-Type" } ? [] : [("Content-Type", "application/json")]
        let head = ResponseHead(
            status: status, statusLine: Array("HTTP/1.1 \(status) \(reason)".utf8),
            fields: (type + fields).filter { !$0.1.isEmpty }.map { HeaderField($0.0, $0.1) })
        return Response(
            head: head, body: Array(body.utf8), isTruncated: isTruncated, address: address,
            times: TransferTimes(header: header, total: header))
    }
}

extension Result<Response, Failure> {
    static func answer(_ body: String, _ fields: [(String, String)] = []) -> Self { .success(.sample(body, fields)) }

    static func file(_ body: String = GoodDomain.file, from address: IPAddress = GoodDomain.ipv4) -> Self {
        .success(.sample(body, from: address))
    }

    static func page(_ status: Int = 200, _ body: String = GoodDomain.webPage, _ fields: [(String, String)] = [])
        -> Self
    {
        .success(.sample(body, status: status, reason: "", [("Content-Type", "text/html")] + fields))
    }

    static func status(_ status: Int, _ reason: String = "", _ fields: [(String, String)] = []) -> Self {
        .success(.sample("", status: status, reason: reason, fields))
    }

    static func redirect(_ location: String, status: Int = 301) -> Self {
        .status(status, "Moved Permanently", [("Location", location)])
    }

    static func failure(
        _ reason: Failure.Reason, _ phase: Failure.Phase = .waiting, headerBytes: Int = 0, bodyBytes: Int = 0,
        head: ResponseHead? = nil, after time: Duration = .seconds(10)
    ) -> Self {
        .failure(
            Failure(
                reason, phase: phase, address: GoodDomain.ipv4, headerBytes: headerBytes, bodyBytes: bodyBytes,
                head: head, times: TransferTimes(total: time)))
    }
}

extension Result<Response, Observation.CopyFailure> {
    /// Apple's copy, an hour old, which is kept for two.
    static func copy(_ body: String = GoodDomain.file, status: Int = 200, _ fields: [(String, String)] = []) -> Self {
        let times = [
            ("Date", "Sat, 21 Nov 2026 12:00:00 GMT"), ("Age", "3600"), ("Cache-Control", "public, max-age=7500"),
        ]
        return .success(.sample(body, status: status, reason: status == 404 ? "Not Found" : "OK", times + fields))
    }

    static func appleFailure(_ reason: String, _ fields: [(String, String)] = []) -> Self {
        .copy(
            "", status: 404,
            [("Apple-Failure-Reason", reason), ("Apple-From", "https://shop.example.com/a, https://b")] + fields)
    }
}

extension Observation.Handshake {
    static func good(_ address: IPAddress) -> Self { judged(address) }

    /// - Parameter days: How many the certificate is still valid, of a lifetime of 90 days unless it is another one.
    static func judged(
        _ address: IPAddress, _ verdict: ChainVerdict = .good, days: Int64 = 61, lifetime: Int64 = 90,
        seconds: Int64 = 3_600, names: [String] = [GoodDomain.host, "www.example.com"]
    ) -> Self {
        let end = GoodDomain.now + days * GoodDomain.day + seconds
        let leaf = PresentedChain.LeafFacts(
            notBefore: end - lifetime * GoodDomain.day, notAfter: end, issuer: "R11", names: names)
        return Self(address, .success(Observation.Judged(verdict, leaf)))
    }

    static func failed(
        _ address: IPAddress, _ reason: Failure.Reason, _ phase: Failure.Phase = .connecting
    ) -> Self {
        Self(address, .failure(Failure(reason, phase: phase, address: address)))
    }
}

/// Files of an app, written to a folder for as long as they are read.
enum SampleProject {
    static func entitlements(_ entries: String..., id: String? = GoodDomain.app) throws -> AppProject {
        let key = id.map { "<key>application-identifier</key><string>\($0)</string>" } ?? ""
        let list = entries.map { "<string>\($0)</string>" }.joined()
        return try read(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict>\(key)
            <key>com.apple.developer.associated-domains</key><array>\(list)</array></dict></plist>
            """, "Shop.entitlements")
    }

    static func manifest(
        host: String = GoodDomain.host, data: String = #"android:pathPrefix="/buy/""#, isVerified: Bool = true
    ) throws -> AppProject {
        try read(
            """
            <manifest xmlns:android="http://schemas.android.com/apk/res/android" package="\(GoodDomain.package)">
              <application><activity android:name=".Links">
                <intent-filter\(isVerified ? #" android:autoVerify="true""# : "")>
                  <action android:name="android.intent.action.VIEW" />
                  <category android:name="android.intent.category.DEFAULT" />
                  <category android:name="android.intent.category.BROWSABLE" />
                  <data android:scheme="https" android:host="\(host)" \(data) />
                </intent-filter>
              </activity></application>
            </manifest>
            """, "AndroidManifest.xml")
    }

    private static func read(_ text: String, _ name: String) throws -> AppProject {
        let folder = try TemporaryFolder()
        return try AppProject.read(try folder.write(text, to: name))
    }
}

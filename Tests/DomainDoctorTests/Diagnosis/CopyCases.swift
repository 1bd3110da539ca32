import AppProjects
import Diagnostics
import DomainDoctor
import DomainNames
import HTTPClient
import OpenSSL

// The codes of docs/spec/doctor.md, sections 5 to 7.
extension DiagnosisCase {
    static let copies = apple + assetLinks + google

    private static let apple = [
        DiagnosisCase("cdn-stale", at: .cdn) { seen, _ in seen.appleCopy = .copy(GoodDomain.file("/old/*")) },
        DiagnosisCase("cdn-stale", at: .cdn, "only another service") { seen, _ in
            seen.appleCopy = .copy(GoodDomain.file.replacing("webcredentials", with: "activitycontinuation"))
        },
        DiagnosisCase("cdn-failure", at: .cdn) { seen, _ in
            seen.appleCopy = .appleFailure("SWCERR00101 Bad HTTP Response: 403 Forbidden")
        },
        DiagnosisCase("http-not-found", "cdn-failure", at: .http, "the host has the same fault") { seen, _ in
            seen.loseFile(.status(404))
            seen.appleCopy = .appleFailure("SWCERR00101 Bad HTTP Response: 404 Not Found")
        },
        DiagnosisCase("cdn-no-copy", at: .cdn) { seen, _ in seen.appleCopy = .copy("", status: 404) },
        DiagnosisCase("cdn-no-copy", at: .cdn, "not a name for it") { seen, _ in
            seen.appleCopy = .copy("", status: 405)
        },
        DiagnosisCase("cdn-unreadable", at: .cdn) { seen, _ in seen.appleCopy = .copy(GoodDomain.webPage) },
        DiagnosisCase("cdn-unreachable", at: .cdn) { seen, _ in
            seen.appleCopy = .failure(
                .request(Failure(.timedOut, phase: .connecting, address: GoodDomain.ipv4)))
        },
        DiagnosisCase("cdn-unreachable", at: .cdn, "its name") { seen, _ in
            seen.appleCopy = .failure(.notResolved("app-site-association.cdn-apple.com", .timedOut))
        },
        DiagnosisCase("cdn-unreachable", at: .cdn, "another status") { seen, _ in
            seen.appleCopy = .copy("", status: 503)
        },
        DiagnosisCase("http-server-error", "cdn-still-serves", at: .http) { seen, _ in
            seen.loseFile(.status(500))
            seen.appleCopy = .copy()
        },
        DiagnosisCase("tls-expired", "cdn-still-serves", at: .tls) { seen, _ in
            seen.loseAnswers()
            seen.handshakes = [.judged(GoodDomain.ipv4, .expired(0), days: -2)]
            seen.appleCopy = .copy()
        },
    ]

    /// As Android is asked for.
    private static func android(
        _ code: String, _ remark: String = "", at step: Step.ID = .assetlinks,
        change: @escaping @Sendable (inout Observation, inout DiagnosisOptions) throws -> Void
    ) -> DiagnosisCase {
        DiagnosisCase(code, at: step, remark) { seen, options in
            seen = try GoodDomain.observationWithAndroid()
            options.androidPackages = [GoodDomain.package]
            options.androidFingerprints = [GoodDomain.fingerprint]
            try change(&seen, &options)
        }
    }

    private static let assetLinks = [
        android("assetlinks-not-found") { seen, _ in (seen.assetLinks, seen.googleView) = (.status(404), nil) },
        android("assetlinks-not-found", "a page") { seen, _ in (seen.assetLinks, seen.googleView) = (.page(), nil) },
        android("assetlinks-redirect") { seen, _ in
            (seen.assetLinks, seen.googleView) = (
                .redirect("https://www.shop.example.com/.well-known/assetlinks.json"), nil
            )
        },
        android("assetlinks-redirect", "to another host") { seen, _ in
            seen.assetLinks = .redirect("https://example.com/.well-known/assetlinks.json")
        },
        android("assetlinks-unreachable") { seen, _ in (seen.assetLinks, seen.googleView) = (.status(502), nil) },
        android("assetlinks-unreachable", "no answer") { seen, _ in
            (seen.assetLinks, seen.googleView) = (.failure(.timedOut), nil)
        },
        android("assetlinks-unreachable", "too large") { seen, _ in
            seen.assetLinks = .success(.sample(String(repeating: " ", count: 131_073), isTruncated: true))
            seen.googleView = nil
        },
        android("assetlinks-content-type") { seen, _ in
            seen.assetLinks = .answer(GoodDomain.statements(), [("Content-Type", "text/plain")])
        },
        android("android-app-missing") { seen, options in options.androidPackages = ["com.shop.other"] },
        android("android-fingerprint-missing") { seen, options in
            options.androidFingerprints = [GoodDomain.fingerprint("CD")]
        },
    ]

    private static let google = [
        android("google-error", at: .google) { seen, _ in
            seen.googleView = .success(.sample(#"{"errorCode": ["ERROR_CODE_REDIRECT"], "maxAge": "60s"}"#))
        },
        android("google-stale", at: .google) { seen, _ in
            seen.googleView = .success(.sample(GoodDomain.googleView("com.shop.old")))
        },
        android("google-unreachable", at: .google) { seen, _ in
            seen.googleView = .failure(.notPublic([IPAddress(ipv4: 0x7F00_0001)]))
        },
        android("google-unreachable", "a status", at: .google) { seen, _ in
            seen.googleView = .success(.sample("{}", status: 400))
        },
        android("google-unreachable", "not JSON", at: .google) { seen, _ in
            seen.googleView = .success(.sample("<html>"))
        },
    ]

    /// The codes about the app's side that need a domain or its live file, and those about links.
    static let apps = [
        DiagnosisCase("entitlement-missing", at: .app) { seen, options in
            options.projects = [try SampleProject.entitlements("applinks:example.com")]
        },
        DiagnosisCase("app-not-in-file", at: .app) { seen, options in
            options.projects = [
                try SampleProject.entitlements("applinks:shop.example.com", id: "7K3QWZ9PLM.com.shop.beta")
            ]
        },
        DiagnosisCase("app-not-in-file", at: .app, "without a file of the app") { seen, options in
            options.appIDs = ["7K3QWZ9PLM.com.shop.beta"]
        },
        DiagnosisCase("app-not-in-file", at: .app, "in a service of --service") { seen, options in
            options.appIDs = ["7K3QWZ9PLM.com.shop.web"]
            options.services = ["applinks", "webcredentials"]
        },
        DiagnosisCase("app-prefix-mismatch", at: .app) { seen, options in
            options.appIDs = ["ABCDE12345.com.shop.app"]
        },
        DiagnosisCase("service-not-in-entitlements", at: .app) { seen, options in
            options.projects = [try SampleProject.entitlements("applinks:shop.example.com")]
        },
        DiagnosisCase("app-id-unknown", at: .app) { seen, options in
            options.projects = [
                try SampleProject.entitlements(
                    "applinks:shop.example.com", "webcredentials:shop.example.com", id: nil)
            ]
        },
        DiagnosisCase("wildcard-apex", at: .app) { seen, options in
            options.projects = [
                try SampleProject.entitlements("applinks:*.example.com", "webcredentials:*.example.com")
            ]
        },
        DiagnosisCase("manifest-host-missing", at: .app) { seen, options in
            seen = try GoodDomain.observationWithAndroid()
            options.projects = [try SampleProject.manifest(host: "example.com")]
        },
        DiagnosisCase("manifest-auto-verify", at: .app) { seen, options in
            seen = try GoodDomain.observationWithAndroid()
            options.projects = [try SampleProject.manifest(isVerified: false)]
        },
        DiagnosisCase("manifest-link-missing", at: .link) { seen, options in
            seen = try GoodDomain.observationWithAndroid()
            seen.target.urls = ["https://shop.example.com/buy/7"]
            options.projects = [try SampleProject.manifest(data: #"android:pathPrefix="/sell/""#)]
        },
        DiagnosisCase("manifest-link-missing", at: .link, "not decided", as: .note) { seen, options in
            seen = try GoodDomain.observationWithAndroid()
            seen.target.urls = ["https://shop.example.com/buy/7"]
            options.projects = [try SampleProject.manifest(data: #"android:pathPrefix="@string/path""#)]
        },
        DiagnosisCase("link-not-opened", at: .link) { seen, _ in
            seen.target.urls = ["https://shop.example.com/sell/7"]
        },
        DiagnosisCase("link-other-app", at: .link) { seen, options in
            seen.target.urls = ["https://shop.example.com/help/7"]
            options.appIDs = [GoodDomain.app]
        },
    ]
}

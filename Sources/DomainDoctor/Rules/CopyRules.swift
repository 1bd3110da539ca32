package import Diagnostics

/// The rules about the copies that Apple and Google keep, and about asset links (doctor.md, sections 5 and 6).
package enum CopyRules {
    package static let all: [RuleDescription] = [
        .cdnStale, .cdnFailure, .cdnNoCopy, .cdnUnreadable, .cdnUnreachable, .cdnStillServes, .assetlinksNotFound,
        .assetlinksRedirect, .assetlinksUnreachable, .assetlinksContentType, .androidAppMissing,
        .androidFingerprintMissing, .googleError, .googleStale, .googleUnreachable,
    ]
}

extension RuleDescription {
    private static let failureAnswer = """
        HTTP/1.1 404 Not Found
        Apple-Failure-Reason: SWCERR00101 Bad HTTP Response: 403 Forbidden
        """
    static let cdnStale = live(
        "cdn-stale", .warning, subject: .copy, "Apple's copy differs from the file",
        "Devices get Apple's copy, not the file from the host, and the two differ in meaning: a link opens the "
            + "app with one but not with the other. According to Apple's documentation, the copy is renewed within "
            + "24 hours, and installed apps check for updates about once a week.",
        "/buy/7 opens the app at the origin, not in Apple's copy", "the same rules",
        "Wait until the copy is renewed; the finding says when that is at the earliest. To test at once, use "
            + "'?mode=developer' in the entitlement, and the developer setting of the device.")
    static let cdnFailure = live(
        "cdn-failure", .warning, subject: .copy, "Apple could not fetch the file",
        "Apple's CDN keeps the reason for which its last request to the host failed, and sends it to devices "
            + "instead of a file.",
        failureAnswer, goodAnswer,
        "Fix the problem that the reason names. Apple keeps a failure for a while, in practice an hour, then asks "
            + "again."
    )
    static let cdnNoCopy = live(
        "cdn-no-copy", .warning, subject: .copy, "Apple has no copy",
        "The CDN has neither a file nor a reason for its absence: no device with the app has asked for this domain "
            + "yet, or the CDN does not know the name (405).",
        "HTTP/1.1 404 Not Found", goodAnswer,
        "Fix the problems of the host first. Then install the app on a device, which makes Apple fetch the file.")
    static let cdnUnreadable = live(
        "cdn-unreadable", .warning, subject: .copy, "Apple's copy is not JSON",
        "The CDN answers 200, but not with an association file.",
        "HTTP/1.1 200 OK, '<!DOCTYPE html>'", goodAnswer, "Find out what the host sends to 'AASA-Bot'.")
    static let cdnUnreachable = live(
        "cdn-unreachable", .warning, subject: .copy, "Apple's CDN could not be queried",
        "No answer, or a status that says nothing about the domain. This machine may have no Internet connection.",
        "app-site-association.cdn-apple.com: timed out", goodAnswer,
        "Try again, and from another network; '--no-cdn' skips Apple's copy.")
    static let cdnStillServes = live(
        "cdn-still-serves", .note, subject: .copy, "Apple still has a usable copy",
        "The host fails, but Apple's copy is a good file: apps that are installed keep working until Apple "
            + "asks again.",
        "origin: 500, Apple's copy: 200", "origin: 200, Apple's copy: 200",
        "Fix the host before Apple asks again.")
    static let assetlinksNotFound = live(
        "assetlinks-not-found", .error, "there is no assetlinks.json",
        "Android verifies the links of an app with the file '/.well-known/assetlinks.json' of the host.",
        "HTTP/1.1 404 Not Found", goodAnswer,
        "Put the file at '/.well-known/assetlinks.json'. 'aasa export' has configurations for many hosts.",
        basis: [.google])
    static let assetlinksRedirect = live(
        "assetlinks-redirect", .error, "assetlinks.json is answered with a redirect",
        "Google does not follow redirects for this file.",
        """
        HTTP/1.1 301 Moved Permanently
        Location: https://www.example.com/.well-known/assetlinks.json
        """, goodAnswer, "Answer this path on this host itself, before the rule that redirects.", basis: [.google])
    static let assetlinksUnreachable = live(
        "assetlinks-unreachable", .error, "assetlinks.json cannot be fetched",
        "The host answers with a status other than 200, too late, or with a file that is too large.",
        "HTTP/1.1 502 Bad Gateway", goodAnswer, "Serve this path as a static file.", basis: [.google])
    static let assetlinksContentType = live(
        "assetlinks-content-type", .error, "the content type of assetlinks.json is not 'application/json'",
        "Google accepts only this type, and reports WRONG_CONTENT_TYPE for any other.",
        "Content-Type: text/plain", "Content-Type: application/json",
        "Set the content type 'application/json' for this path.", basis: [.google])
    static let androidAppMissing = live(
        "android-app-missing", .error, "no statement names the Android app",
        "No statement with the relation 'delegate_permission/common.handle_all_urls' names the package.",
        #""package_name": "com.shop.old""#, #""package_name": "com.shop.app""#,
        "Add a statement with the package and the fingerprints of its certificates.", basis: [.google])
    static let androidFingerprintMissing = live(
        "android-fingerprint-missing", .error, "no statement names the fingerprint of the Android app",
        "The package is listed, but with the fingerprints of other certificates. An app that Google Play signs has "
            + "the key of Play App Signing, not the upload key.",
        #""sha256_cert_fingerprints": ["14:6D:…"]"#, #""sha256_cert_fingerprints": ["14:6D:…", "AB:CD:…"]"#,
        "Add the fingerprint that the Play Console shows under App integrity, and those of test builds that "
            + "should open links.", basis: [.google])
    static let googleError = live(
        "google-error", .warning, subject: .copy, "Google cannot use assetlinks.json",
        "Google's service for digital asset links answers with error codes, and Android uses the same service.",
        #""errorCode": ["ERROR_CODE_REDIRECT"]"#, #""statements": […]"#,
        "Fix the problem that the code names. The finding explains the code, and says when Google asks again.",
        basis: [.google])
    static let googleStale = live(
        "google-stale", .warning, subject: .copy, "Google's copy differs from assetlinks.json",
        "Google knows other packages and fingerprints than the file has.",
        "missing: com.shop.app AB:CD:…", "the same packages and fingerprints",
        "Wait until Google asks again; the finding says when that is.", basis: [.google])
    static let googleUnreachable = live(
        "google-unreachable", .warning, subject: .copy, "Google's service could not be queried",
        "There is no answer, or it says nothing about the domain. This machine may have no Internet connection.",
        "digitalassetlinks.googleapis.com: timed out", #""statements": […]"#,
        "Try again, and from another network; '--no-google' skips Google's view.", basis: [.google])
}

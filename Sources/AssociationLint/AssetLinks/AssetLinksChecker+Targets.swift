internal import Android
internal import BoundedText
internal import Diagnostics
internal import JSONSyntax
internal import URLPatterns

// What a statement is about: an app or a site.
extension AssetLinksChecker {
    mutating func checkTarget(_ target: JSONNode, _ pointer: JSONPointer) -> Bool {
        guard let object = target.object else {
            diagnostics.report(
                .invalidTarget, target.range, pointer,
                "'target' is \(target.kind); expected an object with a 'namespace'")
            return false
        }
        guard let namespace = object["namespace"] else {
            missing("namespace", in: object, target, pointer, rule: .invalidTarget, what: "target")
            return false
        }
        switch namespace.string?.text {
        case "android_app":
            let hasName = checkPackageName(object, target, pointer)
            let hasFingerprint = checkFingerprints(object, target, pointer)
            checkKeys(of: object, .appTarget, pointer)
            return hasName && hasFingerprint
        case "web":
            let isSite = checkSite(object, target, pointer)
            checkKeys(of: object, .siteTarget, pointer)
            return isSite
        case let text:
            let near = text.flatMap {
                $0.utf8.count > 40 ? nil : Spelling.closest(to: $0, among: ["android_app", "web"])
            }
            diagnostics.report(
                .invalidTarget, namespace.range, pointer.member("namespace"),
                "'namespace' is \(text.map { quoted($0) } ?? namespace.kind); expected \"android_app\" or \"web\"",
                fix: near.map { .writing("\"\($0)\"", at: namespace.range) })
            return false
        }
    }

    private mutating func checkPackageName(_ object: JSONObject, _ target: JSONNode, _ pointer: JSONPointer) -> Bool {
        let key = "package_name"
        guard let value = object[key] else {
            missing(key, in: object, target, pointer, rule: .invalidPackageName, what: "target")
            return false
        }
        if let text = value.string?.text, AndroidPackageName.isValid(text) { return true }
        let isPlaceholder = value.string.map { Self.isPlaceholder($0.text, or: ["YOUR_", "PACKAGE_NAME"]) } ?? false
        diagnostics.report(
            .invalidPackageName, value.range, pointer.member(key),
            "'\(key)' is \(isPlaceholder ? "a placeholder, " : "")\(value.string.map { quoted($0.text) } ?? value.kind); "
                + "expected one like \"com.example.app\"")
        return false
    }

    private mutating func checkFingerprints(_ object: JSONObject, _ target: JSONNode, _ pointer: JSONPointer) -> Bool {
        let key = "sha256_cert_fingerprints"
        guard let value = object[key] else {
            missing(key, in: object, target, pointer, rule: .invalidFingerprint, severity: .error, what: "target")
            return false
        }
        let pointer = pointer.member(key)
        guard let elements = value.array, !elements.isEmpty else {
            let written = value.string.flatMap { CertificateFingerprint($0.text).written }
            diagnostics.report(
                .invalidFingerprint, severity: .error, value.range, pointer,
                "'\(key)' is \(value.array == nil ? value.kind : "empty"); expected an array of fingerprints",
                fix: written.map { .writing("[\"\($0)\"]", at: value.range) })
            return false
        }
        let isUsable = elements.contains { $0.string.map { CertificateFingerprint($0.text).usable != nil } ?? false }
        for (index, element) in elements.enumerated() {
            // Beside one that is right it does no harm.
            checkFingerprint(element, pointer.element(index), isUsable ? .warning : .error)
        }
        return isUsable
    }

    private mutating func checkFingerprint(_ element: JSONNode, _ pointer: JSONPointer, _ severity: Severity) {
        guard let text = element.string?.text else {
            return diagnostics.report(
                .invalidFingerprint, severity: severity, element.range, pointer,
                "a fingerprint is \(element.kind); expected a string")
        }
        let fingerprint = CertificateFingerprint(text)
        guard var problem = fingerprint.problem else { return }
        if fingerprint.written == nil, Self.isPlaceholder(text, or: ["YOUR", "FINGERPRINT", "XX:XX", "...", "…"]) {
            problem = "is a placeholder; \(CertificateFingerprint.expected)"
        }
        diagnostics.report(
            .invalidFingerprint, severity: severity, element.range, pointer,
            "fingerprint \(quoted(text, limit: 24)) \(problem)",
            notes: fingerprint.isOnlyLowercase
                ? ["case makes no difference to Android itself; Chrome compares the text as it is written"] : [],
            fix: fingerprint.written.map { .writing("\"\($0)\"", at: element.range) })
    }

    /// Whether a text is a placeholder for a value, like `YOUR_SHA256_FINGERPRINT` or `<package>`.
    ///
    /// - Parameter words: What only a template has in its place, in upper case.
    private static func isPlaceholder(_ text: String, or words: [String]) -> Bool {
        let upper = text.utf8.prefix(200).map { (0x61...0x7A).contains($0) ? $0 & 0xDF : $0 }
        return PlaceholderAppIDRule.isTemplate(upper[...])
            || words.contains { word in upper.indices.contains { upper[$0...].starts(with: word.utf8) } }
    }

    private mutating func checkSite(_ object: JSONObject, _ target: JSONNode, _ pointer: JSONPointer) -> Bool {
        guard let value = object["site"] else {
            missing("site", in: object, target, pointer, rule: .invalidSite, what: "target")
            return false
        }
        let expected = "expected a scheme and a host like \"https://example.com\""
        guard let text = value.string?.text, let url = AssetLinksURL(text), !url.hasUser else {
            diagnostics.report(
                .invalidSite, value.range, pointer.member("site"),
                "'site' is \(value.string.map { quoted($0.text) } ?? value.kind); \(expected)")
            return false
        }
        guard !url.rest.isEmpty else { return true }
        diagnostics.report(
            .invalidSite, value.range, pointer.member("site"),
            "'site' is \(quoted(text)); \(expected), and nothing after it",
            fix: .writing("\"\(url.origin)\"", at: value.range))
        // Android's own reader takes the one slash.
        return url.rest == "/"
    }
}

/// A URL with scheme and host, as statements have it.
struct AssetLinksURL {
    let isHTTPS: Bool
    /// Scheme, host and port.
    let origin: String
    /// The text after them.
    let rest: String
    /// Whether there is something with an `@` before the host.
    let hasUser: Bool

    /// - Returns: nil for another scheme than `http` and `https`, and for what has no valid host or port.
    init?(_ text: String) {
        guard let url = PartedURL(text.utf8) else { return nil }
        let (scheme, host, end) = (url.parts.scheme, url.parts.host, url.parts.path.lowerBound)
        isHTTPS = scheme.count == "https".utf8.count
        origin = String(text: url.bytes[..<end])
        rest = String(text: url.bytes[end...])
        hasUser = host.lowerBound > scheme.upperBound + "://".utf8.count
        let port = url.bytes[host.upperBound..<end]
        guard url.bytes[host].allSatisfy({ $0.isLetter || $0.isDigit || "-.".utf8.contains($0) }),
            port.isEmpty
                || (2...6).contains(port.count)
                    && Int(String(text: port.dropFirst())).map((1...65_535).contains) ?? false
        else { return nil }
    }
}

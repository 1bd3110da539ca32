internal import HTTP1
internal import OpenSSL
internal import SystemSupport

/// A file that pages load: a style sheet, or a script.
struct ConsoleAsset: Sendable {
    let name: String
    private let bytes: [UInt8]
    private let contentType: String
    /// Strong, with its quotes.
    private let entityTag: String

    private init(_ name: String, _ contentType: String, _ bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
        self.contentType = contentType
        entityTag = "\"\(Hexadecimal.text(SHA256Digest.hash(bytes)))\""
    }

    static let all =
        [
            ConsoleAsset("console.css", "text/css; charset=utf-8", PackageResources.console_css),
            ConsoleAsset("icon.svg", "image/svg+xml", PackageResources.icon_svg),
            ConsoleAsset("times.js", "text/javascript; charset=utf-8", PackageResources.times_js),
            ConsoleAsset("doctor.js", "text/javascript; charset=utf-8", PackageResources.doctor_js),
            ConsoleAsset("playground.css", "text/css; charset=utf-8", PackageResources.playground_css),
        ] + scripts.map { ConsoleAsset($0, "text/javascript; charset=utf-8", $1) }

    /// The playground's, each a module of one concept.
    private static let scripts = [
        ("text.js", PackageResources.text_js), ("api.js", PackageResources.api_js),
        ("editor.js", PackageResources.editor_js), ("findings.js", PackageResources.findings_js),
        ("links.js", PackageResources.links_js), ("changes.js", PackageResources.changes_js),
        ("takeaway.js", PackageResources.takeaway_js), ("playground.js", PackageResources.playground_js),
    ]

    static func named(_ name: some StringProtocol) -> ConsoleAsset? { all.first { $0.name == name } }

    /// - Parameter condition: The value of `If-None-Match` (RFC 9110, section 13.1.2); nil without one.
    func answer(ifNoneMatch condition: String?) -> ConsoleAnswer {
        let fields = [("Cache-Control", "no-cache"), ("ETag", entityTag)]
        let tags = (condition ?? "").split(separator: ",").map(\.trimmed)
        let isKnown = tags.contains { $0 == "*" || $0 == entityTag || $0 == "W/\(entityTag)" }
        return ConsoleAnswer(isKnown ? .notModified : .ok, contentType, fields, body: isKnown ? [] : bytes)
    }
}

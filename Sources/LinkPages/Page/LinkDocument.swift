internal import BoundedText
internal import Diagnostics

/// The answers for programs: what a link is, as JSON for apps, and as a `WebPage` of schema.org (JSON-LD).
enum LinkDocument {
    /// - Parameter app: of the file.
    static func bytes(of subject: PageSubject, _ app: LinkApp?) -> [UInt8] {
        Array((content(of: subject, app).text + "\n").utf8)
    }

    private static func content(of subject: PageSubject, _ app: LinkApp?) -> JSONOutput {
        if subject.kind == .notFound { return .object(["version": .number(1), "error": .string("not-found")]) }
        return subject.variant.representation == .linkedData ? webPage(subject, app) : link(subject)
    }

    private static func link(_ subject: PageSubject) -> JSONOutput {
        let captures = subject.captures.map { ($0.name, JSONOutput.string(String(text: $0.value))) }
        return .object([
            "version": .number(1),
            "url": url(subject.url),
            "appURL": url(subject.appURL),
            "to": subject.to.map(url) ?? .null,
            "title": .optional(subject.title.map { String(text: $0.bytes) }),
            "description": .optional(subject.description.map { String(text: $0.bytes) }),
            "captures": .object(Dictionary(captures) { first, _ in first }),
        ])
    }

    /// The page, and to view it in the app as what can be done with it; absent values have no member.
    private static func webPage(_ subject: PageSubject, _ app: LinkApp?) -> JSONOutput {
        var page: [String: JSONOutput] = [
            "@context": .string("https://schema.org"),
            "@type": .string("WebPage"),
            "url": url(subject.url),
            "inLanguage": .string(subject.variant.language.tag.description),
        ]
        if let title = subject.title { page["name"] = .string(String(text: title.bytes)) }
        if let description = subject.description { page["description"] = .string(String(text: description.bytes)) }
        if let image = subject.image { page["image"] = url(image) }
        if let app {
            page["isPartOf"] = .object(["@type": .string("WebSite"), "name": .string(String(text: app.name))])
        }
        let platforms =
            (app?.appStoreID == nil ? [] : ["IOSPlatform"]) + (app?.playPackage == nil ? [] : ["AndroidPlatform"])
        var targets = [entry(subject.appURL, platforms)]
        if let to = subject.to {
            page["significantLink"] = url(to)
            targets.append(entry(to, ["DesktopWebPlatform", "MobileWebPlatform"]))
        }
        page["potentialAction"] = .object(["@type": .string("ViewAction"), "target": .array(targets)])
        return .object(page)
    }

    private static func entry(_ target: [UInt8], _ platforms: [String]) -> JSONOutput {
        var entry: [String: JSONOutput] = ["@type": .string("EntryPoint"), "urlTemplate": url(target)]
        if !platforms.isEmpty {
            entry["actionPlatform"] = .array(platforms.map { .string("https://schema.org/\($0)") })
        }
        return .object(entry)
    }

    private static func url(_ bytes: [UInt8]) -> JSONOutput { .string(PageURL(bytes).text) }
}

import FuzzingSupport
import LinkPages

/// The rules that hold for the document of every subject, whatever the file and the request say.
enum PageRules {
    /// - Returns: the rule that was broken, if one was.
    static func violation(in subject: PageSubject, _ writer: PageWriter) -> String? {
        var body: [UInt8] = []
        writer.write(subject, to: &body)
        guard subject.variant.representation == .html else {
            return StrictJSON.accepts(body) ? nil : "a document that is no JSON"
        }
        let text = String(decoding: body, as: UTF8.self)
        guard Array(text.utf8) == body else { return "a page that is not UTF-8" }
        if text.unicodeScalars.contains(where: isHidden) { return "a page with a character that nobody sees" }
        guard let page = try? Markup(text) else { return "a page that is not well formed" }
        if page.count("main") != 1 || page.count("h1") != 1 || page.count("title") != 1 {
            return "a page of other parts"
        }
        if page.count("script") + page.count("form") + page.count("iframe") != 0 { return "a page that does something" }
        for tag in page.tags {
            if let name = tag.attributes.keys.first(where: { $0.hasPrefix("on") || $0 == "style" }) {
                return "a page with the attribute \(name)"
            }
            guard let address = tag.attributes["href"] ?? tag.attributes["src"] else { continue }
            let own = subject.app?.scheme.map { String(decoding: $0, as: UTF8.self) + ":" }
            let prefixes =
                tag.name == "a" ? ["https://", "intent:"] + (own.map { [$0] } ?? []) : ["https://", "data:"]
            if !prefixes.contains(where: { address.hasPrefix($0) }) { return "a page that leads to \(address)" }
        }
        return nil
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A: false
        case 0..<0x20, 0x7F...0x9F, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

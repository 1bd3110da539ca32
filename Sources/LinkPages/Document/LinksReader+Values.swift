internal import AppSiteAssociation
internal import Diagnostics
internal import JSONSyntax

extension LinksReader {
    /// The keys that links and pages have in common.
    static let entryKeys = [
        "title", "description", "image", "to", "appURL", "answer", "status", "keepQuery",
    ]

    /// The values that links and pages have in common.
    struct Entry {
        var kind: LinkKind
        var title: LocalizedTemplate?
        var description: LocalizedTemplate?
        var image: LinkImageReference?
        var to: TargetTemplate?
        var appURL: TargetTemplate?
        var keepsQuery: Bool
        /// The value of `to`, if it is on the site's own host.
        var ownTarget: SourceRange?
    }

    /// Reads a link or a page; nil where its answer cannot be told.
    mutating func entry(
        _ object: JSONObject, _ node: JSONNode, _ container: LinkContainer, known: [String], _ captures: TargetCaptures
    ) -> Entry? {
        findings.unknownKeys(object, besides: known, in: container)
        let title = object["title"].flatMap { text($0, "title", LinkLimits.maxTitle, container, captures) }
        let description = object["description"].flatMap {
            text($0, "description", LinkLimits.maxDescription, container, captures)
        }
        let image = object["image"].flatMap { self.image($0, container) }
        let to = object["to"].flatMap {
            target($0, "to", in: container, TargetReader(key: "to", captures: captures))
        }
        let appURL = object["appURL"].flatMap { value in
            let reader = TargetReader(key: "appURL", captures: captures, appScheme: content.app?.scheme)
            return target(value, "appURL", in: container, reader)
        }
        let keepsQuery = boolean(object, "keepQuery", otherwise: false, in: container)
        let status = status(object, in: container)
        let answer = object["answer"].map { choice($0, "answer", ["page", "redirect"], in: container) } ?? 0
        guard let answer else { return nil }
        let isRedirect = answer == 1
        if isRedirect, object["to"] == nil {
            findings.missing("to", of: node, in: container, "write the web page that the redirect leads to")
        }
        guard !isRedirect || to != nil else { return nil }
        return Entry(
            kind: isRedirect ? .redirect(status) : .page, title: title, description: description, image: image, to: to,
            appURL: appURL, keepsQuery: keepsQuery,
            ownTarget: to.flatMap { isOwn($0) ? object["to"]?.range : nil })
    }

    /// Whether a target is on a host of the site.
    func isOwn(_ target: TargetTemplate) -> Bool { site.map { target.port == nil && $0.covers(target.host) } ?? false }

    /// Reads a URL.
    mutating func target(
        _ node: JSONNode, _ key: String, in container: LinkContainer, _ reader: TargetReader
    ) -> TargetTemplate? {
        guard let string = node.string else {
            findings.invalid(node, key, in: container, expected: "a string with an https URL")
            return nil
        }
        guard string.text.utf8.count <= LinkLimits.maxURLBytes else {
            findings.invalid(
                node, key, in: container, "a URL of \(grouped(string.text.utf8.count)) bytes",
                expected: "at most \(grouped(LinkLimits.maxURLBytes))")
            return nil
        }
        do throws(TargetFault) {
            return try reader.read(string.text)
        } catch {
            report(error, node, key, container)
            return nil
        }
    }

    private mutating func report(_ fault: TargetFault, _ node: JSONNode, _ key: String, _ container: LinkContainer) {
        findings.report(
            fault.rule, fault.message, at: node.range, container.pointer.member(key), advice: fault.advice)
    }

    /// Reads a text, or one for each of several languages.
    mutating func text(
        _ node: JSONNode, _ key: String, _ limit: Int, _ container: LinkContainer, _ captures: TargetCaptures
    ) -> LocalizedTemplate? {
        guard let object = node.object else {
            return template(node, key, limit, container, captures).map { pieces in
                LocalizedTemplate(entries: [(nil, pieces)])
            }
        }
        var entries: [(language: PageLanguage?, pieces: [LocalizedTemplate.Piece])] = []
        for member in object.distinctMembers {
            guard let language = PageLanguage(tag: member.key.text.utf8) else {
                findings.report(
                    .invalidLinksValue,
                    "\(quoted(member.key.text)) in '\(key)' is not a language of pages", at: member.keyRange,
                    container.pointer.member(key).member(member.key.text),
                    advice: "use some of \(PageLanguage.allCases.map { "\($0.tag)" }.joined(separator: ", "))")
                continue
            }
            if let pieces = template(member.value, key, limit, container, captures, language) {
                entries.append((language, pieces))
            }
        }
        if object.members.isEmpty {
            findings.invalid(node, key, in: container, "empty", expected: "a text, or one for each language")
        }
        // The text for languages without one: that of the first language that is offered, or else the first there is.
        if let index = entries.firstIndex(where: { $0.language == content.languages.first }), index > 0 {
            entries.insert(entries.remove(at: index), at: 0)
        }
        return entries.isEmpty ? nil : LocalizedTemplate(entries: entries)
    }

    /// Reads a text in one language.
    private mutating func template(
        _ node: JSONNode, _ key: String, _ limit: Int, _ container: LinkContainer, _ captures: TargetCaptures,
        _ language: PageLanguage? = nil
    ) -> [LocalizedTemplate.Piece]? {
        var pointer: JSONPointer {
            let pointer = container.pointer.member(key)
            return language.map { pointer.member("\($0.tag)") } ?? pointer
        }
        let text = node.string?.text
        let length = text?.unicodeScalars.count ?? 0
        guard let text, (1...limit).contains(length) else {
            let found =
                text == nil ? node.kind : length == 0 ? "empty" : "a text of \(grouped(length)) characters"
            findings.report(
                .invalidLinksValue,
                "'\(container.name(key))' is \(found); expected a text of 1 to \(limit) characters", at: node.range,
                pointer)
            return nil
        }
        let bytes = Array(text.utf8)
        var pieces: [LocalizedTemplate.Piece] = []
        var start = 0
        for token in CaptureToken.all(in: bytes) {
            let number: Int
            do throws(TargetFault) {
                number = try captures.number(of: token, in: key)
            } catch {
                findings.report(error.rule, error.message, at: node.range, pointer, advice: error.advice)
                return nil
            }
            if start < token.range.lowerBound { pieces.append(.literal(Array(bytes[start..<token.range.lowerBound]))) }
            pieces.append(.capture(number))
            start = token.range.upperBound
            guard captures.isFreeText(number) else { continue }
            findings.report(
                .freeTextCapture, "'{\(token.name)}' in '\(key)' takes any text, and the page shows it", at: node.range,
                pointer, advice: "use $(…) in its pattern, as in {\(token.name):$(digit)$(digit)}, or leave it out")
        }
        if start < bytes.count { pieces.append(.literal(Array(bytes[start...]))) }
        return pieces
    }

    /// Reads one of a few words; returns its index.
    mutating func choice(
        _ node: JSONNode, _ key: String, _ words: [String], in container: LinkContainer, or other: String = ""
    ) -> Int? {
        let index = node.string.flatMap { string in words.firstIndex(where: string.text.hasSameBytes) }
        if index == nil {
            let expected = words.map { "\"\($0)\"" }.joined(separator: other.isEmpty ? " or " : ", ")
            findings.invalid(node, key, in: container, expected: expected + other)
        }
        return index
    }

    mutating func boolean(
        _ object: JSONObject, _ key: String, otherwise standard: Bool, in container: LinkContainer
    ) -> Bool {
        guard let node = object[key] else { return standard }
        if node.boolean == nil { findings.invalid(node, key, in: container, expected: "true or false") }
        return node.boolean ?? standard
    }

    mutating func number(
        _ node: JSONNode, _ key: String, _ range: ClosedRange<Int>, _ expected: String, in container: LinkContainer
    ) -> Int? {
        guard case .number(let text) = node.value, let number = Int(text), range.contains(number) else {
            findings.invalid(node, key, in: container, expected: expected)
            return nil
        }
        return number
    }

    mutating func status(_ object: JSONObject, in container: LinkContainer) -> RedirectStatus {
        guard let node = object["status"] else { return .found }
        guard case .number(let text) = node.value, let status = UInt16(text).flatMap(RedirectStatus.init) else {
            findings.invalid(
                node, "status", in: container, expected: "302 or 307, as browsers keep other redirects for good")
            return .found
        }
        return status
    }
}

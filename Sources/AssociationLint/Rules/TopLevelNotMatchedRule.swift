internal import AppSiteAssociation
internal import BoundedText
internal import Diagnostics
internal import JSONSyntax
internal import URLPatterns

/// A pattern `*/terms/*`, which needs something before `/terms`.
enum TopLevelNotMatchedRule: FileRule {
    static let description = RuleDescription(
        "top-level-not-matched", .warning, summary: "a pattern starts with '*/', so it does not match at the top level",
        reason: """
            Slashes at the start of a path and of a pattern do not count (recorded with swcutil), so '*/terms/*' is read \
            as '/*/terms/*': it matches '/en/terms/x', but not '/terms/x'. Where both are meant, both have to be listed. \
            Not reported where the same list has the pattern without '*', or a rule of the same kind for every path.
            """,
        basis: [.recorded], fix: .suggested,
        bad: ExampleFile.components(#"{ "/": ⟦"*/terms/*"⟧ }"#),
        good: ExampleFile.components(#"{ "/": "/terms/*" }"#, #"{ "/": "*/terms/*" }"#, #"{ "/": "/*/help/*" }"#))

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        // Few files have such a pattern; the others of its list are only looked at in these.
        let found = context.patterns.filter { $0.isInList && rest($0.parsed) != nil }
        guard !found.isEmpty else { return }
        var lists = PathLists(context)
        for pattern in found {
            guard let rest = rest(pattern.parsed), let list = lists.list(around: pattern.range),
                !list.has(rest, like: pattern, in: context)
            else { continue }
            let text = pattern.parsed.string(pattern.parsed.body)
            let example = "https://example.com" + String(text: sample(rest))
            diagnostics.report(
                description, pattern,
                "\(quoted(text)) is read as \(quoted("/" + text)): something must come before "
                    + quoted(String(text: rest.prefix { $0 != UInt8(ascii: "*") })),
                label: "does not match \(example)", fix: list.addition(of: rest, before: pattern, in: context.source)
            )
        }
    }

    /// The text after the star at the start, if that is a path of its own.
    private static func rest(_ parsed: ParsedPattern) -> ArraySlice<UInt8>? {
        let bytes = parsed.bytes[parsed.examined]
        guard parsed.examined == parsed.body, parsed.variables.isEmpty, parsed.placeholders.isEmpty,
            parsed.unmatchablePlaceholders.isEmpty, parsed.regex == nil,
            bytes.starts(with: "*/".utf8), let next = bytes.dropFirst(2).first, next.isLetter || next.isDigit
        else { return nil }
        return bytes.dropFirst()
    }

    private static func sample(_ pattern: ArraySlice<UInt8>) -> [UInt8] {
        pattern.map { "*?".utf8.contains($0) ? UInt8(ascii: "a") : $0 }
    }
}

/// The lists of path patterns of a file, each with the texts in it.
private struct PathLists {
    private var lists: [PathList] = []

    init(_ context: LintContext) {
        for entry in context.entries {
            for key in ["components", "paths"] {
                guard let node = entry.object[key], let elements = node.array else { continue }
                lists.append(PathList(entry: entry, range: node.range, elements: elements))
            }
        }
        lists.sort { $0.range.start < $1.range.start }
    }

    /// The list that a range is in; its patterns are read when it is first asked for.
    mutating func list(around range: SourceRange) -> PathList? {
        let next = lists.partitioningIndex { $0.range.start > range.start }
        guard next > 0, range.end <= lists[next - 1].range.end else { return nil }
        lists[next - 1].read()
        return lists[next - 1]
    }
}

/// A list of components or of legacy paths.
private struct PathList {
    let entry: DetailsEntry
    let range: SourceRange
    let elements: [JSONNode]
    /// The paths without slashes at their ends.
    private var paths: Set<[UInt8]>?
    private var opensAll = false
    private var excludesAll = false

    init(entry: DetailsEntry, range: SourceRange, elements: [JSONNode]) {
        self.entry = entry
        self.range = range
        self.elements = elements
    }

    mutating func read() {
        guard paths == nil else { return }
        var paths = Set<[UInt8]>()
        for element in elements {
            let isObject = element.object != nil
            guard let text = element.string?.text ?? (isObject ? element.object?["/"]?.string?.text ?? "*" : nil) else {
                continue
            }
            let isNegated = !isObject && text.utf8.starts(with: "NOT ".utf8)
            let path = Self.trimmed(text.utf8.dropFirst(isNegated ? 4 : 0))
            paths.insert(path)
            let excludes = isNegated || element.object?["exclude"]?.boolean == true
            let isFree = element.object.map { $0["?"] == nil && $0["#"] == nil } ?? true
            if path == [UInt8(ascii: "*")], isFree {
                if excludes { excludesAll = true } else { opensAll = true }
            }
        }
        self.paths = paths
    }

    /// Whether the list decides already about what a pattern misses.
    func has(_ rest: ArraySlice<UInt8>, like pattern: FilePattern, in context: LintContext) -> Bool {
        let excludes =
            pattern.isLegacyExclusion || pattern.owner.map { context.isExclusion($0, in: entry) } ?? false
        return (excludes ? excludesAll : opensAll) || paths?.contains(Self.trimmed(rest)) ?? false
    }

    /// Adds a copy of the rule without the star.
    func addition(of rest: ArraySlice<UInt8>, before pattern: FilePattern, in source: SourceText) -> FixIt? {
        guard
            let index = elements.firstIndex(where: {
                $0.range.start <= pattern.range.start && pattern.range.end <= $0.range.end
            })
        else { return nil }
        let element = elements[index].range
        let star = pattern.part(pattern.parsed.body.lowerBound..<pattern.parsed.body.lowerBound + 1)
        let copy =
            source.text(SourceRange(start: element.start, end: star.start))
            + source.text(SourceRange(start: star.end, end: element.end))
        return FixIt(
            "add the same rule for \(quoted(String(text: rest)))", .suggested,
            JSONEdits.insert(element: copy, before: index, in: elements, source: source))
    }

    private static func trimmed(_ path: some BidirectionalCollection<UInt8>) -> [UInt8] {
        let slash = UInt8(ascii: "/")
        return Array(Array(path.drop { $0 == slash }).reversed().drop { $0 == slash }.reversed())
    }
}

extension FilePattern {
    /// Whether it is the path of a component or one of `paths`, and not of defaults or a variable.
    fileprivate var isInList: Bool { kind == .legacyPath || kind == .path && owner?.schema == .component }
}

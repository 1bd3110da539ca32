internal import BoundedText
internal import Diagnostics
internal import DomainNames
internal import JSONSyntax

/// The object that a value is in; its pointer and its name are made only for a finding.
enum LinkContainer {
    case root, app, appStore, play, links, fallback
    case store(Int)
    /// A link, by its key.
    case link(String)
    case page(Int)

    var pointer: JSONPointer {
        let root = JSONPointer()
        return switch self {
        case .root: root
        case .app: root.member("app")
        case .appStore: root.member("app").member("appStore")
        case .play: root.member("app").member("play")
        case .store(let index): root.member("app").member("stores").element(index)
        case .links: root.member("links")
        case .link(let key): root.member("links").member(key)
        case .page(let index): root.member("pages").element(index)
        case .fallback: root.member("fallback")
        }
    }

    /// The name of a value in it, as messages have it.
    func name(_ key: String) -> String {
        switch self {
        case .root, .links, .link, .page: key
        case .app: "app.\(key)"
        case .appStore: "app.appStore.\(key)"
        case .play: "app.play.\(key)"
        case .store: "app.stores.\(key)"
        case .fallback: "fallback.\(key)"
        }
    }
}

/// The findings about a file of links, as they are collected; of very many the first are kept, errors and others apart.
struct LinkFindings {
    /// The most errors, and the most others, that are kept: a file can have one for each of its links.
    private static let maxKept = 1_000

    private(set) var kept: [Diagnostic] = []
    private var (errors, others) = (0, 0)
    private(set) var hasErrors = false

    init(_ syntax: [Diagnostic]) {
        kept = syntax
        hasErrors = syntax.contains { $0.severity >= .error }
    }

    mutating func report(
        _ rule: RuleDescription, _ message: @autoclosure () -> String, at range: SourceRange,
        _ pointer: @autoclosure () -> JSONPointer, advice: @autoclosure () -> String? = nil,
        labels: [Diagnostic.Label] = []
    ) {
        if rule.severity >= .error {
            hasErrors = true
            errors += 1
        } else {
            others += 1
        }
        guard (rule.severity >= .error ? errors : others) <= Self.maxKept else { return }
        kept.append(
            Diagnostic(
                rule, message(), range: range, pointer: pointer().description, advice: advice(), labels: labels))
    }

    /// Reports a value that is not what was expected.
    mutating func invalid(
        _ node: JSONNode, _ key: String, in container: LinkContainer, _ found: String? = nil, expected: String
    ) {
        report(
            .invalidLinksValue, "'\(container.name(key))' is \(found ?? node.described); expected \(expected)",
            at: node.range, container.pointer.member(key))
    }

    /// Reports the keys of an object that nothing reads.
    mutating func unknownKeys(_ object: JSONObject, besides known: [String], in container: LinkContainer) {
        guard object.members.contains(where: { member in !known.contains(where: member.key.text.hasSameBytes) }) else {
            return
        }
        for key in object.unknownKeys(besides: known) {
            report(
                .unknownLinksKey, "unknown key \(quoted(key.key))", at: key.range, container.pointer.member(key.key),
                advice: key.nearest.map { "did you mean '\($0)'?" } ?? "known keys are \(Self.listed(known))")
        }
    }

    /// Reports a key that has to be there.
    mutating func missing(_ key: String, of object: JSONNode, in container: LinkContainer, _ advice: String) {
        report(
            .missingLinksKey, "'\(container.name(key))' is missing",
            at: SourceRange(start: object.range.start, end: min(object.range.start + 1, object.range.end)),
            container.pointer, advice: advice)
    }

    private static func listed(_ keys: [String]) -> String { keys.map { "'\($0)'" }.joined(separator: ", ") }
}

extension JSONNode {
    /// The value, or its kind where that says more, as a message has it.
    var described: String {
        switch value {
        case .string(let string): quoted(string.text)
        case .number(let text): shortened(text, to: 40)
        case .boolean(let boolean): "\(boolean)"
        default: kind
        }
    }
}

/// The site of a file of links, whose own host targets are compared with.
struct LinkSite {
    private let base: [UInt8]
    private let isWildcard: Bool

    init(_ domain: Domain) {
        base = Array(domain.base.utf8)
        isWildcard = domain.isWildcard
    }

    /// Whether it is the one host of the site.
    func isOnly(_ host: [UInt8]) -> Bool { !isWildcard && host == base }

    /// Whether the site has a host, in lower case.
    func covers(_ host: some Collection<UInt8>) -> Bool {
        guard isWildcard else { return host.elementsEqual(base) }
        guard let dot = host.firstIndex(of: UInt8(ascii: ".")), dot > host.startIndex else { return false }
        return host[dot...].dropFirst().elementsEqual(base)
    }
}

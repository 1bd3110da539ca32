package import AppSiteAssociation
internal import BoundedText
package import Diagnostics
package import URLPatterns

/// Takes an entry apart (Apple, "Associated Domains Entitlement").
struct EntryReader {
    private let text: String
    private var service: DomainEntry.Service?
    private var host: HostName?
    private var isWildcard = false
    private var mode = DomainEntry.Mode.all
    private var problems: [EntryProblem.Kind: String] = [:]

    /// - Parameters:
    ///   - text: Nil for what is not a string.
    ///   - written: The text in the file, if references to build settings in it were replaced.
    static func entry(
        _ text: String?, range: SourceRange?, pointer: String? = nil, written: String? = nil
    ) -> DomainEntry {
        func unread(_ text: String, _ kind: EntryProblem.Kind, _ clause: String) -> DomainEntry {
            DomainEntry(
                text: text, service: nil, host: nil, isWildcard: false, mode: .all,
                problem: EntryProblem(kind: kind, clause: clause, correction: nil), isUnresolved: false, range: range,
                pointer: pointer)
        }
        guard let text else { return unread("", .service, "is not a string") }
        guard text.utf8.count <= maxBytes else {
            return unread(String(text.prefix(100)) + "…", .domain, "is longer than any domain")
        }
        var reader = EntryReader(text: text)
        let isUnresolved = text.contains("$(") || text.contains("${")
        if !isUnresolved { reader.read() }
        return DomainEntry(
            text: text, service: reader.service, host: reader.host, isWildcard: reader.isWildcard, mode: reader.mode,
            problem: reader.problem, isUnresolved: isUnresolved, written: written, range: range, pointer: pointer)
    }

    private init(text: String) { self.text = text }

    /// The maximum length of a text that could be an entry, in bytes.
    private static let maxBytes = 1_024

    /// The maximum length of a name in DNS with some white space in it, or in Unicode, in bytes.
    private static let maxNameBytes = 512

    /// The order in which one problem hides the others, as one correction repairs them all.
    private static let order: [EntryProblem.Kind] = [.service, .scheme, .path, .domain, .port, .mode]

    private var problem: EntryProblem? {
        guard let kind = Self.order.first(where: { problems[$0] != nil }), let clause = problems[kind] else {
            return nil
        }
        return EntryProblem(kind: kind, clause: clause, correction: correction)
    }

    /// The text that was meant, if it is evident.
    private var correction: String? {
        guard let host, problems[.domain] == nil || isRepairable else { return nil }
        let query =
            switch mode {
            case .developer: "?mode=developer"
            case .managed: "?mode=managed"
            case .developerAndManaged: "?mode=developer+managed"
            case .all, .unknown: ""
            }
        let service = service ?? .applinks
        guard !(isWildcard && service == .appclips) else { return nil }
        return "\(service.rawValue):\(isWildcard ? "*." : "")\(host.ascii)\(query)"
    }

    /// Whether what is wrong with the domain goes away by writing only the host.
    private var isRepairable = false

    private mutating func read() {
        let trimmed = text.trimmed
        var rest = readService(Substring(trimmed))
        readScheme(&rest)
        readQueryAndPath(&rest)
        readPort(&rest)
        readHost(rest)
        if problems[.domain] == nil, text.unicodeScalars.contains(where: \.properties.isWhitespace) {
            problems[.domain] = "has white space"
            isRepairable = host != nil
        }
    }

    /// The text after the service.
    private mutating func readService(_ text: Substring) -> Substring {
        guard let colon = text.firstIndex(of: ":") else {
            problems[.service] =
                DomainEntry.Service(rawValue: String(text)) != nil ? "has no domain" : "has no service"
            return DomainEntry.Service(rawValue: String(text)) != nil ? "" : text
        }
        let name = String(text[..<colon]).trimmed
        let rest = text[text.index(after: colon)...]
        if let service = DomainEntry.Service(rawValue: name) {
            self.service = service
            return rest
        }
        // A URL or a host with a port is an entry without a service.
        let isURL = rest.hasPrefix("//") && !name.isEmpty
        if isURL || name.contains(".") || name.contains("[") || (!name.isEmpty && rest.first?.isNumber == true) {
            problems[.service] = "has no service"
            return text
        }
        service = Spelling.closest(to: name, among: AppleService.ofDomains.map(\.rawValue))
            .flatMap { DomainEntry.Service(rawValue: $0) }
        problems[.service] =
            name.isEmpty ? "has no service" : "has the service \(quoted(name)), which is unknown to this version"
        return rest
    }

    private mutating func readScheme(_ rest: inout Substring) {
        rest = Substring(String(rest).trimmed)
        if let separator = rest.utf8.firstRange(of: "://".utf8) {
            let scheme = rest[..<separator.lowerBound]
            if scheme.utf8.allSatisfy(\.isInScheme) {
                problems[.scheme] = "has a scheme"
                rest = rest[separator.upperBound...]
            }
        } else if rest.hasPrefix("//") {
            problems[.scheme] = "is written like a URL"
            rest = rest.dropFirst(2)
        } else {
            for scheme in ["https:", "http:"] where rest.lowercased().hasPrefix(scheme) {
                problems[.scheme] = "has a scheme"
                rest = rest.dropFirst(scheme.count)
                break
            }
        }
    }

    private mutating func readQueryAndPath(_ rest: inout Substring) {
        guard let end = rest.firstIndex(where: { $0 == "/" || $0 == "?" || $0 == "#" }) else { return }
        var after = rest[end...]
        rest = rest[..<end]
        if after.first != "?" {
            problems[.path] =
                switch (after.first, after.count) {
                case ("#", _): "has a fragment"
                case (_, 1): "ends in a slash"
                default: "has a path"
                }
            // A mode behind a path was meant to be one.
            guard let mark = after.firstIndex(of: "?") else { return }
            after = after[mark...]
        }
        mode =
            switch after.dropFirst() {
            case "mode=developer": .developer
            case "mode=managed": .managed
            case "mode=developer+managed": .developerAndManaged
            default: .unknown
            }
        if mode == .unknown {
            problems[.mode] = "has the query \(quoted(after)), which is not a mode"
        }
    }

    private mutating func readPort(_ rest: inout Substring) {
        // Several colons are an IPv6 address.
        guard rest.last != "]", let colon = rest.firstIndex(of: ":"),
            rest.lastIndex(of: ":") == colon || rest.first == "["
        else { return }
        let mark = rest.lastIndex(of: ":") ?? colon
        let port = rest[rest.index(after: mark)...]
        guard !port.isEmpty, port.utf8.allSatisfy(\.isDigit) else {
            return
        }
        problems[.port] = "has a port"
        rest = rest[..<mark]
    }

    private mutating func readHost(_ rest: Substring) {
        var name = rest
        if name.hasPrefix("*.") {
            isWildcard = true
            name = name.dropFirst(2)
        }
        if name.isEmpty {
            if problems[.service] == nil { problems[.domain] = isWildcard ? "has only a wildcard" : "has no domain" }
            return
        }
        guard name.utf8.count <= Self.maxNameBytes else {
            problems[.domain] = "does not name a host"
            return
        }
        if Self.isAddress(name) {
            problems[.domain] = "has an IP address, and only names can be associated"
            return
        }
        if name.contains("*") {
            problems[.domain] = "has a wildcard that is not the whole first label"
            return
        }
        let bare = name.hasSuffix(".") ? name.dropLast() : name
        let spaceless = String(scalars: bare.unicodeScalars.filter { !$0.properties.isWhitespace })
        let labels = spaceless.split(separator: ".", omittingEmptySubsequences: false)
        guard spaceless.unicodeScalars.allSatisfy(Self.isInName), let host = HostName(spaceless), !host.isAddress,
            host.ascii.split(separator: ".").allSatisfy({ $0.utf8.count <= 63 }), labels.allSatisfy({ !$0.isEmpty })
        else {
            problems[.domain] = "does not name a host"
            return
        }
        self.host = host
        if spaceless.utf8.count != bare.utf8.count {
            problems[.domain] = "has white space"
            isRepairable = true
        } else if bare.endIndex != name.endIndex {
            problems[.domain] = "ends in a dot"
            isRepairable = true
        } else if isWildcard, service == .appclips {
            problems[.domain] = "has a wildcard, which App Clips do not have"
        }
    }

    /// Whether a name may have the character: of ASCII only what hosts are made of; of the rest what can be seen, and
    /// the two joiners, which some scripts need (RFC 5892, appendix A).
    private static func isInName(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.isASCII else {
            switch scalar.properties.generalCategory {
            case .control, .surrogate, .privateUse, .unassigned, .spaceSeparator, .lineSeparator, .paragraphSeparator:
                return false
            case .format: return scalar == "\u{200C}" || scalar == "\u{200D}"
            default: return true
            }
        }
        return scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "-" || scalar == "_"
            || scalar == "."
    }

    /// Also in the spellings that are not in use any more, such as `127.1`; no name in DNS ends in a number.
    private static func isAddress(_ name: Substring) -> Bool {
        if name.hasPrefix("[") || name.utf8.count(where: { $0 == UInt8(ascii: ":") }) > 1 { return true }
        guard let last = name.split(separator: ".").last else { return false }
        let isHexadecimal = last.lowercased().hasPrefix("0x") && last.dropFirst(2).allSatisfy(\.isHexDigit)
        return isHexadecimal || last.allSatisfy { ("0"..."9").contains($0) }
    }
}

extension String {
    /// The text without white space at either end.
    fileprivate var trimmed: String {
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(scalars[first...last])
    }
}

extension UInt8 {
    /// Whether it can be in a scheme (RFC 3986, section 3.1).
    fileprivate var isInScheme: Bool { isLetter || isDigit || "+-.".utf8.contains(self) }
}

/// An entry of the associated domains: `SERVICE:DOMAIN[?mode=MODE]`, in any shape that people write it.
package struct DomainEntry: Sendable {
    package typealias Service = AppleService

    /// For which devices and builds it counts.
    package enum Mode: Hashable, Sendable {
        /// All: there is no query.
        case all
        case developer, managed, developerAndManaged
        /// Something else is written.
        case unknown
    }

    /// As it is in the file.
    package let text: String
    /// Nil if there is none, or one that is not known.
    package let service: Service?
    /// The host, without the `*.` of a wildcard; of a malformed entry the host that was meant. Nil if there is none.
    package let host: HostName?
    /// Whether it is `*.` and the host.
    package let isWildcard: Bool
    package let mode: Mode
    /// The problem of the entry, the first in the order of the codes; nil if it has none.
    package let problem: EntryProblem?
    /// Whether it has a build variable, so that only a build tells what it says.
    package let isUnresolved: Bool
    /// The entry in its file, if references to build settings in it were replaced.
    var written: String?
    /// Why a reference in it is not known.
    var reasons: [String] = []
    /// The characters of the entry in its file; nil if that is not a text.
    package let range: SourceRange?
    /// In JSON, where it is (RFC 6901).
    package let pointer: String?

    /// Whether the system takes it for this host. Nil: that depends on a build variable.
    package func covers(_ name: HostName) -> Bool? {
        if isUnresolved { return nil }
        guard problem?.isError != true, service != nil else { return false }
        return names(name)
    }

    /// Whether it was meant for this host, even if it is malformed.
    package func names(_ name: HostName) -> Bool {
        guard let host else { return false }
        if host == name { return true }
        return isWildcard && name.ascii.hasSuffix(".\(host.ascii)")
    }

    /// Whether it is malformed, and was meant for this host and service as far as can be seen.
    func isMeant(for name: HostName, _ service: Service) -> Bool {
        problem?.isError == true && (self.service ?? service) == service && names(name)
    }

    /// The meaning that two entries may have in common.
    struct Meaning: Hashable {
        let service: Service?
        let host: HostName?
        let isWildcard: Bool
        let mode: Mode
    }

    var meaning: Meaning { Meaning(service: service, host: host, isWildcard: isWildcard, mode: mode) }
}

/// The problem of an entry.
package struct EntryProblem: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case service, scheme, path, domain, port, mode
    }

    package let kind: Kind
    /// One clause, without the entry in front of it.
    package let clause: String
    /// The entry as it should be; nil if that is not evident.
    package let correction: String?

    /// Whether the system ignores the entry for it.
    package var isError: Bool { kind != .port && kind != .mode }
}

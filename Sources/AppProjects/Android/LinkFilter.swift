package import Diagnostics

/// A filter of an Android app that takes web links: VIEW, BROWSABLE, and data with `http` or `https`.
///
/// All data of a filter combine, as Android does it: each of its schemes with each of its hosts and each of its paths.
package struct LinkFilter: Sendable {
    package struct Authority: Sendable {
        /// In lower case, without the `*` of a wildcard; nil if only a build tells.
        package let host: String?
        /// Whether `host` is only the end of the hosts that are meant.
        package let isWildcard: Bool
        /// Nil for every port.
        package let port: String?
    }

    package enum PathPattern: Sendable {
        case exact(String)
        case prefix(String)
        case suffix(String)
        case glob(AndroidGlob)
        /// `pathAdvancedPattern`, a relative group, or a value that only a build tells.
        case undecided
    }

    /// Where it begins.
    package let range: SourceRange
    /// `android:autoVerify="true"`.
    package internal(set) var isVerified = false
    package private(set) var schemes: [String] = []
    package private(set) var authorities: [Authority] = []
    /// None takes every path.
    package private(set) var paths: [PathPattern] = []

    init(range: SourceRange) { self.range = range }

    /// Whether a link of the web can be for it.
    var takesWebLinks: Bool { schemes.contains { $0 == "http" || $0 == "https" || Self.isUnresolved($0) } }

    /// A resource or a placeholder of a build.
    static func isUnresolved(_ value: String) -> Bool { value.hasPrefix("@") || value.contains("${") }

    /// Adds data of a filter.
    ///
    /// - Parameter value: The value of an attribute, by its name without a prefix; nil if it is not there.
    mutating func add(_ value: (String) -> String?) {
        if let scheme = value("scheme") { schemes.append(scheme) }
        if let host = value("host") {
            let name = host.lowercased()
            let isWildcard = name.hasPrefix("*")
            let isUnresolved = Self.isUnresolved(host)
            authorities.append(
                Authority(
                    host: isUnresolved ? nil : isWildcard ? String(name.dropFirst()) : name, isWildcard: isWildcard,
                    port: value("port")))
        }
        func add(_ name: String, _ pattern: (String) -> PathPattern) {
            guard let text = value(name) else { return }
            paths.append(Self.isUnresolved(text) ? .undecided : pattern(text))
        }
        add("path") { .exact($0) }
        add("pathPrefix") { .prefix($0) }
        add("pathSuffix") { .suffix($0) }
        add("pathPattern") { .glob(AndroidGlob($0)) }
        add("pathAdvancedPattern") { _ in .undecided }
    }

    /// Adds paths that cannot be decided here.
    mutating func addUndecidedPath() { paths.append(.undecided) }
}

/// An answer where a build, or something that is not evaluated, may decide.
package enum Decision: Sendable {
    case yes, no, undecided

    /// Whether any of several holds.
    static func any(_ decisions: some Sequence<Decision>) -> Decision {
        var result = Decision.no
        for decision in decisions {
            if decision == .yes { return .yes }
            if decision == .undecided { result = .undecided }
        }
        return result
    }

    /// Whether all of several hold.
    static func all(_ decisions: Decision...) -> Decision {
        decisions.contains(.no) ? .no : decisions.contains(.undecided) ? .undecided : .yes
    }
}

extension LinkFilter.Authority {
    /// Whether it names a host, whatever the port.
    func names(_ host: String) -> Decision {
        guard let name = self.host else { return .undecided }
        return (isWildcard ? host.hasSuffix(name) : host == name) ? .yes : .no
    }

    fileprivate func takes(_ link: AndroidLink) -> Decision {
        let port: Decision =
            if let port = self.port {
                LinkFilter.isUnresolved(port) ? .undecided : port == link.port ? .yes : .no
            } else {
                .yes
            }
        return .all(names(link.host), port)
    }
}

extension LinkFilter {
    /// Whether the filter names a host.
    ///
    /// - Parameter host: In lower case, in Punycode.
    package func names(_ host: String) -> Decision { .any(authorities.map { $0.names(host) }) }

    /// Whether the filter takes a link.
    package func takes(_ link: AndroidLink) -> Decision {
        let scheme = Decision.any(schemes.map { Self.isUnresolved($0) ? .undecided : $0 == link.scheme ? .yes : .no })
        // Without a host, ports and paths are ignored.
        guard !authorities.isEmpty else { return scheme }
        let authority = Decision.any(authorities.map { $0.takes(link) })
        let path: Decision = paths.isEmpty ? .yes : .any(paths.map { $0.takes(link.path) })
        return .all(scheme, authority, path)
    }
}

extension LinkFilter.PathPattern {
    fileprivate func takes(_ path: String) -> Decision {
        switch self {
        case .exact(let text): path.utf8.elementsEqual(text.utf8) ? .yes : .no
        case .prefix(let text): path.utf8.starts(with: text.utf8) ? .yes : .no
        case .suffix(let text): path.utf8.reversed().starts(with: text.utf8.reversed()) ? .yes : .no
        case .glob(let glob): glob.matches(path) ? .yes : .no
        case .undecided: .undecided
        }
    }
}

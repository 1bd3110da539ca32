internal import AppSiteAssociation
package import Diagnostics
internal import URLPatterns

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
    package internal(set) var asksForVerification = false
    /// Whether it has the category DEFAULT, without which the system gives links to no filter.
    package internal(set) var hasDefaultCategory = true
    package private(set) var schemes: [String] = []
    package private(set) var authorities: [Authority] = []
    /// None takes every path.
    package private(set) var paths: [PathPattern] = []
    /// Whether it wants a content type, which no link has.
    private var isForContent = false
    /// Whether it has parts of URIs after the scheme (`ssp` and others), which are not evaluated.
    private var hasOtherParts = false

    init(range: SourceRange) { self.range = range }

    /// Whether a link of the web can be for it.
    var takesWebLinks: Bool {
        !isForContent && schemes.contains { Self.isForWeb($0) || Self.isUnresolved($0) }
    }

    /// Whether the system reads assetlinks.json for its hosts.
    package var isVerified: Bool { asksForVerification && otherScheme == nil }

    /// A scheme that is not for the web; with one, Android 12 and later verify nothing.
    package var otherScheme: String? { schemes.first { !Self.isForWeb($0) && !Self.isUnresolved($0) } }

    private static func isForWeb(_ scheme: String) -> Bool { scheme == "http" || scheme == "https" }

    /// A resource or a placeholder of a build.
    static func isUnresolved(_ value: String) -> Bool { value.hasPrefix("@") || value.contains("${") }

    /// Adds data of a filter.
    ///
    /// - Parameter attribute: The value of an attribute, by its name without a prefix; nil if it is not there.
    mutating func add(_ attribute: (String) -> String?) {
        func value(_ name: String) -> String? { attribute(name).map(Self.unescaped) }
        if ["mimeType", "mimeGroup"].contains(where: { attribute($0) != nil }) { isForContent = true }
        if ["ssp", "sspPrefix", "sspSuffix", "sspPattern", "sspAdvancedPattern"].contains(where: {
            attribute($0) != nil
        }) {
            hasOtherParts = true
        }
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

    /// A value as the build tools leave it, to which a backslash begins an escape.
    private static func unescaped(_ value: String) -> String {
        guard value.utf8.contains(UInt8(ascii: "\\")) else { return value }
        var result = String.UnicodeScalarView()
        var rest = Substring(value).unicodeScalars
        while let scalar = rest.popFirst() {
            guard scalar == "\\" else {
                result.append(scalar)
                continue
            }
            switch rest.popFirst() {
            case "n": result.append("\n")
            case "t": result.append("\t")
            case "u":
                let digits = rest.prefix(4)
                rest = rest.dropFirst(digits.count)
                if let scalar = UInt32(String(digits), radix: 16).flatMap(Unicode.Scalar.init) { result.append(scalar) }
            case let other?: result.append(other)
            case nil: break
            }
        }
        return String(result)
    }
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
            switch port {
            case nil: .yes
            case let port? where LinkFilter.isUnresolved(port): .undecided
            case let port?: Int(port).map { $0 == link.port.flatMap { Int($0) } } == true ? .yes : .no
            }
        return .all(names(link.host), port)
    }
}

extension LinkFilter {
    /// Whether the filter names a host.
    ///
    /// - Parameter host: In lower case, in Punycode.
    package func names(_ host: String) -> Decision { .any(authorities.lazy.map { $0.names(host) }) }

    /// Whether the filter has the wildcard for all hosts below this one.
    func names(below host: String) -> Bool { authorities.contains { $0.isWildcard && $0.host == ".\(host)" } }

    /// Whether the filter takes a link.
    package func takes(_ link: AndroidLink) -> Decision {
        let scheme = Decision.any(schemes.map { Self.isUnresolved($0) ? .undecided : $0 == link.scheme ? .yes : .no })
        let other: Decision = hasOtherParts ? .undecided : .no
        // Without a host, ports and paths are ignored.
        guard !authorities.isEmpty else { return hasOtherParts ? .all(scheme, other) : scheme }
        let authority = Decision.any(authorities.lazy.map { $0.takes(link) })
        let path: Decision = paths.isEmpty ? .yes : .any(paths.lazy.map { $0.takes(link.path) })
        return .all(scheme, .any([.all(authority, path), other]))
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

/// A `pathPattern` (Android, `PATTERN_SIMPLE_GLOB`): `.` is any character, `*` after a character any number of it, and
/// `\` takes the meaning away.
///
/// Nothing is tried twice: a run takes all it can, and `.*` goes to the first place where the next character is. What
/// would match with another choice does not.
package struct AndroidGlob: Hashable, Sendable {
    private enum Step: Hashable {
        case one(UInt16)
        case anyOne
        case run(UInt16)
        /// Up to the first character that is this one, and that one too; to the end if it is nil.
        case anyUntil(UInt16?)
    }

    private let steps: [Step]

    package init(_ pattern: String) {
        let units = Array(pattern.utf16)
        let (star, dot, escape) = (UInt16(ascii: "*"), UInt16(ascii: "."), UInt16(ascii: "\\"))
        var steps: [Step] = []
        var index = 0
        /// The next character, and whether it has no meaning but itself.
        func character() -> (UInt16, isEscaped: Bool)? {
            guard index < units.count else { return nil }
            defer { index += 1 }
            guard units[index] == escape, index + 1 < units.count else { return (units[index], false) }
            index += 1
            return (units[index], true)
        }
        while let (unit, isEscaped) = character() {
            let isRepeated = index < units.count && units[index] == star
            if isRepeated { index += 1 }
            switch (unit == dot, isRepeated) {
            case (true, false) where !isEscaped: steps.append(.anyOne)
            case (true, true) where !isEscaped: steps.append(.anyUntil(character()?.0))
            case (_, true): steps.append(.run(unit))
            case (_, false): steps.append(.one(unit))
            }
        }
        self.steps = steps
    }

    package func matches(_ text: String) -> Bool {
        let units = Array(text.utf16)
        var index = 0
        for step in steps {
            switch step {
            case .one(let unit):
                guard index < units.count, units[index] == unit else { return false }
                index += 1
            case .anyOne:
                guard index < units.count else { return false }
                index += 1
            case .run(let unit):
                // Where the text is over, only `.*` may be left.
                guard index < units.count else { return false }
                while index < units.count, units[index] == unit { index += 1 }
            case .anyUntil(nil): return true
            case .anyUntil(let unit?):
                guard let next = units[index...].firstIndex(of: unit) else { return false }
                index = next + 1
            }
        }
        return index == units.count
    }
}

extension UInt16 {
    fileprivate init(ascii scalar: Unicode.Scalar) { self = UInt16(truncatingIfNeeded: scalar.value) }
}

/// A web link as Android's filters see it.
package struct AndroidLink: Hashable, Sendable {
    /// As it was given.
    package let url: String
    /// In lower case.
    package let scheme: String
    /// In lower case, in Punycode.
    package let host: String
    /// As it is written; nil if it is not.
    package let port: String?
    /// Decoded.
    package let path: String

    /// Nil if it is not an `http` or `https` URL with a host.
    package init?(_ url: String) {
        let bytes = Array(url.utf8)
        guard let parts = bytes.withUnsafeBytes({ URLParts($0) }),
            let host = HostName(String(decoding: bytes[parts.host], as: UTF8.self))
        else { return nil }
        self.url = url
        scheme = String(decoding: bytes[parts.scheme], as: UTF8.self).lowercased()
        self.host = host.ascii
        let port = bytes[parts.host.upperBound..<parts.path.lowerBound].dropFirst()
        self.port = port.isEmpty ? nil : String(decoding: port, as: UTF8.self)
        // A browser asks for the root where no path is written.
        path = parts.path.isEmpty ? "/" : Self.decoded(bytes[parts.path])
    }

    private static func decoded(_ path: ArraySlice<UInt8>) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(path.count)
        var rest = path
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let high = rest[rest.startIndex].hexadecimalDigit, let low = rest[rest.startIndex + 1].hexadecimalDigit
            {
                result.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate var hexadecimalDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

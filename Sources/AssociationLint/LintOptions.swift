public import Diagnostics

/// The choice of the findings that a check reports, and of their severity.
public struct LintOptions: Sendable {
    /// The severity of a code.
    public enum Setting: String, Sendable, CaseIterable {
        case error, warning, off

        public init(_ severity: Severity) {
            self = severity == .error ? .error : .warning
        }
    }

    /// The codes whose severity differs from the default. Errors of the syntax stay errors in any case.
    public var settings: [DiagnosticCode: Setting]
    /// The oldest system that the file is for.
    public var minimumIOS: SystemVersion?
    /// The oldest version of Android, as an API level, that a manifest is for.
    package var minimumAPI: Int?
    /// The apps whose certificates an `assetlinks.json` has to list.
    package var signers: [AppSigner] = []
    /// The findings that are not reported.
    public var ignores: [Ignore]

    public init(
        settings: [DiagnosticCode: Setting] = [:], minimumIOS: SystemVersion? = nil, ignores: [Ignore] = []
    ) {
        self.settings = settings
        self.minimumIOS = minimumIOS
        self.ignores = ignores
    }
}

extension LintOptions {
    /// The severities of all codes that are not off.
    var severities: [DiagnosticCode: Severity] {
        var result = RuleRegistry.severities
        for (code, setting) in settings where !RuleRegistry.isUnchangeable(code) {
            result[code] = setting == .off ? nil : setting == .error ? .error : .warning
        }
        return result
    }
}

/// Known findings that are not to be reported.
public struct Ignore: Hashable, Sendable {
    public var code: DiagnosticCode
    /// A value in the file and everything in it, as an RFC 6901 pointer; nil is the whole file.
    public var pointer: String?
    /// Why.
    public var reason: String
    /// The entry of `.aasa.json` that it was read from, as an RFC 6901 pointer; nil if it was given as an option.
    public var entry: String?

    public init(code: DiagnosticCode, pointer: String? = nil, reason: String, entry: String? = nil) {
        self.code = code
        self.pointer = pointer
        self.reason = reason
        self.entry = entry
    }

    package func covers(_ diagnostic: Diagnostic) -> Bool {
        guard diagnostic.code == code, !RuleRegistry.isUnchangeable(code) else { return false }
        guard let pointer, !pointer.isEmpty else { return true }
        guard let found = diagnostic.pointer, found.utf8.starts(with: pointer.utf8) else { return false }
        let rest = found.utf8.dropFirst(pointer.utf8.count)
        return rest.isEmpty || rest.first == UInt8(ascii: "/")
    }
}

/// A version of iOS, like `13` or `13.5`.
public struct SystemVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let major: Int
    public let minor: Int

    public init(_ major: Int, _ minor: Int = 0) {
        self.major = major
        self.minor = minor
    }

    /// Reads `13`, `13.5` or `13.5.1`; the third number makes no difference.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count) else { return nil }
        var numbers: [Int] = []
        for part in parts {
            guard (1...3).contains(part.utf8.count), part.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = Int(part)
            else { return nil }
            numbers.append(number)
        }
        self.init(numbers[0], numbers.count > 1 ? numbers[1] : 0)
    }

    public static func < (left: SystemVersion, right: SystemVersion) -> Bool {
        (left.major, left.minor) < (right.major, right.minor)
    }

    public var description: String { "\(major).\(minor)" }
}

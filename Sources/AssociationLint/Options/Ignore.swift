public import Diagnostics

/// Findings that are known and not to be reported.
public struct Ignore: Hashable, Sendable {
    public var code: DiagnosticCode
    /// A place in the file and everything in it, as an RFC 6901 pointer; nil is the whole file.
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

    func covers(_ diagnostic: Diagnostic) -> Bool {
        guard diagnostic.code == code, !RuleRegistry.isUnchangeable(code) else { return false }
        guard let pointer, !pointer.isEmpty else { return true }
        guard let found = diagnostic.pointer, found.utf8.starts(with: pointer.utf8) else { return false }
        let rest = found.utf8.dropFirst(pointer.utf8.count)
        return rest.isEmpty || rest.first == UInt8(ascii: "/")
    }
}

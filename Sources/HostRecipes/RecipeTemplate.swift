/// A text with placeholders: a configuration file, or a list of steps or notes.
///
/// - `{{version}}`, `{{host}}` and `{{domain}}` are the version of the program, the name of the recipe, and the domain that
///   the files are for.
/// - `{{association:RULE}}`, `{{links:RULE}}`, `{{configuration:RULE}}` and `{{root:RULE}}` are the absolute paths, on the
///   host, of the association file, of `assetlinks.json`, of the first configuration file and of the folder that all of them
///   are in, quoted by a rule (``PathQuoting``).
/// - Lines between `{{if association}}`, `{{if links}}` or `{{if both}}` and `{{end}}` are there only if those files are
///   exported. Conditions cannot be nested.
package struct RecipeTemplate: Sendable {
    /// Below the folder that is written.
    package let path: String
    private let pieces: [Piece]

    private enum Piece: Sendable {
        case text(String)
        case value(Value)
        case filePath(File, PathQuoting)
        case condition(Condition)
        case end
    }

    private enum Condition: String, Sendable {
        case association, links, both
    }

    private enum Value: String, Sendable {
        case version, host, domain
    }

    private enum File: String, Sendable {
        case association, links, configuration, root
    }

    /// The values that the placeholders stand for.
    struct Values {
        var version: String
        var host: String
        var domain: String
        /// Absolute, without a slash at its end; empty for the root of the file system.
        var root: String
        var associationPath: String
        var linksPath: String
        var configurationPath: String
        var hasAssociation: Bool
        var hasLinks: Bool
    }

    /// Nil if a placeholder is unknown, or a condition in the wrong place.
    ///
    /// - Parameter path: Of a configuration file; a list has none.
    init?(path: String = "", _ lines: [Substring]) {
        self.path = path
        var pieces: [Piece] = []
        var lines = lines
        var isInCondition = false
        while lines.last?.isEmpty == true { lines.removeLast() }
        for line in lines {
            let condition = Self.condition(line)
            if condition != nil || line == "{{end}}" {
                guard (condition == nil) == isInCondition else { return nil }
                isInCondition.toggle()
                pieces.append(condition.map { .condition($0) } ?? .end)
            } else {
                guard let parts = Self.pieces(of: line) else { return nil }
                pieces += parts + [.text("\n")]
            }
        }
        guard !isInCondition else { return nil }
        self.pieces = pieces
    }

    private static func condition(_ line: Substring) -> Condition? {
        guard line.hasPrefix("{{if "), line.hasSuffix("}}") else { return nil }
        return Condition(rawValue: String(line.dropFirst(5).dropLast(2)))
    }

    private static func pieces(of line: Substring) -> [Piece]? {
        var pieces: [Piece] = []
        var rest = line
        while let start = rest.firstRange(of: "{{") {
            guard let end = rest[start.upperBound...].firstRange(of: "}}"),
                let piece = piece(rest[start.upperBound..<end.lowerBound])
            else { return nil }
            pieces += [.text(String(rest[..<start.lowerBound])), piece]
            rest = rest[end.upperBound...]
        }
        return pieces + [.text(String(rest))]
    }

    private static func piece(_ word: Substring) -> Piece? {
        if let value = Value(rawValue: String(word)) { return .value(value) }
        let parts = word.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let file = File(rawValue: String(parts[0])),
            let quoting = PathQuoting(rawValue: String(parts[1]))
        else { return nil }
        return .filePath(file, quoting)
    }

    /// The text with all placeholders replaced.
    func text(_ values: Values) throws(PathQuoting.Problem) -> String {
        var text = ""
        var isSkipped = false
        for piece in pieces {
            switch piece {
            case .condition(.association): isSkipped = !values.hasAssociation
            case .condition(.links): isSkipped = !values.hasLinks
            case .condition(.both): isSkipped = !(values.hasAssociation && values.hasLinks)
            case .end: isSkipped = false
            case _ where isSkipped: continue
            case .text(let part): text += part
            case .value(.version): text += values.version
            case .value(.host): text += values.host
            case .value(.domain): text += values.domain
            case .filePath(let file, let quoting): text += try quoting.quoted(Self.path(of: file, values))
            }
        }
        return text
    }

    /// The items of a list, with all placeholders replaced.
    func items(_ values: Values) throws(PathQuoting.Problem) -> [String] {
        try text(values).split(separator: "\n").filter { $0.hasPrefix("- ") }.map { String($0.dropFirst(2)) }
    }

    private static func path(of file: File, _ values: Values) -> String {
        switch file {
        case .association: "\(values.root)/\(values.associationPath)"
        case .links: "\(values.root)/\(values.linksPath)"
        case .configuration: "\(values.root)/\(values.configurationPath)"
        case .root: values.root.isEmpty ? "/" : values.root
        }
    }
}

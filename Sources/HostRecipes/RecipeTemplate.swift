/// The text of a configuration file with placeholders.
///
/// - `{{version}}` and `{{host}}` are the version of the program and the name of the recipe.
/// - `{{association:RULE}}`, `{{links:RULE}}` and `{{folder:RULE}}` are the absolute paths of the association file, of
///   `assetlinks.json` and of the folder that they are in, quoted by a rule (``PathQuoting``).
/// - Lines between `{{if association}}`, `{{if links}}` or `{{if both}}` and `{{end}}` are there only if those files are
///   exported; `{{else}}` may be between them.
package struct RecipeTemplate: Sendable {
    /// Below the folder that is written.
    package let path: String
    private let pieces: [Piece]

    private enum Piece: Sendable {
        case text(String)
        case version, host
        case filePath(File, PathQuoting)
        case condition(Condition)
        case otherwise, end
    }

    private enum Condition: String, Sendable {
        case association, links, both
    }

    private enum File: String, Sendable {
        case association, links, folder
    }

    /// What the placeholders stand for.
    struct Values {
        var version: String
        var host: String
        /// Absolute.
        var association: String
        var links: String
        var hasAssociation: Bool
        var hasLinks: Bool
    }

    init(path: String, lines: [Substring]) throws(HostRecipe.Problem) {
        self.path = path
        var pieces: [Piece] = []
        var lines = lines
        while lines.last?.isEmpty == true { lines.removeLast() }
        for line in lines {
            switch line {
            case "{{else}}": pieces.append(.otherwise)
            case "{{end}}": pieces.append(.end)
            default:
                if let condition = Self.condition(line) {
                    pieces.append(.condition(condition))
                    continue
                }
                pieces += try Self.pieces(of: line, path)
                pieces.append(.text("\n"))
            }
        }
        self.pieces = pieces
    }

    private static func condition(_ line: Substring) -> Condition? {
        guard line.hasPrefix("{{if "), line.hasSuffix("}}") else { return nil }
        return Condition(rawValue: String(line.dropFirst(5).dropLast(2)))
    }

    private static func pieces(of line: Substring, _ path: String) throws(HostRecipe.Problem) -> [Piece] {
        var pieces: [Piece] = []
        var rest = line
        while let start = rest.firstRange(of: "{{"), let end = rest[start.upperBound...].firstRange(of: "}}") {
            pieces.append(.text(String(rest[..<start.lowerBound])))
            let word = rest[start.upperBound..<end.lowerBound]
            guard let piece = piece(word) else {
                throw HostRecipe.Problem(description: "\(path): unknown placeholder '{{\(word)}}'")
            }
            pieces.append(piece)
            rest = rest[end.upperBound...]
        }
        return pieces + [.text(String(rest))]
    }

    private static func piece(_ word: Substring) -> Piece? {
        switch word {
        case "version": return .version
        case "host": return .host
        default:
            let parts = word.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, let file = File(rawValue: String(parts[0])),
                let quoting = PathQuoting(rawValue: String(parts[1]))
            else { return nil }
            return .filePath(file, quoting)
        }
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
            case .otherwise: isSkipped.toggle()
            case .end: isSkipped = false
            case _ where isSkipped: continue
            case .text(let part): text += part
            case .version: text += values.version
            case .host: text += values.host
            case .filePath(let file, let quoting): text += try quoting.quoted(Self.path(of: file, values))
            }
        }
        return text
    }

    private static func path(of file: File, _ values: Values) -> String {
        switch file {
        case .association: values.association
        case .links: values.links
        case .folder:
            String(values.association[..<(values.association.lastIndex(of: "/") ?? values.association.endIndex)])
        }
    }
}

/// How a format writes a path.
package enum PathQuoting: String, Sendable, CaseIterable {
    /// A string in double quotes of nginx, which has no way to write a dollar sign.
    case nginx
    /// A word of Apache's configuration.
    case apache
    /// The target of Apache's `RewriteRule`, in which `$` and `%` begin references.
    case apacheTarget
    /// A string in double quotes of a Caddyfile.
    case caddy
    /// A string in double quotes of haproxy.cfg.
    case haproxy
    /// A word of a POSIX shell.
    case shell

    /// A path that a format cannot express, and why.
    package struct Problem: Error, Equatable, CustomStringConvertible {
        package let description: String
    }

    /// - Parameter path: Absolute.
    package func quoted(_ path: String) throws(Problem) -> String {
        if path.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
            throw Problem(description: "the path has a control character")
        }
        for part in unwritable where path.contains(part) {
            throw Problem(description: "\(format) cannot have '\(part)' in this path")
        }
        if self == .shell {
            return "'\(path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
        }
        let special = escaped
        return "\"" + path.reduce(into: "") { $0 += special.contains($1) ? "\\\($1)" : String($1) } + "\""
    }

    private var format: String {
        switch self {
        case .nginx: "nginx"
        case .apache, .apacheTarget: "Apache"
        case .caddy: "a Caddyfile"
        case .haproxy: "HAProxy"
        case .shell: "a shell"
        }
    }

    private var unwritable: [String] {
        switch self {
        case .nginx: ["$"]
        // A path of <Directory> is a pattern, and ${NAME} a variable.
        case .apache, .apacheTarget: ["${", "*", "?", "[", "\\"]
        case .caddy: ["{"]
        case .haproxy, .shell: []
        }
    }

    private var escaped: Set<Character> {
        switch self {
        case .nginx, .caddy: ["\"", "\\"]
        case .apache: ["\""]
        case .apacheTarget: ["\"", "$", "%"]
        case .haproxy: ["\"", "\\", "$"]
        case .shell: []
        }
    }
}

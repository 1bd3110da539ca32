/// The quoting of a path in a format.
package enum PathQuoting: String, Sendable, CaseIterable {
    /// A string in double quotes of nginx, which has no way to write a dollar sign.
    case nginx
    /// A path that nginx includes, which may be a pattern.
    case nginxInclude
    /// A word of Apache's configuration.
    case apache
    /// A path that Apache includes, which may be a pattern.
    case apacheInclude
    /// The target of Apache's `RewriteRule`, which reads its arguments itself: `$` and `%` begin references, quotation marks
    /// mean nothing within a word, and `\` takes the meaning of the next character away.
    case apacheTarget
    /// A token of a Caddyfile.
    case caddy
    /// A path that a Caddyfile imports, which is a pattern.
    case caddyImport
    /// A word of haproxy.cfg.
    case haproxy
    /// A string of lighttpd.conf, in which a backslash is special only before a quotation mark.
    case lighttpd
    /// A path that lighttpd includes, which is a pattern.
    case lighttpdInclude
    /// A scalar of YAML in double quotes.
    case yaml
    /// A word of a POSIX shell.
    case shell
    /// The path as it is, for people.
    case plain

    /// A path that a format cannot express, and why.
    package struct Problem: Error, Equatable, CustomStringConvertible {
        package let description: String
    }

    /// - Parameter path: Absolute.
    package func quoted(_ path: String) throws(Problem) -> String {
        if let control = path.unicodeScalars.first(where: { $0.value < 0x20 || $0.value == 0x7F }) {
            throw Problem(description: "it has a control character (U+\(hexadecimal(control.value)))")
        }
        for (part, reason) in unwritable where path.contains(part) { throw Problem(description: reason) }
        switch self {
        case .nginx, .apache: return "\"\(path.escaped(["\"", "\\"]))\""
        case .nginxInclude: return try PathQuoting.nginx.quoted(path.isPattern ? path.literalPattern : path)
        case .apacheInclude: return try PathQuoting.apache.quoted(path.isPattern ? path.literalPattern : path)
        case .apacheTarget: return path.escaped(["$", "%", "\\", " "])
        case .caddy: return try caddyToken(path)
        case .caddyImport: return try caddyToken(path.escaped(["*", "?", "\\"]))
        case .haproxy: return "\"\(path.escaped(["\"", "\\", "$"]))\""
        case .lighttpd: return "\"\(path.escaped(["\""]))\""
        case .lighttpdInclude: return try PathQuoting.lighttpd.quoted(path.literalPattern.escaped(["{"]))
        case .yaml: return "\"\(path.escaped(["\"", "\\"]).withoutLineBreaks)\""
        case .shell: return shellWord(path)
        case .plain: return path
        }
    }

    private var unwritable: [(part: String, reason: String)] {
        switch self {
        case .nginx, .nginxInclude:
            [("$", "nginx takes '$' for the beginning of a variable, and has no way to write it")]
        case .apache, .apacheInclude:
            [("${", "Apache takes '${' for the beginning of a variable, and has no way to write it")]
        case .apacheTarget:
            [
                ("${", "Apache takes '${' for the beginning of a variable, and has no way to write it"),
                ("?", "Apache's RewriteRule takes what follows '?' for a query, and has no way to write it"),
            ]
        case .caddy: [("{", "Caddy takes '{' for the beginning of a placeholder, and has no way to write it")]
        case .caddyImport: PathQuoting.caddy.unwritable + [("[", "Caddy imports no file with '[' in its path")]
        case .lighttpd, .lighttpdInclude: [(#"\""#, #"lighttpd has no way to write '\' before '"'"#)]
        case .haproxy, .yaml, .shell, .plain: []
        }
    }

    /// Nothing is special between backquotes; between double quotes a backslash cannot always be written.
    private func caddyToken(_ path: String) throws(Problem) -> String {
        if !path.contains("`") { return path.contains(where: Self.needsQuotes) ? "`\(path)`" : path }
        guard !path.contains("\\") else {
            throw Problem(description: "a Caddyfile cannot have '`' and '\\' in one path")
        }
        return "\"\(path.escaped(["\""]))\""
    }

    private func shellWord(_ path: String) -> String {
        guard path.contains(where: Self.needsQuotes) else { return path }
        return "'\(path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#))'"
    }

    private static func needsQuotes(_ character: Character) -> Bool {
        guard let ascii = character.asciiValue else { return true }
        let isPlain =
            switch ascii {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "-._/+@:,".utf8.contains(ascii)
            }
        return !isPlain
    }

    private func hexadecimal(_ number: UInt32) -> String {
        let digits = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}

extension String {
    fileprivate var isPattern: Bool { contains { "*?[".contains($0) } }

    /// A pattern (glob(7)) that matches only the text.
    fileprivate var literalPattern: String {
        reduce(into: "") { $0 += "*?[".contains($1) ? "[\($1)]" : $1 == "\\" ? #"\\"# : String($1) }
    }

    /// The text with the escapes of YAML for what it takes for the end of a line beside control characters.
    fileprivate var withoutLineBreaks: String {
        reduce(into: "") { $0 += ["\u{85}": #"\N"#, "\u{2028}": #"\L"#, "\u{2029}": #"\P"#][$1] ?? String($1) }
    }

    /// The text with a backslash before each of these characters.
    fileprivate func escaped(_ special: Set<Character>) -> String {
        reduce(into: "") { $0 += special.contains($1) ? "\\\($1)" : String($1) }
    }
}

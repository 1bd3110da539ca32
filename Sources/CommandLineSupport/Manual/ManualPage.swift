/// A page of the manual, in mdoc(7).
package struct ManualPage: Sendable {
    /// The name of the page, such as `aasa-serve`.
    package let name: String
    /// 1 for commands, 5 for files.
    package let section: Int
    private let title: String
    private let summary: String
    private var lines: [String] = []

    /// - Parameters:
    ///   - summary: For the section NAME: one clause without a final period.
    package init(_ name: String, section: Int, summary: String) {
        self.name = name
        self.section = section
        title = name.uppercased()
        self.summary = summary
    }

    /// The name of its file, as `aasa-serve.1`.
    package var fileName: String { "\(name).\(section)" }

    /// The text of the page, without the end of its last line.
    ///
    /// - Parameter date: Of the page, as `November 22, 2026`.
    package func text(date: String) -> String {
        let head = [
            ".Dd \(date)", ".Dt \(Mdoc.argument(title)) \(section)", ".Os \"\(Product.name) \(Product.version)\"",
            ".Sh NAME",
            ".Nm \(Mdoc.argument(name))", ".Nd \(Mdoc.escaped(summary))",
        ]
        return (head + lines).joined(separator: "\n")
    }

    /// Begins a section, as `EXIT STATUS`.
    package mutating func section(_ title: String) { lines.append(".Sh \(title)") }

    mutating func subsection(_ title: String) { lines.append(".Ss \(Mdoc.escaped(title))") }

    /// Adds paragraphs, which an empty line separates. Indented lines stay as they are.
    package mutating func prose(_ text: String) {
        for block in Self.blocks(text) {
            if lines.last?.hasPrefix(".S") == false, lines.last != ".Pp" { lines.append(".Pp") }
            if block.isLiteral {
                let margin = block.lines.map { $0.prefix { $0 == " " }.count }.min() ?? 0
                literal(block.lines.map { String($0.dropFirst(margin)) })
            } else {
                lines += Mdoc.prose(block.lines.joined(separator: " "))
            }
        }
    }

    /// Adds lines as they are, in the type of code.
    package mutating func literal(_ text: [String]) {
        lines.append(".Bd -literal -offset indent")
        lines += text.map { Mdoc.line($0, isCode: true) }
        lines.append(".Ed")
    }

    /// Adds one line of code.
    mutating func display(_ line: String) {
        lines.append(".Pp")
        lines.append(".Dl \(Mdoc.argument(line, isCode: true))")
    }

    /// Adds a list of names with their texts.
    ///
    /// - Parameter macro: For the names: `Cm`, `Ev`, `Pa`; none if they are numbers, or macros with their arguments.
    package mutating func list(_ entries: [(name: String, text: String)], macro: String) {
        lines.append(".Bl -tag -width Ds")
        for entry in entries {
            lines.append(macro.isEmpty ? ".It \(entry.name)" : ".It \(macro) \(Mdoc.argument(entry.name))")
            for (number, block) in Self.blocks(entry.text).enumerated() {
                if number > 0 { lines.append(".Pp") }
                lines += Mdoc.prose(block.lines.joined(separator: " "))
            }
        }
        lines.append(".El")
    }

    /// Adds the section SYNOPSIS of a file.
    package mutating func synopsis(path: String) {
        section("SYNOPSIS")
        lines.append(".Pa \(Mdoc.argument(path))")
    }

    /// Adds a line of macros.
    mutating func macro(_ line: String) { lines.append(".\(line)") }

    /// Adds the section SEE ALSO: pages like `aasa.json(5)`, in the order of their sections and names.
    package mutating func seeAlso(_ pages: [String]) {
        let references = Set(pages).compactMap { page -> (section: String, name: String)? in
            let parts = page.split { $0 == "(" || $0 == ")" }
            guard parts.count == 2, page != "\(name)(\(section))" else { return nil }
            return (String(parts[1]), String(parts[0]))
        }
        guard !references.isEmpty else { return }
        section("SEE ALSO")
        let sorted = references.sorted { ($0.section, $0.name) < ($1.section, $1.name) }
        lines += sorted.enumerated().map { number, page in
            ".Xr \(Mdoc.argument(page.name)) \(page.section)" + (number < sorted.count - 1 ? " ," : "")
        }
    }

    private static func blocks(_ text: String) -> [(lines: [String], isLiteral: Bool)] {
        var blocks: [(lines: [String], isLiteral: Bool)] = []
        var isBetween = true
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            guard line.contains(where: { $0 != " " }) else {
                isBetween = true
                continue
            }
            let isLiteral = line.hasPrefix("  ")
            if !isBetween, let last = blocks.last, last.isLiteral == isLiteral {
                blocks[blocks.count - 1].lines.append(line)
            } else {
                blocks.append(([line], isLiteral))
            }
            isBetween = false
        }
        return blocks
    }
}

/// The markup of mdoc(7).
enum Mdoc {
    /// A part of a word: `--color` and `` `code` `` get a macro.
    private enum Fragment {
        case plain(String)
        case code(String)
        case option(String)

        var isMarked: Bool { if case .plain = self { false } else { true } }
    }

    /// The longest line that mandoc(1) recommends.
    private static let longestLine = 80

    /// The lines of a paragraph; each sentence begins one.
    ///
    /// - Parameter text: With code in backticks and links as in Markdown.
    static func prose(_ text: String) -> [String] {
        var lines: [String] = []
        var words: [String] = []
        func flush() {
            if !words.isEmpty { lines.append(line(words.joined(separator: " "), isEscaped: true)) }
            words = []
        }
        func append(_ word: String) {
            if words.reduce(word.utf8.count, { $0 + $1.utf8.count + 1 }) > longestLine { flush() }
            words.append(word)
        }
        for word in Self.words(text) {
            if let line = macros(word) {
                flush()
                lines.append(line)
            } else {
                append(word.map(plain).joined())
                if case .plain(let text)? = word.last, endsSentence(text) { flush() }
            }
        }
        flush()
        return lines
    }

    /// The macros of a word that is code or an option, with the punctuation around it; nil for any other word.
    private static func macros(_ word: [Fragment]) -> String? {
        guard let index = word.firstIndex(where: \.isMarked), index <= 1 else { return nil }
        var line = "."
        if case .plain(let start) = word[0] {
            guard start == "(" else { return nil }
            line += "No \\&( Ns "
        }
        switch word[index] {
        case .code(let text): line += "Ql \(argument(text, isCode: true))"
        case .option(let text): line += "Fl \(argument(String(text.dropFirst()), isCode: true))"
        case .plain: return nil
        }
        switch word.dropFirst(index + 1).first {
        case nil: return line
        // A macro takes marks as arguments, and puts them after what it encloses.
        case .plain(let end)? where word.count == index + 2 && end.allSatisfy({ ".,:;)]?!".contains($0) }):
            return line + end.map { " \($0)" }.joined()
        default: return nil
        }
    }

    /// A part of a word that is not a macro: code in the quotation marks that the macro has.
    private static func plain(_ fragment: Fragment) -> String {
        switch fragment {
        case .plain(let text): escaped(text)
        case .code(let text): #"\(oq"# + escaped(text, isCode: true) + #"\(cq"#
        case .option(let text): escaped(text, isCode: true)
        }
    }

    private static func words(_ text: String) -> [[Fragment]] {
        var words: [[Fragment]] = []
        var word: [Fragment] = []
        var plain = ""
        var rest = Substring(withoutLinks(text))
        func endPlain() {
            guard !plain.isEmpty else { return }
            word += fragments(plain)
            plain = ""
        }
        while let character = rest.popFirst() {
            switch character {
            case "`" where rest.contains("`"):
                endPlain()
                word.append(.code(String(rest.prefix { $0 != "`" })))
                rest = rest.drop { $0 != "`" }.dropFirst()
            case " ":
                endPlain()
                if !word.isEmpty { words.append(word) }
                word = []
            default: plain.append(character)
            }
        }
        endPlain()
        return word.isEmpty ? words : words + [word]
    }

    /// `[text](address)` as `text`.
    private static func withoutLinks(_ text: String) -> String {
        var result = ""
        var rest = Substring(text)
        while let middle = rest.firstRange(of: "]("), let start = rest[..<middle.lowerBound].lastIndex(of: "["),
            let end = rest[middle.upperBound...].firstIndex(of: ")")
        {
            result += rest[..<start] + rest[rest.index(after: start)..<middle.lowerBound]
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    /// Plain text, or an option with what is around it, as `(--fix)`.
    private static func fragments(_ text: String) -> [Fragment] {
        let start = text.prefix { "(\"".contains($0) }
        let rest = text.dropFirst(start.count)
        let name = rest.prefix { $0 == "-" || $0.isASCII && ($0.isLetter || $0.isNumber) }
        let end = rest.dropFirst(name.count)
        let isLong = name.hasPrefix("--") && name.count > 3 && name.dropFirst(2).first?.isLetter == true
        let isShort = name.count == 2 && name.first == "-" && name.last?.isLetter == true
        guard isLong || isShort, end.allSatisfy({ ".,:;)\"?!".contains($0) }) else { return [.plain(text)] }
        let around = [String(start), String(end)].map { $0.isEmpty ? [] : [Fragment.plain($0)] }
        return around[0] + [.option(String(name))] + around[1]
    }

    private static func endsSentence(_ word: String) -> Bool {
        let word = word.hasSuffix(")") ? word.dropLast() : word[...]
        return word.last.map { ".!?".contains($0) } ?? false && !["e.g.", "i.e.", "etc.", "…"].contains(word)
    }

    /// An argument of a macro, in quotes if it needs them.
    static func argument(_ text: String, isCode: Bool = false) -> String {
        let escaped = escaped(text, isCode: isCode).replacing("\"", with: #"\(dq"#)
        if escaped.isEmpty || escaped.contains(" ") { return "\"\(escaped)\"" }
        // Short words may be macros, and a lone mark would be taken for punctuation.
        let isSpecial = escaped.count <= 3 && (escaped.first?.isUppercase == true || escaped.count == 1)
        return isSpecial ? "\\&\(escaped)" : escaped
    }

    /// A line of text, which no mark at its beginning makes a macro.
    static func line(_ text: String, isCode: Bool = false, isEscaped: Bool = false) -> String {
        let text = isEscaped ? text : escaped(text, isCode: isCode)
        return text.hasPrefix(".") || text.isEmpty ? "\\&\(text)" : text
    }

    /// Text whose characters are shown as they are.
    ///
    /// - Parameter isCode: Whether hyphens are those of ASCII, so that what is copied can be typed.
    static func escaped(_ text: String, isCode: Bool = false) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += #"\e"#
            case "'": result += #"\(aq"#
            case "`": result += #"\(ga"#
            case "^": result += #"\(ha"#
            case "~": result += #"\(ti"#
            case "-" where isCode: result += #"\-"#
            case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
            default:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                result += "\\[u\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)]"
            }
        }
        return result
    }
}

/// A page of the manual, in mdoc(7).
package struct ManualPage: Sendable {
    /// As `aasa-serve`.
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

    /// The text of the page.
    ///
    /// - Parameter date: Of the page, as `November 22, 2026`.
    package func text(date: String) -> String {
        let head = [
            ".Dd \(date)", ".Dt \(Mdoc.argument(title)) \(section)", ".Os \"\(Product.name) \(Product.version)\"",
            ".Sh NAME",
            ".Nm \(Mdoc.argument(name))", ".Nd \(Mdoc.escaped(summary))",
        ]
        return (head + lines).joined(separator: "\n") + "\n"
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

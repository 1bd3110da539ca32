import Foundation
import TestSupport
import Testing

/// Every document, section and file that the repository refers to exists.
@Suite("References to documents")
struct DocumentationLinksTests {
    private static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: Repository.url(path).path)
    }

    /// Each page is read once.
    private static let pages = Dictionary(uniqueKeysWithValues: DocumentationPage.all.map { ($0.path, $0) })

    @Test("every relative link and its anchor resolve", arguments: DocumentationPage.all)
    func links(_ page: DocumentationPage) throws {
        for link in page.links where !link.contains("://") && !link.hasPrefix("mailto:") {
            let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
            var path = page.path
            if !parts[0].isEmpty {
                let folder = URL(fileURLWithPath: "/" + page.path).deletingLastPathComponent()
                path = String(folder.appendingPathComponent(String(parts[0])).standardized.path.dropFirst())
                #expect(Self.exists(path), "\(page.path): \(link)")
            }
            guard parts.count == 2, path.hasSuffix(".md") else { continue }
            let target = try #require(Self.pages[path], "\(page.path): \(link)")
            #expect(target.anchors.contains(String(parts[1])), "\(page.path): \(link)")
        }
    }

    @Test("every file of the repository that a page names is there", arguments: DocumentationPage.all)
    func namedFiles(_ page: DocumentationPage) {
        let pattern = #/`((?:Sources|Tests|Config|docs|certs|\.ci)/[\w./+-]+)`/#
        for match in page.prose.matches(of: pattern) {
            let path = String(match.1)
            // Made on the machine, not committed.
            guard !path.hasPrefix("certs/dev-"), path != "Config/server.json" else { continue }
            #expect(Self.exists(path), "\(page.path): \(path)")
        }
    }

    @Test(
        "every Swift file that a page names is there, and none is named with the number of a line",
        arguments: DocumentationPage.all)
    func swiftFiles(_ page: DocumentationPage) {
        for match in page.prose.matches(of: #/(?:^|[`\s(\/])([\w+-]+\.swift)(:\d+)?/#) {
            #expect(Self.swiftFiles.contains(String(match.1)), "\(page.path): \(match.1)")
            #expect(match.2 == nil, "\(page.path): \(match.0) is soon another line: name a type or a function")
        }
        #expect(page.prose.firstMatch(of: #/\.(?:md|sh|h|c|conf):\d+/#) == nil, "\(page.path)")
    }

    /// The names of all Swift files of the repository.
    private static let swiftFiles = Set(
        Repository.paths.filter { $0.hasSuffix(".swift") }.map { URL(fileURLWithPath: $0).lastPathComponent })

    /// The words with which no documentation begins: what follows them is half a sentence.
    private static let fragments: Set = ["Of", "Whose", "With", "Without", "How", "What"]

    /// The first lines of the documentation in a source.
    private static func beginnings(_ source: SourceText) -> [Substring] {
        var result: [Substring] = []
        var isInside = false
        for line in source.lines() {
            let line = line.drop { $0 == " " }
            let isDocumentation = line.hasPrefix("///")
            if isDocumentation, !isInside { result.append(line.dropFirst(3).drop { $0 == " " }) }
            isInside = isDocumentation
        }
        return result
    }

    @Test("no comment of a source names a line of another file, or begins in the middle of a sentence")
    func comments() {
        #expect(SourceText.swift.count > 100)
        // Put together, since this file is read as well.
        let slashes = "///"
        for source in SourceText.swift {
            #expect(!source.contains("\(slashes) Of "), "\(source.path)")
            for comment in Self.beginnings(source) {
                let word = String(comment.prefix { $0.isLetter })
                #expect(!Self.fragments.contains(word), "\(source.path): \(comment)")
            }
            for line in [".swift:", ".md:", ".h:", ".c:"].flatMap({ source.lines(with: $0) }) {
                let found = line.firstMatch(of: #/\/\/.*\b\w+\.(?:swift|md|h|c):\d+/#)
                // The form of a location, as an example.
                #expect(found == nil || line.contains("`Links.swift:12`"), "\(source.path): \(line)")
            }
        }
    }

    @Test("the links are found, and the anchors made, as GitHub does")
    func parsing() throws {
        let page = try DocumentationPage("docs/benchmarks.md")
        #expect(page.anchors.contains("tls-as-testsslsh-sees-it"))
        #expect(DocumentationPage.all.map(\.links.count).reduce(0, +) > 50)
        #expect(try DocumentationPage("docs/spec/validation.md").hasSection("3.5"))
        #expect(try !DocumentationPage("docs/spec/validation.md").hasSection("33"))
    }

    /// Where a file without a folder in its name may be.
    private static let folders = ["docs/spec/", "docs/", "", "Sources/AppSiteAssociation/AppSiteAssociation.docc/"]

    @Test("every document that a source or a page cites is there, with its section")
    func citedDocuments() throws {
        let roots = ["Sources/", "Tests/", "Benchmarks/", "Config/", "certs/", ".ci/", "docs/"]
        let files = Repository.paths.filter { path in
            roots.contains { path.hasPrefix($0) } || !path.contains("/") && path.hasSuffix(".md")
                || ["Makefile", "Package.swift"].contains(path)
        }
        var count = 0
        for file in files {
            guard let source = try? SourceText(file), source.contains(".md") else { continue }
            for citation in Self.citations(in: source) {
                count += 1
                guard let page = Self.page(citation.document, namedBy: file) else {
                    Issue.record("\(file): there is no document '\(citation.document)'")
                    continue
                }
                for section in citation.sections {
                    #expect(page.hasSection(section), "\(file): \(citation.document) has no section \(section)")
                }
            }
        }
        #expect(count > 100)
    }

    /// The citations of a text. One may go on in the next lines of a comment.
    private static func citations(in source: SourceText) -> [Citation] {
        let lines = source.lines()
        return lines.indices.filter { lines[$0].contains(".md") }.flatMap { number in
            let rest = lines[(number + 1)...].prefix(2).map { $0.trimmingPrefix(#/[ \t]*(?:\/\/\/?|#)?[ \t]*/#) }
            return Citation.all(in: ([lines[number]] + rest).joined(separator: " "))
        }
    }

    /// A document that is named in full, without its folder, or relative to the file that names it.
    private static func page(_ document: String, namedBy file: String) -> DocumentationPage? {
        // What is named with a folder that is made in a test begins with a slash, what a generated page links to with dots.
        let name = document.drop { $0 == "/" || $0 == "." }
        if let page = folders.lazy.compactMap({ pages[$0 + name] }).first { return page }
        let folder = URL(fileURLWithPath: "/" + file).deletingLastPathComponent()
        return pages[String(folder.appendingPathComponent(document).standardized.path.dropFirst())]
    }

    @Test("every suite of tests that SECURITY.md names is there")
    func suites() throws {
        let text = try DocumentationPage("SECURITY.md").text
        let named = Set(text.matches(of: #/⟨(\w+Tests)⟩/#).map { String($0.1) })
        #expect(named.count > 30)
        let sources = SourceText.swift(in: "Tests/")
        for suite in named {
            let isThere = sources.contains { $0.contains("struct \(suite) ") || $0.contains("class \(suite) ") }
            #expect(isThere, "\(suite)")
        }
    }

    @Test("citations are read with their sections")
    func citations() {
        let text = """
            (server.md, sections 1, 2 and 5) x.mdm validation.md, 3.5). cli.md; matching.md, section 4, says \
            [b](docs/spec/server.md#alerts), section 7
            """
        #expect(
            Citation.all(in: text) == [
                Citation(document: "server.md", sections: ["1", "2", "5"]),
                Citation(document: "validation.md", sections: ["3.5"]), Citation(document: "cli.md", sections: []),
                Citation(document: "matching.md", sections: ["4"]),
                Citation(document: "docs/spec/server.md", sections: ["7"]),
            ])
    }
}

/// A document that a text names, such as `server.md, sections 1 and 5`.
private struct Citation: Equatable {
    let document: String
    let sections: [String]

    static func all(in text: String) -> [Citation] {
        let number = #/\d+(?:\.\d+)?/#
        let pattern =
            #/([\w./-]*[\w-]\.md)(?![\w.])(?:#[\w-]+)?\)?(?:, (?:sections? )?(\d+(?:\.\d+)?(?:(?:, | and | to )\d+(?:\.\d+)?(?!\.?\d))*))?/#
        return text.matches(of: pattern).compactMap { match in
            // A page on the web.
            if match.1.hasPrefix("//") { return nil }
            return Citation(
                document: String(match.1),
                sections: match.2.map { list in list.matches(of: number).map { String($0.0) } } ?? [])
        }
    }
}

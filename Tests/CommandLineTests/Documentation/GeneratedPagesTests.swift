import AssociationLint
import AssociationServer
import Diagnostics
import FindingCatalogue
import Foundation
import HostRecipes
import PushCertificates
import ServiceHealth
import TestSupport
import Testing

/// The parts of the documentation that programs write, and the tables of the contracts.
@Suite("Generated documentation", .waiting)
struct GeneratedPagesTests {
    /// Compares the generated part of a page with what it should be, or writes it.
    private func keep(_ text: String, in path: String, generatedBy command: String = "make docs") throws {
        let page = try DocumentationPage(path)
        if DocumentationPage.isWriting { return try page.write(text, generatedBy: command) }
        let isCurrent = page.generated(by: command) == text
        #expect(isCurrent, "run 'make docs'")
    }

    @Test(
        "the generated parts are what the programs print; 'make docs' writes them",
        arguments: [
            ("docs/rules.md", "aasa rules --format markdown"),
            ("docs/certcheck.md", "certcheck codes --format markdown"),
        ])
    func generated(_ path: String, _ command: String) throws {
        let words = command.split(separator: " ").map(String.init)
        let tool = try BuiltTool(words[0])
        let outcome = try Shell.run([tool.executable] + words.dropFirst())
        #expect(outcome.status == 0)
        #expect(outcome.text.hasPrefix("| code |"))
        try keep(outcome.text, in: path, generatedBy: command)
    }

    @Test("each code has a page, and no page is left of another; 'make docs' writes them")
    func rulePages() throws {
        let codes = AllRules.catalogue.rules.map(\.code.rawValue)
        let outcome = try Shell.run([try BuiltTool("aasa").executable, "explain", "--format", "markdown"] + codes)
        #expect(outcome.status == 0)
        let parts = "\n\n\(outcome.text.dropLast())".components(separatedBy: "\n\n# `").dropFirst()
        #expect(parts.count == codes.count)
        let pages = Dictionary(
            uniqueKeysWithValues: zip(codes, parts).map { ("docs/rules/\($0).md", "# `\($1)\n") })
        let written = Repository.paths.filter { $0.hasPrefix("docs/rules/") }
        if DocumentationPage.isWriting {
            for path in written where pages[path] == nil {
                try FileManager.default.removeItem(at: Repository.url(path))
            }
            try FileManager.default.createDirectory(at: Repository.url("docs/rules"), withIntermediateDirectories: true)
            for (path, page) in pages { try Data(page.utf8).write(to: Repository.url(path)) }
        } else {
            #expect(written == pages.keys.sorted(), "run 'make docs'")
            for (path, page) in pages {
                let isCurrent = try Repository.text(path) == page
                #expect(isCurrent, "\(path): run 'make docs'")
            }
        }
    }

    @Test("the contracts of the validator, the doctor and link pages have every code, with its severity and fix")
    func validationTables() throws {
        let page = try DocumentationPage("docs/spec/validation.md")
        let live = try DocumentationPage("docs/spec/doctor.md")
        let android = try DocumentationPage("docs/spec/android.md")
        let links = try DocumentationPage("docs/spec/link-pages.md")
        let texts = page.text + live.text + android.text + links.text
        let codes = Set(texts.matches(of: #/`([a-z0-9-]+)`/#).map { String($0.1) })
        for rule in AllRules.catalogue.rules { #expect(codes.contains(rule.code.rawValue), "\(rule.code)") }
        let row = #/(?m)^\| `([a-z0-9-]+)` \| (E|W|note|off) \| .* \| (–|[asd])[^|]* \| ([A-Z, ]+) \|$/#
        let rows = (page.text + android.text).matches(of: row)
        #expect(rows.count > 120)
        for match in rows {
            guard let rule = AllRules.catalogue[String(match.1)] else {
                Issue.record("there is no code '\(match.1)'")
                continue
            }
            let severity =
                rule.isOnByDefault ? ["error": "E", "warning": "W"][rule.severity.rawValue] ?? "note" : "off"
            #expect(match.2 == severity, "\(match.1)")
            let fix =
                switch rule.fix {
                case .automatic: "a"
                case .suggested: "s"
                case .displayOnly: "d"
                case nil: "–"
                }
            #expect(match.3 == fix, "\(match.1)")
        }
        // Codes in one row have one severity.
        let linkRows = links.text.matches(of: #/(?m)^\| ((?:`[a-z0-9-]+`(?:, )?)+) \| (error|warning|note) \| .* \|$/#)
        #expect(linkRows.count > 15)
        for row in linkRows {
            for code in row.1.matches(of: #/[a-z0-9-]+/#) {
                let rule = AllRules.catalogue[String(code.0)]
                let severities = rule.map { [$0.severity] + $0.otherSeverities } ?? []
                #expect(severities.map(\.rawValue).contains(String(row.2)), "\(code.0)")
            }
        }
    }

    @Test("the guide to certificates has every code and every type of error, with what to do")
    func certificateGuide() throws {
        let rows = try DocumentationPage("docs/certificates.md").text
            .matches(of: #/(?m)^\| ((?:`[\w-]+`(?:, )?)+) \| [^|]+ \| [^|]+ \|$/#)
        let named = Set(rows.flatMap { $0.1.matches(of: #/`([\w-]+)`/#).map { String($0.1) } })
        let codes = AllRules.catalogue.rules.map(\.code.rawValue).filter { $0.hasPrefix("acme-") }
        #expect(codes.count > 10)
        for code in codes { #expect(named.contains(code), "\(code)") }
        let source = try Repository.text("Sources/ACME/Values/IssuanceError.swift")
        let declaration = try #require(
            source.firstMatch(of: #/enum IssuanceErrorType[^{]*\{(.*?)private static/#.dotMatchesNewlines()))
        let types = declaration.1.matches(of: #/(?m)^ *case (.+)$/#).flatMap { cases in
            // The value of a case is its name, or a string after it.
            cases.1.split(separator: ", ").map { String($0.replacing(#/^.* = |["`]/#, with: "")) }
        }
        #expect(types.count > 30)
        for type in types { #expect(named.contains(type), "\(type)") }
    }

    @Test("the contract of certcheck has every code")
    func pushCertificateTables() throws {
        let text = try DocumentationPage("docs/spec/push-certificates.md").text
        for code in CertificateRules.catalogue.rules { #expect(text.contains("`\(code.code)`"), "\(code.code)") }
    }

    @Test("the contract of the server has every metric")
    func metrics() throws {
        let sources = Repository.url("Sources/AssociationServer")
        func source(_ path: String) throws -> String {
            try String(contentsOf: sources.appendingPathComponent(path), encoding: .utf8)
        }
        let contract = try DocumentationPage("docs/spec/server.md").text
        let metrics = try source("Admin/MetricsDocument.swift") + source("Admin/SiteMetrics.swift")
        let names = Set(metrics.matches(of: #/"((?:aasa|process)_[a-z_]+)"/#).map { String($0.1) })
        #expect(names.count > 15)
        for name in names { #expect(contract.contains("`\(name)"), "\(name)") }
    }

    @Test("the table of server.json is that of the server; 'make docs' writes it")
    func serverConfiguration() throws {
        try keep(ConfigurationKey.markdown, in: "docs/server.json.md")
    }

    @Test("the tables of what is said about certificates follow from the judgement; 'make docs' writes them")
    func certificateTables() throws {
        try keep(CertificateTable.markdown, in: "docs/certificates.md")
        // The contract names every state.
        let contract = try DocumentationPage("docs/spec/acme.md").text
        for state in CertificateJudgement.State.allCases {
            #expect(contract.contains("`\(state.rawValue)`"), "\(state)")
        }
    }

    @Test("the table of what is said about the health of a server follows from it; 'make docs' writes it")
    func healthTable() throws {
        try keep(HealthTable.markdown, in: "docs/health.md")
        // The contract names every kind.
        let contract = try DocumentationPage("docs/spec/server.md").text
        for kind in HealthKind.known { #expect(contract.contains("`\(kind.rawValue)`"), "\(kind)") }
    }

    @Test("the table of alerts is that of the exported rules; 'make docs' writes it")
    func alertTable() throws {
        let page = try DocumentationPage("docs/monitoring.md")
        if DocumentationPage.isWriting {
            try page.write(AlertTable.markdown, generatedBy: "make docs")
        } else {
            let isCurrent = page.generated(by: "make docs") == AlertTable.markdown
            #expect(isCurrent, "run 'make docs'")
        }
    }

    @Test("the hosts of 'aasa export' are those of the files, and all are compiled in; 'make docs' writes their page")
    func hosts() throws {
        #expect(HostRecipe.all().map(\.name) == HostFiles.all.map(\.name))
        try keep(HostFiles.page(), in: "docs/hosts.md")
    }

    @Test(
        "the codes by which one program recognizes those of the other are those of the rules; 'make docs' writes them")
    func toolCodes() throws {
        let source = "Sources/CommandLineSupport/ToolCodes.swift"
        let text = ToolCodesFile.text(aasa: AllRules.catalogue, certcheck: CertificateRules.catalogue)
        if DocumentationPage.isWriting {
            try Data(text.utf8).write(to: Repository.url(source))
        } else {
            let isCompiled = try Repository.text(source) == text
            #expect(isCompiled, "run 'make docs'")
        }
    }

    @Test("the guide links to each recipe, and its table names what is in the recipe")
    func recipes() throws {
        let page = try DocumentationPage("docs/behind-a-proxy.md")
        for recipe in ProxyRecipe.allCases {
            let name = "recipes/\(recipe.rawValue).conf"
            let row = page.text.split(separator: "\n").first { $0.contains("](\(name)) |") && $0.hasPrefix("| [") }
            let text = try Repository.text(recipe.path)
            // What is in code in the row, but for a command.
            for part in try #require(row, "\(name)").matches(of: #/`([^`]+)`/#) where !part.1.hasPrefix("a2enmod") {
                #expect(text.contains(part.1.replacing("<VirtualHost>", with: "<VirtualHost")), "\(name): \(part.1)")
            }
        }
    }
}

/// The source with the codes of both programs.
private enum ToolCodesFile {
    static func text(aasa: RuleCatalogue, certcheck: RuleCatalogue) -> String {
        """
        /// The codes of each program, so that the other recognizes them without linking what finds them; written by 'make docs'.
        package enum ToolCodes {
            /// The codes that `aasa rules` lists.
            package static let aasa = words(
                \"""
        \(lines(aasa))
                \""")

            /// The codes that `certcheck codes` lists.
            package static let certcheck = words(
                \"""
        \(lines(certcheck))
                \""")

            private static func words(_ text: String) -> Set<String> {
                Set(text.split { $0 == " " || $0 == "\\n" }.map(String.init))
            }
        }

        """
    }

    private static func lines(_ catalogue: RuleCatalogue) -> String {
        var lines: [String] = []
        for code in catalogue.rules.map(\.code.rawValue).sorted() {
            if let last = lines.last, last.utf8.count + code.utf8.count < 112 {
                lines[lines.count - 1] = "\(last) \(code)"
            } else {
                lines.append("        \(code)")
            }
        }
        return lines.joined(separator: "\n")
    }
}

import Foundation
import TestSupport
import Testing

/// The modules in docs/architecture.md, held against Package.swift and the sources.
struct ArchitectureTests {
    /// The modules from the lowest row to the highest; one imports rows below its own only.
    private static let rows: [[String]] = [
        [
            "BoundedText", "CCurl", "CExpat", "CLinux", "CNGHTTP2", "COpenSSL", "CPostgreSQL", "CQREncode",
            "CSQLite", "CStartup", "CZlib",
        ],
        ["Diagnostics", "DomainNames", "HostRecipes", "SystemSupport"],
        ["HTTP1", "HTTPClient", "JSONSyntax", "OpenSSL", "EventLoops", "URLPatterns"],
        ["Android", "AppSiteAssociation", "HTTP2"],
        ["LinkPages"],
        ["LinkImport", "PatternAnalysis", "UniversalLinks"],
        ["ACME", "AssociationLint", "LinkDelivery", "PushCertificates", "SiteStore"],
        ["ServiceHealth"],
        ["AssociationConsole", "AssociationFiles", "AppProjects"],
        ["AssociationServer", "DomainDoctor"],
        ["AutomaticCertificates", "FindingCatalogue", "PostgreSQLStore"],
        ["CommandLineSupport"],
        ["aasa", "certcheck"],
    ]

    /// The modules that build for an iPhone.
    private static let portable = [
        "Android", "AppSiteAssociation", "AssociationLint", "PatternAnalysis",
        "UniversalLinks", "URLPatterns", "LinkDelivery", "BoundedText", "Diagnostics", "DomainNames", "JSONSyntax",
    ]

    private struct SourceFile {
        let module: String
        /// Relative to the folder of the module.
        let path: String
        let imports: Set<String>
    }

    private static let files: [SourceFile] = SourceText.swift(in: "Sources/").map { source in
        let parts = source.path.split(separator: "/")
        let line = #/(?:\w+ )?import (\w+)/#
        let imports = source.lines(with: "import ").compactMap { $0.prefixMatch(of: line).map { String($0.1) } }
        return SourceFile(
            module: String(parts[1]), path: parts.dropFirst(2).joined(separator: "/"), imports: Set(imports))
    }

    @Test("the picture of the modules has arrows of Package.swift only, and the table names every module")
    func modules() throws {
        let page = try DocumentationPage("docs/architecture.md").text
        let package = try Repository.text("Package.swift")
        var dependencies: [String: Set<String>] = [:]
        for block in package.split(separator: #/\.(?:target|executableTarget|systemLibrary|testTarget)\(/#).dropFirst()
        {
            let names = block.matches(of: #/"([\w-]+)"/#).map { String($0.1) }
            if let name = names.first { dependencies[name] = Set(names.dropFirst()) }
        }
        let arrows = page.matches(of: #/(?m)^ {4}(\w+) --> ([\w& ]+)$/#)
        #expect(arrows.count > 8)
        for arrow in arrows {
            for target in arrow.2.split(separator: "&").map({ $0.trimmingCharacters(in: .whitespaces) }) {
                #expect(dependencies[String(arrow.1)]?.contains(target) == true, "\(arrow.1) --> \(target)")
            }
        }
        let sources = Repository.url("Sources").path
        for module in try FileManager.default.contentsOfDirectory(atPath: sources) {
            #expect(page.contains("`\(module)`"), "\(module)")
        }
    }

    @Test("a module imports only modules of the rows below its own")
    func rows() {
        #expect(Self.files.count > 100)
        var row: [String: Int] = [:]
        for (index, modules) in Self.rows.enumerated() { for module in modules { row[module] = index } }
        for file in Self.files {
            guard let own = row[file.module] else { continue }
            for name in file.imports {
                if let other = row[name] { #expect(other < own, "\(file.module)/\(file.path) imports \(name)") }
            }
        }
        for module in Set(Self.files.map(\.module)) where !module.hasPrefix("C") && module != "aasa-bench" {
            #expect(row[module] != nil, "\(module) has no row")
        }
    }

    @Test(
        "each C library has one importer",
        arguments: [
            ("CCurl", "HTTPClient"), ("CExpat", "AppProjects"), ("CLinux", "EventLoops"), ("CNGHTTP2", "HTTP2"),
            ("COpenSSL", "OpenSSL"),
            ("CPostgreSQL", "PostgreSQLStore"), ("CQREncode", "LinkPages"), ("CSQLite", "SiteStore"),
            ("CZlib", "AppProjects"),
        ])
    func libraries(library: String, importer: String) {
        #expect(Set(Self.files.filter { $0.imports.contains(library) }.map(\.module)) == [importer])
    }

    @Test("what builds for an iPhone needs nothing that is not there, and only LinkDelivery takes part of Foundation")
    func portable() {
        for file in Self.files {
            if Self.portable.contains(file.module) {
                let missing = ["OpenSSL", "Dispatch", "Glibc", "SystemSupport", "EventLoops", "HTTP1", "HTTP2"]
                #expect(file.imports.isDisjoint(with: missing), "\(file.module)/\(file.path)")
            }
            if file.module != "LinkDelivery" {
                #expect(
                    file.imports.isDisjoint(with: ["Foundation", "FoundationEssentials"]), "\(file.module)/\(file.path)"
                )
            }
        }
    }

    @Test("URLs, patterns and automata import nothing but text and names")
    func patterns() {
        let files = Self.files.filter { $0.module == "URLPatterns" }
        #expect(files.count > 5)
        for file in files { #expect(file.imports.isSubset(of: ["BoundedText", "DomainNames"]), "\(file.path)") }
    }

    @Test("only 'aasa serve', 'status', 'certificates', 'console', 'schema' and those of a store import the server")
    func server() {
        let importers = Self.files.filter { $0.module == "aasa" && $0.imports.contains("AssociationServer") }
        #expect(!importers.isEmpty)
        for file in importers {
            let name = file.path.split(separator: "/").last ?? ""
            let isServer =
                name.hasPrefix("Serve") || name.hasPrefix("Certificates") || name == "Status.swift"
                || ["Console.swift", "Schema.swift"].contains(name) || file.path.hasPrefix("Store/")
            #expect(isServer, "\(file.path)")
        }
    }

    /// The calls that make a `String` of text from outside without a bound of its runs of combining marks.
    private static let decoders = [
        "String(decoding:", "String(validating:", "String(cString:", "Substring(decoding:", "String.init(decoding:",
        "String.init(validating:", "String.init(cString:", "String.decodeCString", "String(validatingCString:",
        "String(validatingUTF8:", "String(bytes:", "String(contentsOf", "String(utf8String:", "String(data:",
        "as: UTF8.self", "as: UTF16.self", "as: UTF32.self", "CommandLine.arguments", "unsafeArgv",
    ]

    @Test("bytes become text in BoundedText only, where runs of combining marks end", arguments: decoders)
    func textFromOutside(decoder: String) {
        // Text that is made here, of ASCII, and the arguments as bytes.
        let others = ["CommandLine.unsafeArgv": ["Sources/SystemSupport/Path.swift"]]
        for source in SourceText.swift(in: "Sources/") where !source.path.hasPrefix("Sources/BoundedText/") {
            for line in source.lines(with: decoder) {
                let isAllowed = others.contains { line.contains($0) && $1.contains(source.path) }
                #expect(isAllowed, "\(source.path): \(line): use String(text:), or another of BoundedText")
            }
        }
    }

    @Test("only passwords, and whole files that are handed on, become text as they are")
    func unboundedText() {
        let allowed = [
            "AssociationConsole/API/FileAPI.swift", "AssociationConsole/API/ServerAPI.swift",
            "AssociationConsole/Pages/SourceView.swift", "AssociationFiles/FileChecker.swift",
            "AssociationFiles/SiteFile.swift", "OpenSSL/SecretBytes.swift",
        ]
        let users = SourceText.swift(in: "Sources/").filter { source in
            !source.path.hasPrefix("Sources/BoundedText/")
                && ["unbounded:", "validUnbounded:"].contains { !source.lines(with: $0).isEmpty }
        }
        #expect(users.map { String($0.path.dropFirst("Sources/".count)) }.sorted() == allowed)
    }
}

import CommandLineSupport
import Foundation
import TestSupport
import Testing

@Suite("The repository")
struct RepositoryTests {
    private static let sources = DocumentationPage.paths { path in
        path.hasSuffix(".swift") && ["Sources/", "Tests/", "Benchmarks/"].contains { path.hasPrefix($0) }
    }

    @Test("every source file declares something")
    func emptyFiles() throws {
        #expect(Self.sources.count > 200)
        for path in Self.sources {
            let lines = try Repository.text(path).split(separator: "\n")
            #expect(lines.contains { !$0.hasPrefix("import ") && !$0.hasPrefix("//") }, "\(path)")
        }
    }

    @Test("tests see what is package or public, and draw random numbers that can be repeated")
    func testSources() throws {
        let forbidden = [
            "@test" + "able", "SystemRandom" + "NumberGenerator", "random" + "Element()", "shuf" + "fled()",
        ]
        for path in Self.sources where path.hasPrefix("Tests/") {
            let text = try Repository.text(path)
            for word in forbidden { #expect(!text.contains(word), "\(path): \(word)") }
        }
    }

    @Test("no file has more than 400 lines but a generated one")
    func fileLengths() throws {
        for path in Self.sources where path != "Sources/HostRecipes/HostTexts.swift" {
            let lines = try Repository.text(path).utf8.count { $0 == UInt8(ascii: "\n") }
            #expect(lines <= 400, "\(path)")
        }
    }

    @Test("no folder of tests has more than 25 files side by side")
    func testFolders() {
        let folders = Dictionary(
            grouping: DocumentationPage.paths { $0.hasPrefix("Tests/") && $0.hasSuffix(".swift") },
            by: { $0.split(separator: "/").dropLast().joined(separator: "/") })
        for (folder, files) in folders { #expect(files.count <= 25, "\(folder)") }
    }

    @Test("every command has its name: the parser would make it from the type, for each command and at every start")
    func commandNames() throws {
        var count = 0
        for path in Self.sources where path.hasPrefix("Sources/aasa/") || path.hasPrefix("Sources/certcheck/") {
            for text in try Repository.text(path).split(separator: "= CommandConfiguration(").dropFirst() {
                count += 1
                let argument = text.drop(while: \.isWhitespace)
                #expect(argument.hasPrefix(#"commandName: ""#), "\(path): \(argument.prefix(40))")
            }
        }
        #expect(count > 12)
    }

    @Test("the version is that of the changelog's latest section, and of the contract's example")
    func version() throws {
        let heading = try Repository.text("CHANGELOG.md").firstMatch(of: #/(?m)^## \[([\d.]+)\]/#)
        #expect(heading.map { String($0.1) } == Product.version)
        #expect(try Repository.text("docs/spec/cli.md").contains("`\(Product.versionLine("aasa", openSSL: "3.0.19"))`"))
        // Others copy these lines.
        let guide = try Repository.text("docs/validating.md")
        #expect(guide.contains("- uses: OWNER/swift-universal-links@v\(Product.version)\n"))
        #expect(guide.contains("  rev: v\(Product.version)\n"))
    }

    @Test("the package recommends or suggests the libraries that are opened when needed, and the image has them")
    func recommends() throws {
        let control = try Repository.text("Packaging/debian/control")
        // A store is the only thing that needs the last one.
        let recommended = control.matches(of: #/(?m)^(?:Recommends|Suggests): (.+)$/#)
            .flatMap { $0.1.split(whereSeparator: { ", |".contains($0) }).map(String.init) }
        let packages = try DocumentationPage.paths { $0.hasPrefix("Sources/") && $0.hasSuffix(".swift") }.flatMap {
            try Repository.text($0).matches(of: #/OpenedLibrary\.functions\([^)]*package: "([^"]+)"/#).map {
                String($0.1)
            }
        }
        #expect(Set(packages).count == 5)
        let image = try Repository.text("Packaging/image.sh")
        let opened = try #require(image.firstMatch(of: #/(?m)^opened_libraries="(.+)"$/#)).1
            .split(separator: " ").compactMap { $0.split(separator: "=").last.map(String.init) }
        for package in packages { #expect(recommended.contains(package), "\(package)") }
        #expect(Set(opened) == Set(packages))
    }
}

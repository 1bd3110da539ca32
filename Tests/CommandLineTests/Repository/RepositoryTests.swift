import CommandLineSupport
import Foundation
import TestSupport
import Testing

@Suite("The repository")
struct RepositoryTests {
    @Test("every source file declares something")
    func emptyFiles() {
        #expect(SourceText.swift.count > 200)
        for source in SourceText.swift {
            let declares = source.lines().contains { !$0.isEmpty && !$0.hasPrefix("import ") && !$0.hasPrefix("//") }
            #expect(declares, "\(source.path)")
        }
    }

    @Test("tests see what is package or public, and draw random numbers that can be repeated")
    func testSources() {
        let forbidden = [
            "@test" + "able", "SystemRandom" + "NumberGenerator", "random" + "Element()", "shuf" + "fled()",
        ]
        for source in SourceText.swift(in: "Tests/") {
            for word in forbidden { #expect(!source.contains(word), "\(source.path): \(word)") }
        }
    }

    @Test("no file has more than 400 lines")
    func fileLengths() {
        for source in SourceText.swift {
            #expect(source.lines().count <= 400, "\(source.path)")
        }
    }

    @Test("no folder of tests has more than 25 files side by side")
    func testFolders() {
        let folders = Dictionary(
            grouping: SourceText.swift(in: "Tests/").map(\.path),
            by: { $0.split(separator: "/").dropLast().joined(separator: "/") })
        for (folder, files) in folders { #expect(files.count <= 25, "\(folder)") }
    }

    @Test("every command has its name: the parser would make it from the type, for each command and at every start")
    func commandNames() {
        var count = 0
        let beginning = "= CommandConfiguration("
        for source in SourceText.swift(in: "Sources/aasa/") + SourceText.swift(in: "Sources/certcheck/")
        where source.contains(beginning) {
            for text in source.text.split(separator: beginning).dropFirst() {
                count += 1
                let argument = text.drop(while: \.isWhitespace)
                #expect(argument.hasPrefix(#"commandName: ""#), "\(source.path): \(argument.prefix(40))")
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
        let packages = SourceText.swift(in: "Sources/").filter { $0.contains("OpenedLibrary.functions(") }.flatMap {
            $0.text.matches(of: #/OpenedLibrary\.functions\([^)]*package: "([^"]+)"/#).map { String($0.1) }
        }
        #expect(Set(packages).count == 7)
        let image = try Repository.text("Packaging/image.sh")
        let opened = try #require(image.firstMatch(of: #/(?m)^opened_libraries="(.+)"$/#)).1
            .split(separator: " ").compactMap { $0.split(separator: "=").last.map(String.init) }
        for package in packages { #expect(recommended.contains(package), "\(package)") }
        #expect(Set(opened) == Set(packages))
    }
}

import Foundation
import Testing

/// What docs/architecture.md says about imports holds for all of Sources/.
@Suite("Imports of the modules")
struct ModuleImportsTests {
    private static let sources = DocumentationPage.root.appendingPathComponent("Sources")

    /// The modules that each file of a folder imports, by the path of the file in it.
    private static func imports(in folder: URL) throws -> [String: Set<String>] {
        let paths = try #require(FileManager.default.enumerator(atPath: folder.path)).compactMap { $0 as? String }
        var imports: [String: Set<String>] = [:]
        for path in paths where path.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
            let pattern =
                #/(?m)^\s*(?:@\w+ )?(?:(?:public|package|internal|fileprivate|private) )?import (?:[a-z]+ )?(\w+)/#
            imports[path] = Set(text.matches(of: pattern).map { String($0.1) })
        }
        return imports
    }

    @Test("of our modules only LinkDelivery imports FoundationEssentials, for URL")
    func foundation() throws {
        let imports = try Self.imports(in: Self.sources)
        #expect(imports.count > 100)
        let users = imports.filter { $0.value.contains { $0.hasPrefix("Foundation") } }.keys
        // It measures, and is not one of the products.
        let modules = Set(users.compactMap { $0.split(separator: "/").first.map(String.init) }).subtracting([
            "aasa-bench"
        ])
        #expect(modules == ["LinkDelivery"])
    }

    @Test("URLs, patterns and automata depend on nothing, so that they can be a module of their own")
    func patterns() throws {
        let imports = try Self.imports(in: Self.sources.appendingPathComponent("AppSiteAssociation/URLPatterns"))
        #expect(imports.count > 10)
        #expect(imports.filter { !$0.value.isEmpty }.isEmpty)
    }
}

package import Diagnostics
package import JSONSyntax

/// An `assetlinks.json`, as Android reads it (android.md, section 1).
///
/// What can be used is used; a statement that cannot be is as if it were not there. The validator reports such things.
package struct AssetLinksDocument: Sendable {
    /// The text that all ranges refer to.
    package let source: SourceText
    /// The statements, in file order, those that cannot be used too; elements that are no objects are left out.
    package let statements: [AssetLinksStatement]
    /// The apps that may handle links, one for each package, in the order of their first appearance.
    package let apps: [AssetLinksApp]
    /// Whether there is no such file: what it would say is assumed.
    package let isAssumed: Bool

    /// The document of a file whose root is an array; of any other it has no statements.
    package init(_ json: JSONDocument) {
        self.init(json.root, source: json.source)
    }

    package init(_ root: JSONNode?, source: SourceText) {
        self.source = source
        let start = JSONPointer()
        statements = (root?.array ?? []).enumerated().compactMap { index, node in
            AssetLinksStatement(node, index: index, pointer: start.element(index), source: source)
        }
        apps = AssetLinksApp.all(statements)
        isAssumed = false
    }

    /// A document in place of one that was not given: it lets one app handle all links, without dynamic rules.
    ///
    /// - Parameter source: The text that the app was read from.
    package init(assumedFor package: String, source: SourceText) {
        self.source = source
        statements = []
        apps = [AssetLinksApp(package, [])]
        isAssumed = true
    }

    /// Whether the file names another list, which is not read.
    package var hasInclude: Bool { statements.contains { $0.include != nil } }
}

/// An app that the file lets handle links, by its package.
package struct AssetLinksApp: Sendable {
    package let package: String
    /// The indices of its statements in the file.
    package let statements: [Int]
    /// The fingerprints of all its statements, each once, in upper case.
    package let fingerprints: [String]
    /// The dynamic rules in force: the first list that can be used; nil if there is none, and the manifest alone decides.
    package let components: [DynamicComponent]?
    /// Whether there is more than one list, so that it is not known which is used.
    package let hasTwoLists: Bool
    /// Whether there is a list, but none that can be used.
    package let isDiscarded: Bool

    static func all(_ statements: [AssetLinksStatement]) -> [AssetLinksApp] {
        var packages: [String] = []
        var byPackage: [String: [AssetLinksStatement]] = [:]
        for statement in statements where statement.countsForLinks {
            guard case .androidApp(let package, _) = statement.target else { continue }
            if byPackage[package] == nil { packages.append(package) }
            byPackage[package, default: []].append(statement)
        }
        return packages.map { AssetLinksApp($0, byPackage[$0] ?? []) }
    }

    fileprivate init(_ package: String, _ statements: [AssetLinksStatement]) {
        self.package = package
        self.statements = statements.map(\.index)
        var seen = Set<String>()
        fingerprints = statements.flatMap(\.fingerprints).filter { seen.insert($0).inserted }
        let lists = statements.filter { !$0.dynamicRules.isAbsent }
        components = lists.lazy.compactMap(\.dynamicRules.components).first
        hasTwoLists = lists.count > 1
        isDiscarded = components == nil && !lists.isEmpty
    }
}

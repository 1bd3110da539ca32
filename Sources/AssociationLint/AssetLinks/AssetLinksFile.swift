internal import Android
internal import Diagnostics
internal import JSONSyntax

/// An `assetlinks.json` as rules look at it: what Android reads in it, and where that is.
struct AssetLinksFile {
    let root: JSONNode
    let source: SourceText
    /// The apps whose certificates have to be listed.
    let signers: [AppSigner]
    /// The file as Android reads it.
    let document: AssetLinksDocument
    /// The statements that say something themselves.
    let statements: [Statement]
    /// The keys and patterns, for the rules that look at association files, too.
    let context: LintContext

    init(_ root: JSONNode, source: SourceText, signers: [AppSigner] = []) {
        self.root = root
        self.source = source
        self.signers = signers
        document = AssetLinksDocument(root, source: source)
        let elements = root.array ?? []
        statements = document.statements.compactMap { Statement($0, elements[$0.index]) }
        var collector = PatternCollector(source)
        for component in statements.flatMap(\.components) { collector.add(dynamic: component) }
        context = LintContext(
            assetLinks: root, source: source, objects: statements.flatMap(\.objects), patterns: collector.patterns)
    }

    /// A statement, as it is in the file.
    struct Statement {
        let statement: AssetLinksStatement
        let object: SchemaObject
        let target: SchemaObject?
        let fingerprints: [Fingerprint]
        /// `relation_extensions`.
        let extensions: SchemaObject?
        /// The member of it that has the dynamic rules.
        let rules: SchemaObject?
        /// The member whose value is the list of components.
        let list: JSONMember?
        /// The elements of that list.
        let elements: [JSONNode]
        /// The components that are objects.
        let components: [SchemaObject]

        init?(_ statement: AssetLinksStatement, _ node: JSONNode) {
            guard node.object?["include"].map({ $0.string?.text.isEmpty == true }) ?? true,
                let object = SchemaObject(.statement, node, statement.pointer)
            else { return nil }
            self.statement = statement
            self.object = object
            let isSite = object["target"]?.object?["namespace"]?.string?.text == "web"
            target = object.child("target", isSite ? .siteTarget : .appTarget)
            let listPointer = statement.pointer.member("target").member("sha256_cert_fingerprints")
            fingerprints = (target?["sha256_cert_fingerprints"]?.array ?? []).enumerated().compactMap { index, node in
                node.string.flatMap { CertificateFingerprint($0.text).usable }.map {
                    Fingerprint(text: $0, index: index, node: node, pointer: listPointer.element(index))
                }
            }
            extensions = object.child(DynamicRules.extensionsKey, .relationExtensions)
            rules = extensions?.child(AssetLinksStatement.handleAllURLs, .relationRules)
            list = rules?.member(DynamicRules.listKey)
            elements = list?.value.array ?? []
            components = rules?.children(DynamicRules.listKey, .dynamicComponent) ?? []
        }

        /// All objects whose keys have a meaning.
        fileprivate var objects: [SchemaObject] {
            [object, target, extensions, rules].compactMap { $0 } + components
        }

        /// Where the dynamic rules are named: the key of their list, or the nearest one around it.
        var rulesKey: (range: SourceRange, pointer: JSONPointer)? {
            if let list, let rules { return (list.keyRange, rules.pointer.member(DynamicRules.listKey)) }
            guard let member = object.member(DynamicRules.extensionsKey) else { return nil }
            return (member.keyRange, object.pointer.member(DynamicRules.extensionsKey))
        }

        /// The value of `relation`, and where it is.
        var relation: (node: JSONNode, pointer: JSONPointer)? {
            object["relation"].map { ($0, object.pointer.member("relation")) }
        }
    }

    /// A fingerprint that Android takes.
    struct Fingerprint {
        /// In upper case.
        let text: String
        let index: Int
        let node: JSONNode
        let pointer: JSONPointer
    }
}

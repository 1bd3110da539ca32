internal import BoundedText

extension XMLElement {
    /// The statements that an app makes about sites, `<meta-data android:name="asset_statements">`, where the manifest of
    /// this root itself has them: the attribute, and its value as the app has it.
    package var assetStatements: [(attribute: Attribute, value: String)] {
        let tree = ManifestTree(self)
        let values = BuildValues()
        return tree.applications.flatMap { tree.children(of: $0, named: "meta-data") }.compactMap { data in
            guard let name = tree.attribute("name", of: data)?.value, name.utf8.elementsEqual("asset_statements".utf8),
                let attribute = tree.attribute("value", of: data), let value = values.value(of: attribute.value)
            else { return nil }
            return (attribute, value)
        }
    }
}

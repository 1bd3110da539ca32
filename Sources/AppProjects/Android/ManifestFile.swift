package import Android
package import Diagnostics

/// An Android manifest in its source form, as a file has it.
package struct ManifestFile: Sendable {
    package let source: SourceText
    package let root: XMLElement
    /// Whether positions are those of the file itself, which was not converted.
    package let isAsInFile: Bool

    /// - Throws: ``AppProjectError`` if the text is compiled, or not XML with the root `manifest`.
    package init(_ bytes: [UInt8], path: String) throws(AppProjectError) {
        if Self.isCompiled(bytes) {
            throw AppProjectError(.unusable, path, "the manifest is compiled", help: Self.help)
        }
        guard let document = try XMLReader.readIfXML(bytes, path: path), document.root.name == Self.rootName else {
            throw AppProjectError(
                .unusable, path, "not an Android manifest: expected XML with the root <\(Self.rootName)>")
        }
        self.init(document, isAsInFile: document.source.bytes == bytes)
    }

    init(_ document: XMLDocument, isAsInFile: Bool = true) {
        source = document.source
        root = document.root
        self.isAsInFile = isAsInFile
    }

    static let rootName = "manifest"

    /// The remedy for a manifest that only Android reads.
    static let help = "give the manifest of the source code, or the merged one that the build leaves as text"

    /// Whether it is the compiled form of XML in an APK, which a chunk of this type begins.
    static func isCompiled(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x03, 0x00, 0x08, 0x00]) }

    func project(path: String) -> AppProject {
        var project = AppProject(path: path, kind: .manifest)
        project.setManifest(root, source)
        return project
    }
}

extension AppProject {
    /// Takes over what a manifest says about the app.
    mutating func setManifest(_ root: XMLElement, _ source: SourceText) {
        let app = AppManifest(root)
        if let name = app.package { packages = [name] }
        (manifest, filters, filterSource) = (root, app.filters, source)
    }
}

import JSONSyntax
import SiteStore

/// The files in the folder of a site that its `links.json` names: the icon of the app, and the images of links.
///
/// A store keeps them like others, and no server serves them by themselves.
struct NamedFiles {
    /// The name of the file that names others.
    static let source = "links.json"

    /// The names that files in a store can have, once each, in their order.
    private(set) var names: [String] = []
    /// The texts that are neither such a name nor a URL.
    private(set) var others: [String] = []

    /// - Parameter bytes: of `links.json`; nothing is found in one that is broken.
    init(in bytes: [UInt8]) {
        let root = JSONReader.read(bytes, path: Self.source, limits: .configuration).root?.object
        add(root?["app"]?.object?["icon"])
        let links = root?["links"]?.object?.members.map(\.value) ?? []
        for link in links + (root?["pages"]?.array ?? []) { add(link.object?["image"]) }
    }

    private mutating func add(_ node: JSONNode?) {
        guard let text = node?.string?.text, !text.contains("://"), !names.contains(text), !others.contains(text)
        else { return }
        if StoreNames.isFileName(text) { names.append(text) } else { others.append(text) }
    }
}

import Android
import JSONSyntax

/// A target with a fingerprint of one repeated pair.
func target(_ package: String, _ pair: String) -> String {
    let fingerprint = Array(repeating: pair, count: 32).joined(separator: ":")
    return
        #"{"namespace": "android_app", "package_name": "\#(package)", "sha256_cert_fingerprints": ["\#(fingerprint)"]}"#
}

/// The member of a statement with dynamic rules.
func rules(_ components: String) -> String {
    #""relation_extensions": {"delegate_permission/common.handle_all_urls": {"dynamic_app_link_components": \#(components)}}"#
}

/// A statement that lets an app handle links, with further members.
func statement(_ members: String) -> String {
    let separator = members.isEmpty ? "" : ", "
    return
        #"{"relation": ["delegate_permission/common.handle_all_urls"], "target": \#(target("com.shop.app", "AA"))\#(separator)\#(members)}"#
}

extension AssetLinksDocument {
    static func read(_ text: String) -> AssetLinksDocument {
        AssetLinksDocument(JSONReader.read(Array(text.utf8), path: "assetlinks.json", limits: .assetLinksFile))
    }
}

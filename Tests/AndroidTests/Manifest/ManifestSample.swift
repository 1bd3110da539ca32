import Android
import AppProjects
import AppSamples
import Testing

/// A manifest and what is asked about it.
enum ManifestSample {
    static func root(_ text: String) throws -> XMLElement {
        try ManifestFile(Array(text.utf8), path: "AndroidManifest.xml").root
    }

    /// A manifest with one filter for `https://h.com`, which is verified.
    static func filter(_ data: String) -> String {
        SampleApp.manifest([SampleApp.filter(#"<data android:scheme="https" android:host="h.com" \#(data) />"#)])
    }

    static func verdict(
        _ text: String, _ url: String, api: Int = 35, values: [String: String] = [:]
    ) throws -> ManifestVerdict {
        let manifest = AppManifest(try root(text), api: api, values: BuildValues(values))
        return manifest.verdict(on: try #require(AndroidLink(url)))
    }

    static func decision(
        _ text: String, _ url: String, api: Int = 35, values: [String: String] = [:]
    ) throws -> Decision {
        try verdict(text, url, api: api, values: values).decision
    }
}

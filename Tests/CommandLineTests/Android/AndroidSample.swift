import Foundation
import TestSupport
import Testing

/// A folder with `aasa`, an association file, `assetlinks.json` and `AndroidManifest.xml` of one shop.
struct AndroidSample {
    let tool: BuiltTool

    init() throws {
        tool = try BuiltTool()
        try tool.write(
            #"{"applinks": {"details": [{"appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [{"/": "/buy/*"}]}]}}"#,
            to: "aasa")
        try writeLinks()
        try writeManifest()
    }

    func run(_ arguments: [String], input: [UInt8] = []) throws -> Shell.Outcome {
        try Shell.run(
            ["env", "LC_ALL=C.UTF-8", tool.executable] + arguments, input: Data(input),
            in: tool.folder.url)
    }

    private static let fingerprint =
        "14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:B2:3F:CF:44:E5"
    private static let rules = """
        [
                { "/": "/buy/old/*", "exclude": true },
                { "/": "/buy/*" }
              ]
        """

    /// - Parameter rules: The list of components; nil for none.
    func writeLinks(packages: [String] = ["com.shop.app"], rules: String? = Self.rules) throws {
        let extensions =
            rules.map { list in
                """
                ,
                    "relation_extensions": {
                      "delegate_permission/common.handle_all_urls": { "dynamic_app_link_components": \(list)
                      }
                    }
                """
            } ?? ""
        let statements = packages.map { package in
            """
              {
                "relation": ["delegate_permission/common.handle_all_urls"],
                "target": {
                  "namespace": "android_app", "package_name": "\(package)",
                  "sha256_cert_fingerprints": ["\(Self.fingerprint)"]
                }\(extensions)
              }
            """
        }
        try tool.write("[\n\(statements.joined(separator: ",\n"))\n]\n", to: "assetlinks.json")
    }

    /// - Parameter package: The attribute of the manifest; nil for none.
    func writeManifest(
        package: String? = "com.shop.app", host: String = "shop.example", prefix: String = "/buy/"
    ) throws {
        let name = package.map { #" package="\#($0)""# } ?? ""
        try tool.write(
            """
            <manifest xmlns:android="http://schemas.android.com/apk/res/android"\(name)>
              <application>
                <activity android:name=".Links" android:exported="true">
                  <intent-filter android:autoVerify="true">
                    <action android:name="android.intent.action.VIEW" />
                    <category android:name="android.intent.category.DEFAULT" />
                    <category android:name="android.intent.category.BROWSABLE" />
                    <data android:scheme="https" android:host="\(host)" android:pathPrefix="\(prefix)" />
                  </intent-filter>
                </activity>
              </application>
            </manifest>

            """, to: "AndroidManifest.xml")
    }
}

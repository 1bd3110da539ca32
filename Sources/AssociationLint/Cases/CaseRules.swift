internal import Android
internal import AppSiteAssociation
package import Diagnostics
internal import JSONSyntax

/// The lists of cases in descriptions, and their findings.
package enum CaseExample {
    /// The file that they are run against; the descriptions say what is in it.
    static let file = ExampleFile.details(
        """
        {
          "appIDs": ["7K3QWZ9PLM.com.shop.app"],
          "components": [{ "/": "/buy/old/*", "exclude": true }, { "/": "/buy/*" }]
        }
        """)

    /// The file for Android; the descriptions say what is in it.
    static let assetLinks = """
        [
          {
            "relation": ["delegate_permission/common.handle_all_urls"],
            "target": {
              "namespace": "android_app", "package_name": "com.shop.app", "sha256_cert_fingerprints":
                ["14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:B2:3F:CF:44:E5"]
            },
            "relation_extensions": {
              "delegate_permission/common.handle_all_urls": {
                "dynamic_app_link_components": [{ "/": "/a/*/b" }, { "/": "/buy/*" }]
              }
            }
          }
        ]

        """

    /// A list of cases.
    static func list(_ cases: String...) -> String {
        "[\n" + cases.map { "  \($0)" }.joined(separator: ",\n") + "\n]\n"
    }

    /// The mistakes of a list, or the result of its cases if it has none.
    package static func report(_ bytes: [UInt8]) -> FileReport {
        let list = CaseList.read(bytes, path: "cases.json")
        let json = JSONReader.read(Array(file.utf8), path: "apple-app-site-association")
        guard list.diagnostics.isEmpty, let root = json.root else { return FileReport(list.source, list.diagnostics) }
        let links = AssetLinksDocument(JSONReader.read(Array(assetLinks.utf8), path: "assetlinks.json"))
        let run = CaseRun(
            list.cases, AssociationDocument(root, source: json.source),
            CaseRun.Router(android: AndroidRouter(links)))
        return FileReport(list.source, run.diagnostics)
    }
}

/// The rules about the cases of `aasa test`.
enum CaseRules {
    static let all: [RuleDescription] = [.invalidCase, .caseFailed, .noCases, .caseUncertain]
}

extension RuleDescription {
    static let invalidCase = RuleDescription(
        "invalid-case", .error, subject: .testCases, summary: "a case for 'aasa test' is not valid",
        reason: """
            A case has a 'url', and either 'opens' (a list of app IDs, or "any") or 'excluded' (true), and the same for \
            Android in 'android', with packages. Otherwise a case that cannot be checked would silently pass.
            """, basis: [.lint],
        bad: CaseExample.list(
            #"⟦{ "url": "https://shop.example/buy/7" }⟧"#),
        good: CaseExample.list(
            #"{ "url": "https://shop.example/buy/7", "opens": ["7K3QWZ9PLM.com.shop.app"] }"#))
    static let caseFailed = RuleDescription(
        "case-failed", .error, subject: .testRun, summary: "a case of 'aasa test' fails",
        reason: """
            The file treats the URL differently from what the case expects, so one of the two is wrong. In the examples \
            the file excludes '/buy/old/*' and opens '/buy/*' in the app 7K3QWZ9PLM.com.shop.app.
            """, basis: [.lint],
        bad: CaseExample.list(
            #"{ "url": "https://shop.example/buy/7", "opens": ["7K3QWZ9PLM.com.shop.app"] }"#,
            #"⟦{ "url": "https://shop.example/buy/old/7", "opens": "any" }⟧"#),
        good: CaseExample.list(
            #"{ "url": "https://shop.example/buy/7", "opens": ["7K3QWZ9PLM.com.shop.app"] }"#,
            #"{ "url": "https://shop.example/buy/old/7", "excluded": true }"#))
    static let noCases = RuleDescription(
        "no-cases", .warning, subject: .testRun, summary: "the list for 'aasa test' is empty",
        reason: "The list has no cases, so nothing was tested.",
        basis: [.lint],
        bad: "[]\n",
        good: CaseExample.list(
            #"{ "url": "https://shop.example/buy/7", "opens": "any" }"#))
    static let caseUncertain = RuleDescription(
        "case-uncertain", .warning, subject: .testRun,
        summary: "a case of 'aasa test' passes on Android, but not by every reading of the file",
        reason: """
            Google does not say how much a '*' takes, which of two lists of rules is used, or how rules are found for a host that the \
            manifest names by a wildcard, and another implementation than the public one may answer otherwise. In the \
            examples the file opens '/a/*/b' and '/buy/*' in the app com.shop.app; '/a/1/2/b' matches '/a/*/b' only where a '*' takes more \
            than up to the next '/'.
            """, basis: [.google],
        bad: CaseExample.list(
            #"⟦{ "url": "https://shop.example/a/1/2/b", "android": { "opens": [] } }⟧"#),
        good: CaseExample.list(
            #"{ "url": "https://shop.example/buy/7", "android": { "opens": ["com.shop.app"] } }"#))
}

internal import AppSiteAssociation
package import Diagnostics
internal import JSONSyntax

/// The lists of cases in descriptions, and what is said about them.
package enum CaseExample {
    /// What they are run against; the descriptions tell what is in it.
    static let file = """
        {
          "applinks": {
            "details": [
              {
                "appIDs": ["7K3QWZ9PLM.com.shop.app"],
                "components": [{ "/": "/buy/old/*", "exclude": true }, { "/": "/buy/*" }]
              }
            ]
          }
        }

        """

    /// What is wrong with a list; with one that is sound, what comes of its cases.
    package static func report(_ bytes: [UInt8]) -> FileReport {
        let list = CaseList.read(bytes, path: "cases.json")
        let json = JSONReader.read(Array(file.utf8), path: "apple-app-site-association")
        guard list.diagnostics.isEmpty, let root = json.root else { return FileReport(list.source, list.diagnostics) }
        let run = CaseRun(list.cases, AssociationDocument(root, source: json.source))
        return FileReport(list.source, run.diagnostics)
    }
}

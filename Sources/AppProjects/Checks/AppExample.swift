internal import Android
internal import AppSiteAssociation
package import Diagnostics
internal import SystemSupport
internal import URLPatterns

/// The checks' report about the example of a code.
package enum AppExample {
    private static let host = "www.example.com"
    private static let link = "https://www.example.com/buy/7"
    private static let today = "2026-11-21T12:00:00Z"
    private static let website = """
        {
          "applinks": {
            "details": [
              {
                "appIDs": [
                  "7K3QWZ9PLM.com.shop.app", "7K3QWZ9PLM.com.shop.web", "7K3QWZ9PLM.com.shop.other",
                  "ABCDE12345.com.shop.other"
                ],
                "components": [{ "/": "/buy/*" }]
              }
            ]
          },
          "webcredentials": { "apps": ["7K3QWZ9PLM.com.shop.web"] }
        }
        """

    /// Runs all checks over an example.
    ///
    /// - Parameter rule: The rule that the example is of.
    package static func report(_ bytes: [UInt8], of rule: RuleDescription) -> FileReport {
        let isBesideOther = rule === RuleDescription.appIdentityConflict
        let isManifest = bytes.starts(with: "<manifest".utf8)
        let path = isManifest ? "AndroidManifest.xml" : "Shop.entitlements"
        var findings: [LocatedDiagnostic] = []
        do throws(AppProjectError) {
            let project = try AppContent.project(bytes, path: path)
            findings = Self.findings((isBesideOther ? [other] : []) + [project])
        } catch {
            findings = []
        }
        return FileReport(SourceText(bytes, path: path), findings.map(\.diagnostic))
    }

    private static func findings(_ projects: [AppProject]) -> [LocatedDiagnostic] {
        let checks = AppChecks(projects)
        guard let host = HostName(host), let link = AndroidLink(link), let document = try? AssociationDocument(website),
            let now = try? InternetDate.seconds(today)
        else { return [] }
        return checks.findings(now: now) + checks.findings(for: host, isTarget: true) + checks.findings(for: link)
            + checks.findings(for: host, document, file: "the file")
    }

    private static var other: AppProject {
        var project = AppProject(path: "Release.entitlements", kind: .entitlements)
        project.domains = [
            AssociatedDomains(.entries([EntryReader.entry("applinks:\(host)", range: nil)]), path: project.path)
        ]
        project.apps = [AppleApp(id: ApplicationIdentifier(prefix: "7K3QWZ9PLM", bundle: "com.shop.other"), list: 0)]
        return project
    }
}

/// Files around a few lines, for the examples of rules.
enum ExampleFile {
    /// A file with entries of `details`.
    ///
    /// - Parameter member: A member of `applinks` before them.
    static func details(_ entries: String..., with member: String? = nil) -> String {
        file(entries, member.map { [$0] } ?? [])
    }

    /// A file with components.
    static func components(_ components: String..., defaults: String? = nil, variables: String? = nil) -> String {
        let members = [
            defaults.map { "\"defaults\": \($0)" }, variables.map { "\"substitutionVariables\": \($0)" },
        ]
        let entry = """
            {
              "appIDs": ["7K3QWZ9PLM.com.shop.app"],
              "components": [
            \(indented(components, by: 4))
              ]
            }
            """
        return file([entry], members.compactMap { $0 })
    }

    /// A file with paths as before iOS 13.
    static func paths(_ paths: String) -> String {
        details(
            """
            {
              "appID": "7K3QWZ9PLM.com.shop.app",
              "paths": \(paths)
            }
            """, with: #""apps": []"#)
    }

    /// A file with an app ID.
    static func appID(_ appID: String) -> String {
        details(
            """
            {
              "appIDs": [\(appID)],
              "components": [{ "/": "/buy/*" }]
            }
            """)
    }

    /// A file with the apps of a service.
    static func service(_ apps: String) -> String {
        """
        {
          "webcredentials": {
            "apps": \(apps)
          }
        }

        """
    }

    static let goodAppID = appID(#""7K3QWZ9PLM.com.shop.app""#)

    /// A file without a mistake.
    static let good = details(#"{ "appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [{ "/": "/buy/*" }] }"#)

    /// A file with components of which one is about the order, in few lines.
    static func order(_ components: String...) -> String {
        """
        {"applinks": {"details": [{
          "appIDs": ["A1B2C3D4E5.com.apple.example"],
          "components": [
        \(indented(components, by: 4))
          ]
        }]}}
        """
    }

    private static func file(_ entries: [String], _ members: [String]) -> String {
        """
        {
          "applinks": {
        \(members.map { "    \($0),\n" }.joined())    "details": [
        \(indented(entries, by: 6))
            ]
          }
        }

        """
    }

    /// The items of a list, each line with spaces before it.
    private static func indented(_ items: [String], by count: Int) -> String {
        items.joined(separator: ",\n").split(separator: "\n")
            .map { String(repeating: " ", count: count) + $0 }.joined(separator: "\n")
    }
}

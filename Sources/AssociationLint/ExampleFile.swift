/// Files around a few lines, for the examples of rules.
enum ExampleFile {
    /// A file with components.
    static func components(_ components: String..., defaults: String? = nil, variables: String? = nil) -> String {
        var lines: [String] = []
        if let defaults { lines.append("    \"defaults\": \(defaults),") }
        if let variables { lines.append("    \"substitutionVariables\": \(variables),") }
        let list = components.map { "          \($0)" }.joined(separator: ",\n")
        return """
            {
              "applinks": {
            \(lines.map { $0 + "\n" }.joined())    "details": [
                  {
                    "appIDs": ["7K3QWZ9PLM.com.shop.app"],
                    "components": [
            \(list)
                    ]
                  }
                ]
              }
            }

            """
    }

    /// A file with paths as before iOS 13.
    static func paths(_ paths: String) -> String {
        """
        {
          "applinks": {
            "apps": [],
            "details": [
              {
                "appID": "7K3QWZ9PLM.com.shop.app",
                "paths": \(paths)
              }
            ]
          }
        }

        """
    }

    /// A file with an app ID.
    static func appID(_ appID: String) -> String {
        """
        {
          "applinks": {
            "details": [
              {
                "appIDs": [\(appID)],
                "components": [{ "/": "/buy/*" }]
              }
            ]
          }
        }

        """
    }

    static let goodAppID = appID(#""7K3QWZ9PLM.com.shop.app""#)
}

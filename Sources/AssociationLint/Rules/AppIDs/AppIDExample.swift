/// Files around an app ID, for the examples of rules.
enum AppIDExample {
    static func file(_ appID: String) -> String {
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

    static let good = file(#""7K3QWZ9PLM.com.shop.app""#)
}

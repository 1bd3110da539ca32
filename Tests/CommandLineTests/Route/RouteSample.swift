import Foundation
import TestSupport
import Testing

/// A file of four rules, and `aasa route` run with it.
struct RouteSample {
    let folder: TemporaryFolder
    let file: String

    init() throws {
        folder = try TemporaryFolder()
        file = try folder.write(
            """
            {
              "applinks": {
                "details": [
                  { "appIDs": ["ABCDE12345.com.example.app", "ABCDE12345.com.example.beta"],
                    "components": [
                      { "/": "/help/*", "exclude": true, "comment": "help stays on the web" },
                      { "/": "/buy/*", "?": { "product": "?*" }, "comment": "the shop" },
                      { "/": "/news/*", "#": "web", "exclude": true },
                      { "/": "/news/*", "caseSensitive": false }
                    ] }
                ]
              }
            }
            """, to: "apple-app-site-association")
    }

    func route(_ arguments: [String], input: String = "") throws -> Shell.Outcome {
        try Shell.run(
            [RunningServer.executable, "route"] + arguments, input: Data(input.utf8))
    }

    func object(_ line: some StringProtocol) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
}

import Foundation
import TestSupport

/// Folders of two sites with link pages, and the program in the folder above them.
struct LinksSite {
    let tool: BuiltTool
    static let domain = "go.example.com"
    static let file = "sites/go.example.com/links.json"

    static let links = """
        {
          "app": { "name": "Shop", "openHost": "open.example.com" },
          "links": {
            "/summer": { "title": "Summer sale", "to": "https://www.example.com/sale" },
            "/old": { "to": "https://www.example.com/old", "answer": "redirect" }
          },
          "pages": [
            { "route": "/buy/{product} ?ref={ref}", "title": "Shop", "to": "https://www.example.com/p/{product}?r={ref}" }
          ]
        }

        """

    init(links: String = Self.links) throws {
        tool = try BuiltTool()
        try tool.write(links, to: Self.file)
        try tool.write(
            Self.association("/summer", "/old", "/buy/*"), to: "sites/go.example.com/apple-app-site-association")
        try tool.write(
            Self.association("/summer", "/old", "/buy/*"), to: "sites/open.example.com/apple-app-site-association")
    }

    /// An association file that opens some paths.
    static func association(_ paths: String...) -> String {
        let components = paths.map { "{ \"/\": \"\($0)\" }" }.joined(separator: ", ")
        return """
            { "applinks": { "details": [
              { "appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [\(components)] }
            ] } }

            """
    }

    func links(_ arguments: String..., input: String = "") throws -> Shell.Outcome {
        try tool.run(["links"] + arguments, input: input)
    }
}

import AppSiteAssociation
import Foundation
import TestSupport
import Testing

@Suite("The page about routes")
struct WritingRoutesTests {
    @Test("Every example does what the page says", arguments: rows(of: "| route | URL | captures |"))
    func examples(row: [String]) throws {
        let route = try RoutePattern(row[0])
        let captures = route.captures(in: row[1])
        let said =
            switch captures {
            case nil: "no match"
            case let captures? where captures.names.isEmpty: "match"
            case let captures?: captures.names.map { "\($0) = `\(captures[$0] ?? "")`" }.joined(separator: ", ")
            }
        #expect(said == row[2], "\(row[0]) \(row[1])")
    }

    @Test("Every mistake is told as the page says", arguments: rows(of: "| text | message |"))
    func mistakes(row: [String]) throws {
        let error = #expect(throws: RoutePatternError.self) { try RoutePattern(row[0]) }
        #expect(error?.description == row[1])
    }

    @Test("The list in it is one")
    func list() throws {
        let block = try #require(Self.page().components(separatedBy: "```\n# shop\n").last)
        let text = "# shop\n" + (block.components(separatedBy: "```").first ?? "")
        let list = RouteList.read(Array(text.utf8), path: "routes.txt")
        #expect(list.diagnostics.isEmpty)
        #expect(
            list.routes.map(\.pattern.captureNames) == [["product"], ["term", "page"], ["code"], ["section"]])
    }

    @Test("There are examples")
    func count() {
        #expect(Self.rows(of: "| route | URL | captures |").count > 25)
        #expect(Self.rows(of: "| text | message |").count > 5)
    }

    /// The rows of all tables with a heading, without the marks around what is all code.
    private static func rows(of heading: String) -> [[String]] {
        var rows: [[String]] = []
        var isInside = false
        for line in page().components(separatedBy: "\n") {
            if line == heading { isInside = true }
            if !line.hasPrefix("|") { isInside = false }
            guard isInside, line != heading, !line.hasPrefix("|---") else { continue }
            let cells = line.dropFirst(2).dropLast(2).components(separatedBy: " | ")
            rows.append(
                cells.map { cell in
                    let isCode = cell.hasPrefix("`") && cell.hasSuffix("`")
                    return isCode ? String(cell.dropFirst().dropLast()) : cell
                })
        }
        return rows
    }

    private static func page() -> String {
        (try? Repository.text("Sources/AppSiteAssociation/AppSiteAssociation.docc/WritingRoutes.md")) ?? ""
    }
}

internal import AppSiteAssociation
package import Diagnostics
internal import JSONSyntax

/// The examples in descriptions about routes, and what is said about them.
package enum CoverageExample {
    /// What a file is compared with; the description tells what it is.
    private static let routes = "/buy/{path:*}"

    /// What is wrong with a list of routes, or what the comparison with a file says about it.
    package static func report(routes bytes: [UInt8]) -> FileReport {
        let list = RouteList.read(bytes, path: "routes.txt")
        guard list.diagnostics.allSatisfy({ $0.severity != .error }),
            let coverage = coverage(Array(CaseExample.file.utf8), list)
        else { return FileReport(list.source, list.diagnostics) }
        return FileReport(list.source, coverage.diagnostics(in: list))
    }

    /// What the comparison with a list of routes says about a file.
    package static func report(file bytes: [UInt8]) -> FileReport {
        let list = RouteList.read(Array(routes.utf8), path: "routes.txt")
        let source = SourceText(bytes, path: "apple-app-site-association")
        return FileReport(source, coverage(bytes, list)?.fileDiagnostics ?? [])
    }

    private static func coverage(_ file: [UInt8], _ list: RouteList) -> RouteCoverage? {
        let json = JSONReader.read(file, path: "apple-app-site-association")
        guard let root = json.root else { return nil }
        return try? RouteCoverage(
            of: AssociationDocument(root, source: json.source), routes: list.routes.map(\.pattern))
    }
}

import AppSiteAssociation
import ArgumentParser
import UniversalLinks

/// `--domain`: whose file it is.
struct DomainOption: ParsableArguments {
    @Option(
        name: .customLong("domain"),
        help: ArgumentHelp(
            "The domain of the file, like example.com or *.example.com (default: the host of each URL).",
            valueName: "host"))
    var name: String?

    func validate() throws {
        guard let name else { return }
        do throws(RouterError) {
            _ = try DomainName(name)
        } catch {
            throw ValidationError("--domain: \(error)")
        }
    }

    /// The router for a file of the domain, or of any.
    func router(_ document: AssociationDocument) throws -> UniversalLinkRouter {
        try name.map { try UniversalLinkRouter(document, domain: $0) } ?? UniversalLinkRouter(anyDomain: document)
    }
}

import ACME
import ArgumentParser
import AssociationServer
import AutomaticCertificates
import CommandLineSupport
import Diagnostics
import EventLoops

struct Certificates: ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "certificates",
        abstract: "List the certificates of a server, and how it is with those that it gets by itself.",
        discussion: manual.discussion(
            """
            Reads the folders of certificates and what the server remembers of its orders. No server has to run, and \
            nothing is asked over the network. Below the table are the sites without a valid certificate, and those whose \
            certificate could not be renewed, with the reason.

            --renew asks the server that orders certificates for a new one of DOMAIN now, without regard to earlier \
            failures, and waits for it. The request is a file in the folder of 'acme', so it needs the right to write \
            there, and stays until a server takes it.

            --record prints the DNS record by which the challenge dns-persist-01 is answered, which wildcards need. The \
            server has to have run once, because the account is part of it.
            """)
    )

    static let manual = CommandManual(
        examples: [
            .init("aasa certificates --config /etc/aasa/server.json", "list all certificates"),
            .init("aasa certificates --renew shop.example.com", "have one renewed now"),
            .init("aasa certificates --record _wildcard.example.com", "see which DNS record a wildcard needs"),
        ],
        exits: [
            .init(.done, "if each site has a valid certificate and none has expired, or the renewal succeeded"),
            .init(.failed, "if one has expired or is missing, or the renewal failed or has not finished in time"),
            .init(.usage, "if the arguments are wrong, or there is no such site"),
            .init(.unusableData, "if server.json cannot be used, or has no 'acme' for --renew and --record"),
            .init(.missingFile, "if a file or folder cannot be read or written, or there is no account yet"),
            .init(.unavailable, "if no server is there to renew a certificate; the request is kept"),
        ],
        files: [
            .init("/etc/aasa/server.json", "The configuration of the service that the Debian package installs."),
            .init("acme-account", "In the folder of 'acme': the account, what is remembered of orders, and requests."),
        ],
        seeAlso: ["aasa-serve(1)", "aasa-server.json(5)"])

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    @OptionGroup var paths: ServerPathOptions

    @Option(help: "Set the output format.")
    var format = Format.text

    @Option(
        help: ArgumentHelp("Have the certificate of the site DOMAIN renewed now.", valueName: "domain"))
    var renew: String?

    @Option(
        help: ArgumentHelp(
            "Wait up to SECONDS for --renew; 0 does not wait (default: 120).", valueName: "seconds"))
    var wait: Int?

    @Option(
        help: ArgumentHelp("Print the DNS record for dns-persist-01 of DOMAIN.", valueName: "domain"))
    var record: String?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if renew != nil, record != nil { throw ValidationError("'--renew' and '--record' exclude each other") }
        guard let wait else { return }
        if renew == nil { throw ValidationError("'--wait' is for '--renew' only") }
        if !(0...86_400).contains(wait) {
            throw ValidationError("'--wait \(wait)' is out of range; expected 0 to 86400")
        }
    }

    func run() throws {
        do {
            let flags = ServeFlags(config: paths.config, sites: paths.sites, certs: paths.certs)
            let configuration = flags.applied(
                to: try ServerConfiguration.load(path: paths.config) { finding in
                    for line in finding.block { StandardError.write(line) }
                })
            if let renew { return try CertificateRenewal(configuration, format, waits: wait ?? 120).run(renew) }
            if let record { return try CertificateRecord(configuration, format).run(record) }
            try list(configuration)
        } catch let error as ServerError {
            throw error.exitStatus.failure(error.messages)
        }
    }

    private func list(_ configuration: ServerConfiguration) throws {
        let now = Clock.wallSeconds()
        let overview = try IssuanceOverview(configuration, now: now)
        for line in overview.findings.flatMap(\.block) { StandardError.write(line) }
        if let problem = overview.statuses.problem {
            StandardError.write("warning: \(problem.message); what it says of earlier attempts is left out")
        }
        var results = StandardOutput()
        switch format {
        case .text:
            let report = CertificatesReport(
                overview: overview, now: now, style: output.style, width: output.width, symbols: output.symbols)
            for line in report.lines { results.write(line) }
        case .json: results.write(CertificatesJSON(overview: overview, now: now).text)
        }
        results.flush()
        if overview.needsAttention(at: now) { throw ExitStatus.failed.code }
    }
}

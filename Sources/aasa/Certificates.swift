import ACME
import ArgumentParser
import AssociationServer
import AutomaticCertificates
import CommandLineSupport
import Diagnostics
import EventLoops
import ServiceHealth

struct Certificates: ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "certificates",
        abstract: "List the server's certificates, and the state of those it obtains itself.",
        discussion: manual.discussion(
            """
            Reads the certificate folders and the stored state of the server's orders, or, with 'store' in server.json, \
            those of the store. It does not need a running server and makes no connections but to the store. The sites without a valid certificate, and those whose renewal failed, are listed \
            below the table with the reason. 'aasa serve --check' judges certificates in the same way, and checks the \
            sites' files and the configuration as well.

            --renew tells the running server to order a new certificate for DOMAIN now, regardless of earlier failures, \
            and waits for it. The request is a file in the 'acme' folder, so you need permission to write there, or a row \
            in the store; it stays until a server picks it up.

            --record prints the DNS record for the challenge dns-persist-01 as it was before draft 02, for a private CA \
            that offers it: no public CA did by September 2026. The record names the CA account, so the server has to have \
            run once.
            """)
    )

    static let manual = CommandManual(
        examples: [
            .init("aasa certificates --config /etc/aasa/server.json", "list all certificates"),
            .init("aasa certificates --renew shop.example.com", "renew one now"),
            .init("aasa certificates --record _wildcard.example.com", "print the DNS record for a private CA"),
        ],
        exits: [
            .init(.done, "if no action is needed, or the renewal succeeded"),
            .init(
                .failed,
                "if action is needed: a site's certificate is missing, has expired or is about to, or cannot be ordered; "
                    + "with --strict also for warnings; or the renewal failed or did not finish in time"),
            .init(.usage, "if the arguments are wrong, or there is no such site"),
            .init(.unusableData, "if server.json cannot be used, or has no 'acme' for --renew and --record"),
            .init(.missingFile, "if a file or folder cannot be read or written, or there is no CA account yet"),
            .init(
                .unavailable,
                "if no server is running that renews certificates (the request is kept), or the store cannot be used"),
        ],
        files: [
            .init("/etc/aasa/server.json", "The configuration of the service that the Debian package installs."),
            .init("acme-account", "In the 'acme' folder: the CA account, the state of orders, and renewal requests."),
        ],
        seeAlso: ["aasa-serve(1)", "aasa-server.json(5)"])

    @OptionGroup var paths: ServerPathOptions

    @Option(help: "Set the output format.")
    var format = ResultFormat.text

    @Flag(help: "Exit with 1 for warnings, too.")
    var strict = false

    @Option(
        help: ArgumentHelp("Renew the certificate of the site DOMAIN now.", valueName: "domain"))
    var renew: String?

    @Option(
        help: ArgumentHelp(
            "Wait up to SECONDS for --renew; 0 does not wait (default: 120).", valueName: "seconds"))
    var wait: Int?

    @Option(
        help: ArgumentHelp("Print the dns-persist-01 DNS record for DOMAIN.", valueName: "domain"))
    var record: String?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if renew != nil, record != nil { throw ValidationError("'--renew' and '--record' exclude each other") }
        if strict, renew != nil || record != nil {
            throw ValidationError("'--strict' is for the list of certificates only")
        }
        guard let wait else { return }
        if renew == nil { throw ValidationError("'--wait' needs '--renew'") }
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
            if let error = configuration.storeConflict { throw error }
            let source: any IssuanceSource =
                configuration.store.isOn ? try StoreIssuanceSource(configuration) : FolderIssuanceSource(configuration)
            if let renew {
                return try CertificateRenewal(
                    configuration: configuration, source: source, format: format, patience: wait ?? 120
                ).run(renew)
            }
            if let record {
                return try CertificateRecord(configuration: configuration, source: source, format: format).run(record)
            }
            try list(source)
        } catch let error as ServerError {
            throw error.exitStatus.failure(error.messages)
        }
    }

    private func list(_ source: any IssuanceSource) throws {
        let now = Clock.wallSeconds()
        let overview = try source.overview(requesting: nil, now: now)
        for line in overview.findings.flatMap(\.block) { StandardError.write(line) }
        if let problem = overview.statuses.problem {
            StandardError.write("warning: \(problem.message); earlier attempts are not shown")
        }
        let report = CertificatesReport(
            overview: overview, now: now, style: output.style, width: output.width, symbols: output.symbols)
        format.print(report.lines, json: CertificatesJSON(overview: overview, now: now).members)
        let code = overview.severity.exitCode(isStrict: strict)
        if code != 0 { throw ExitCode(code) }
    }
}

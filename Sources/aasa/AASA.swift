import ArgumentParser
import AssociationLint
import CommandLineSupport
import Diagnostics
import FindingCatalogue
import OpenSSL

@main
struct AASA: ManualCommand {
    static let version = Product.version

    static let configuration = CommandConfiguration(
        commandName: "aasa",
        abstract: "Validate, test and serve apple-app-site-association files (universal links).",
        version: Product.versionLine("aasa", openSSL: LibraryContext.versionNumber),
        subcommands: [
            Validate.self, Route.self, Test.self, Diff.self, Doctor.self, Rules.self, Explain.self, Serve.self,
            Certificates.self, Export.self,
        ]
    )

    static let manual = CommandManual(
        examples: [
            .init("aasa validate .well-known/apple-app-site-association", "check a file"),
            .init("aasa doctor example.com", "check what a host serves"),
            .init("aasa help serve", "show the options of a command"),
        ],
        exits: [
            .init(.done, "if the command succeeded"), .init(.usage, "if the arguments are wrong"),
            .init(.internalError, "if the program has a bug"),
            .init(.outputFailed, "if the result cannot be written"),
        ],
        environment: CommandManual.terminalVariables,
        seeAlso: ["aasa-server.json(5)", "aasa.json(5)", "certcheck(1)"])

    static func main() {
        Tool.run(
            Self.self, aids: aids,
            manual: Manual(of: Self.self, layout: .pagePerCommand) {
                [ServerConfigurationPage.page, LintConfigurationPage.page]
            },
            meanings: Dictionary(
                AllRules.catalogue.rules.map { ($0.code.rawValue, $0.summary) }, uniquingKeysWith: { first, _ in first }
            ),
            shortcut: { arguments in
                ServeFlags(plain: arguments).map { flags in { () throws in try Serve.start(flags) } }
            })
    }

    private static let aids = TypingAids(
        commands: [
            "check": "validate", "lint": "validate", "verify": "validate", "fix": "validate --fix",
            "format": "validate --fix", "match": "route", "resolve": "route", "open": "route", "compare": "diff",
            "server": "serve", "run": "serve", "start": "serve", "describe": "explain", "codes": "rules",
            "list": "rules", "diagnose": "doctor", "ping": "doctor", "dig": "doctor", "curl": "doctor",
            "domain": "doctor", "certs": "certificates", "certificate": "certificates", "renew": "certificates --renew",
            "host": "doctor", "deploy": "export", "generate": "export", "publish": "export",
            "version": "--version",
        ],
        options: [
            "--port": "--listen", "--bind": "--listen", "--address": "--listen", "--host": "--listen",
            "--dir": "--sites", "--directory": "--sites", "--root": "--sites", "--folder": "--sites",
            "--cert": "--certs", "--certificate": "--certs", "--certificates": "--certs", "--tls": "--certs",
            "--workers": "--threads", "--jobs": "--threads", "--ignore": "--disable", "--exclude": "--disable",
            "--json": "--format json", "--output-format": "--format", "--output": "--format",
            "--unsafe-fixes": "--suggested", "--dry-run": "--diff", "--no-color": "--color never",
            "--cacert": "--ca-file", "--capath": "--ca-file", "--ca": "--ca-file", "--max-time": "--timeout",
            "--connect-timeout": "--timeout", "--days": "--certificate-days", "--concurrency": "--parallel",
            "--package": "--android-package", "--fingerprint": "--android-fingerprint", "--entitlements": "--app",
            "--bundle-id": "--app-id", "--offline": "--no-cdn", "--colour": "--color", "--silent": "--quiet",
            "--hostname": "--domain", "--verbose": "--explain",
        ],
        programs: ["certcheck"])
}

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
            Validate.self, Route.self, Test.self, Diff.self, Doctor.self, AndroidCommands.self, LinksGroup.self,
            Rules.self, Explain.self, Schema.self, Console.self, Serve.self, Status.self, Certificates.self,
            Export.self,
            Publish.self, Rollback.self, Unpublish.self,
            History.self, Sites.self,
            StoreGroup.self,
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
            Self.self, suggestions: suggestions,
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

    private static let suggestions = ArgumentSuggestions(
        commands: [
            "health": "status", "check": "validate", "lint": "validate", "verify": "validate", "fix": "validate --fix",
            "format": "validate --fix", "match": "route", "resolve": "route", "open": "route", "compare": "diff",
            "server": "serve", "run": "serve", "start": "serve", "describe": "explain", "codes": "rules",
            "list": "rules", "diagnose": "doctor", "ping": "doctor", "dig": "doctor", "curl": "doctor",
            "domain": "doctor", "certs": "certificates", "certificate": "certificates", "renew": "certificates --renew",
            "ui": "console", "web": "console", "gui": "console", "playground": "console", "edit": "console",
            "host": "doctor", "deploy": "export", "generate": "export",
            "upload": "publish", "push": "publish", "put": "publish", "revert": "rollback", "undo": "rollback",
            "remove": "unpublish", "delete": "unpublish", "log": "history", "versions": "history",
            "domains": "sites", "ls": "sites", "nodes": "sites --nodes", "database": "store", "db": "store",
            "fingerprint": "android fingerprint", "sha256": "android fingerprint", "keytool": "android fingerprint",
            "apksigner": "android fingerprint",
            "init": "store init", "qr": "links qr", "shorten": "links import", "migrate": "store migrate",
            "import": "store import", "rekey": "store rekey",
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

/// aasa.json(5), the page of `.aasa.json`.
enum LintConfigurationPage {
    static var page: ManualPage {
        var page = ManualPage("aasa.json", section: 5, summary: "which findings aasa validate reports")
        page.synopsis(path: LintConfiguration.fileName)
        page.section("DESCRIPTION")
        page.prose(
            """
            The nearest file `.aasa.json` at or above an association file, and not beyond the root of its Git repository, \
            is a JSON object that sets which findings are reported, and their severity. `aasa validate` and \
            `aasa serve` read it. Options of a command override the file. Mistakes in the file are findings themselves; \
            the rest of the file is still used.

            These are the keys:
            """)
        page.list(LintConfiguration.keys.map { ($0.path, "\($0.meaning)\n\nValue: \($0.expected).") }, macro: "Cm")
        page.prose("A key `$schema`, `//` or `comment`, and one that begins with an underscore, is ignored.")
        page.section("FILES")
        page.list([(LintConfiguration.fileName, "In the folder of an association file, or above it.")], macro: "Pa")
        page.section("EXAMPLES")
        page.literal([
            "{", #"  "minimumIOS": "13.0","#, #"  "severity": { "odd-team-prefix": "off" },"#, #"  "ignore": ["#,
            #"    {"#, #"      "code": "missing-rules","#, #"      "path": "old/**","#,
            #"      "pointer": "/applinks/details/2","#, #"      "reason": "kept for the app's next version""#, "    }",
            "  ]", "}",
        ])
        page.seeAlso(["aasa-rules(1)", "aasa-validate(1)"])
        return page
    }
}

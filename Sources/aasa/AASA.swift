import ArgumentParser
import CommandLineSupport
import OpenSSL

@main
struct AASA: ParsableCommand {
    static let version = Product.version

    static let configuration = CommandConfiguration(
        commandName: "aasa",
        abstract: "Validate, test and serve apple-app-site-association files (universal links).",
        version: Product.versionLine("aasa", openSSL: LibraryContext.versionNumber),
        subcommands: [
            Validate.self, Route.self, Test.self, Diff.self, Rules.self, Explain.self, Serve.self, Export.self,
        ]
    )

    static func main() { Tool.run(Self.self, aids: aids) }

    private static let aids = TypingAids(
        commands: [
            "check": "validate", "lint": "validate", "verify": "validate", "fix": "validate --fix",
            "format": "validate --fix", "match": "route", "resolve": "route", "open": "route", "compare": "diff",
            "server": "serve", "run": "serve", "start": "serve", "describe": "explain", "codes": "rules",
            "list": "rules", "deploy": "export", "generate": "export", "publish": "export",
            "version": "--version",
        ],
        options: [
            "--port": "--listen", "--bind": "--listen", "--address": "--listen", "--host": "--listen",
            "--dir": "--sites", "--directory": "--sites", "--root": "--sites", "--folder": "--sites",
            "--cert": "--certs", "--certificate": "--certs", "--certificates": "--certs", "--tls": "--certs",
            "--workers": "--threads", "--jobs": "--threads", "--ignore": "--disable", "--exclude": "--disable",
            "--json": "--format json", "--output-format": "--format", "--output": "--format",
            "--unsafe-fixes": "--suggested", "--dry-run": "--diff", "--no-color": "--color never",
            "--colour": "--color", "--silent": "--quiet", "--hostname": "--domain", "--verbose": "--explain",
        ])
}

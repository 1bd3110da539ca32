import Foundation
import TestSupport
import Testing

/// The messages of `aasa doctor` about arguments and files before it contacts anybody (doctor.md, section 1).
@Suite("aasa doctor, arguments", .waiting)
struct DoctorUsageTests {
    private let tool: BuiltTool

    init() throws { tool = try BuiltTool() }

    @Test(
        "a target that is none is a usage error that says why",
        arguments: [
            ("https://user@shop.example/", "has a user name"), ("shop.example/buy/7", "has a path and no scheme"),
            ("shop.example:65536", "expected 1 to 65535"), ("192.0.2.1", "is an IP address"), ("", "has no host"),
        ])
    func badTarget(text: String, clause: String) throws {
        let outcome = try tool.run("doctor", "--no-cdn", "--no-google", "--", text)
        #expect(outcome.status == 64)
        #expect(outcome.text.isEmpty)
        #expect(outcome.errors.hasPrefix("error: '\(text.prefix(100))"), "\(outcome.errors)")
        #expect(outcome.errors.contains(clause), "\(outcome.errors)")
        #expect(outcome.errors.hasSuffix("help: see 'aasa doctor --help'\n"))
    }

    @Test("all bad targets are reported, those of standard input with their lines, and nothing is contacted")
    func allBadTargets() throws {
        let network = try StubNetwork()
        let site = try network.site("shop.example", .good)
        let outcome = try tool.doctor(
            [site.authority, "a..b", "-", "c/d"], network: network,
            input: "# mine\n\n  \(site.authority)  \r\nhttps://x@y/\n#z..z\n\u{1B}[31m\u{202E}\n")
        #expect(outcome.status == 64)
        let lines = outcome.errors.split(separator: "\n").map(String.init)
        #expect(lines.count == 5, "\(lines)")
        #expect(lines[0].hasPrefix("error: 'a..b' "))
        #expect(lines[1].hasPrefix("error: line 4: 'https://x@y/' "))
        #expect(lines[2].hasPrefix("error: line 6: '\\u001B[31m\\u202E' "))
        #expect(lines[3].hasPrefix("error: 'c/d' "))
        #expect(site.connections == 0 && network.apple.connections == 0)
    }

    @Test(
        "an option that is wrong is a usage error that says what was expected",
        arguments: [
            ([], "nothing to check; name a domain or a URL, or an app with --app"),
            (["a.example", "-", "-"], "standard input can be read only once"),
            (["-"], "standard input contains no target"),
            (["a.example", "--timeout", "0.4"], "--timeout is '0.4'; expected seconds from 0.5 to 60"),
            (["a.example", "--timeout", "60.1"], "expected seconds from 0.5 to 60"),
            (["a.example", "--timeout", "1e1"], "expected seconds from 0.5 to 60"),
            (["a.example", "--timeout", "."], "expected seconds from 0.5 to 60"),
            (["a.example", "--parallel", "0"], "--parallel is 0; expected 1 to 64"),
            (["a.example", "--parallel", "65"], "--parallel is 65; expected 1 to 64"),
            (["a.example", "--certificate-days", "10001"], "expected 0 to 10000"),
            (["a.example", "--cdn", "ftp://x/"], "it does not begin with 'https://'"),
            (["a.example", "--cdn", "http://cdn.example/"], "http is for loopback addresses only"),
            (["a.example", "--cdn", "http://192.0.2.1/", "--allow-private"], "http is for loopback addresses only"),
            (["a.example", "--google", "http://127.0.0.1/"], "http needs --allow-private"),
            (["a.example", "--google", "https://x.example/?a="], "it has a query"),
            (["a.example", "--cdn", "https://u@x.example/"], "it has user information"),
            (["a.example", "--resolve", "a.example:443"], "expected HOST:PORT:ADDRESS"),
            (["a.example", "--resolve", "a..example:443:192.0.2.1"], "its host is not a host name"),
            (["a.example", "--resolve", "*.example:443:192.0.2.1"], "its host is not a host name"),
            (["a.example", "--resolve", "a.example:443:192.0.2"], "'192.0.2' is not an address"),
            (
                ["a.example", "--app-id", "com.shop.app"],
                "error: app ID 'com.shop.app' is missing its Team ID (application identifier prefix); add your Team ID "
                    + "before it, e.g. 'ABCDE12345.com.shop.app'; find the Team ID at developer.apple.com"
            ),
            (
                ["a.example", "--app-id", "com"],
                "app ID 'com' is not a Team ID and a bundle ID with a dot between them"
            ),
            (
                ["a.example", "--app-id", "7K3QWZ9PLM"],
                "'7K3QWZ9PLM' is missing its bundle ID; add your bundle ID, e.g."
            ),
            (["a.example", "--app-id", "7K3QWZ9PLM.*"], "'7K3QWZ9PLM.*'"),
            (["a.example", "--app-id", "$(AppIdentifierPrefix)com.shop.app"], "'$(AppIdentifierPrefix)com.shop.app'"),
            (["a.example", "--app-id", " 7K3QWZ9PLM.com.shop.app"], "error: "),
            (["a.example", "--no-android", "--android-package", "a.b"], "--no-android contradicts --android-package"),
            (["a.example", "--service", "applinks"], "--service needs --app-id"),
            (["a.example", "--service", "authsrv", "--app-id", "A.b"], "authsrv"),
            (["a.example", "--android-package", "shop"], "'shop' is not a package name"),
            (["a.example", "--android-fingerprint", "AB:CD"], "'AB:CD' is not valid; expected 32 pairs"),
            (["a.example", "--app", "https://a.example/"], "--app takes a file or folder"),
            (["a.example", "--disable", "http-redirekt"], "did you mean 'http-redirect'?"),
            (["a.example", "--config", "-"], "the configuration cannot be standard input"),
            (["a.example", "--format", "xml"], "xml"),
        ])
    func badOption(arguments: [String], message: String) throws {
        let outcome = try Shell.run([tool.executable, "doctor"] + arguments, in: tool.folder.url)
        #expect(outcome.status == 64)
        #expect(outcome.text.isEmpty)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test("files that cannot be used or read decide before anything is contacted")
    func files() throws {
        try tool.write("hello", to: "notes.txt")
        try tool.write("[1, 2", to: "app.json")
        let network = try StubNetwork()
        let site = try network.site("shop.example", .good)
        let cases: [([String], Int32, [String])] = [
            (["--app", "missing"], 66, ["missing: error: "]),
            (["--app", "notes.txt"], 65, ["notes.txt: error: not an entitlements file, profile, app, project, "]),
            (["--app", "notes.txt", "--app", "missing"], 65, ["notes.txt: error: ", "\nmissing: error: "]),
            (["--ca-file", "missing"], 66, ["error: cannot read the root certificates in 'missing': no such file"]),
            (
                ["--ca-file", "notes.txt"], 65,
                ["error: 'notes.txt' cannot be used as root certificates: ", "\nhelp: use a PEM file"]
            ),
            (["--config", "missing"], 66, ["error: cannot read the configuration 'missing': "]),
        ]
        for (arguments, status, messages) in cases {
            // The last --ca-file counts.
            let outcome = try tool.doctor([site.authority] + arguments, network: network)
            #expect(outcome.status == status, "\(arguments): \(outcome.errors)")
            for message in messages { #expect(outcome.errors.contains(message), "\(arguments): \(outcome.errors)") }
            #expect(outcome.text.isEmpty)
            let nagios = try tool.doctor([site.authority, "--format", "nagios"] + arguments, network: network)
            #expect(nagios.status == 3)
            #expect(nagios.text.hasPrefix("AASA UNKNOWN - ") && nagios.text.split(separator: "\n").count == 1)
            let json = try tool.doctor([site.authority, "--format", "json"] + arguments, network: network)
            let error = try #require(json.object()["error"] as? [String: Any])
            #expect(error["exitCode"] as? Int == Int(status))
            let github = try tool.doctor([site.authority, "--format", "github"] + arguments, network: network)
            #expect(github.text.hasPrefix("::error "))
        }
        #expect(site.connections == 0 && network.apple.connections == 0)
    }

    @Test("without libcurl the exit code is 69, and the package is named")
    func missingLibrary() throws {
        // The loader finds this one first, and does not look any further.
        try tool.write("\u{7F}ELF, but no library", to: "libraries/libcurl.so.4")
        for (format, status, text) in [("text", 69, ""), ("nagios", 3, "AASA UNKNOWN - libcurl cannot be loaded: ")] {
            let outcome = try tool.shell(
                "\"$tool\" doctor --no-cdn --no-google --format \(format) shop.example",
                environment: ["LD_LIBRARY_PATH": "\(tool.folder.path)/libraries"])
            #expect(outcome.status == status, "\(outcome.errors)")
            #expect(outcome.text.hasPrefix(text))
            #expect(outcome.errors.hasPrefix("error: libcurl cannot be loaded: "))
            #expect(outcome.errors.contains("help: install it, on Debian with 'apt-get install libcurl4'\n"))
        }
    }

    @Test("the help has the targets, groups of options, the exit codes, and says who is asked")
    func help() throws {
        let text = try tool.run("doctor", "--help").text
        for part in [
            "Apple's and Google's servers are asked about each domain unless", "--no-cdn and --no-google are given.",
            "<target>", "\nAPP:\n", "\nNETWORK:\n", "\nFINDINGS:\n", "\nOUTPUT:\n", "Exit 0 if there is no error, 1 if",
        ] {
            #expect(text.replacing("\n", with: " ").contains(part.replacing("\n", with: " ")), "\(part)")
        }
    }
}

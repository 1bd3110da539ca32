import Foundation
import TestSupport
import Testing

/// Start, stop and what cannot be started (server.md, sections 1 and 8; cli.md, exit codes).
@Suite("aasa serve: start and stop", .waiting)
struct ServeLifeCycleTests {
    private func run(_ arguments: [String]) throws -> Shell.Outcome {
        try Shell.run([RunningServer.executable] + arguments)
    }

    private func serve(_ folder: TemporaryFolder, _ arguments: [String] = [], json: String = "{}") throws
        -> Shell.Outcome
    {
        let file = try folder.write(json, to: "server.json")
        return try run(
            [
                "serve", "--config", file, "--sites", "\(folder.path)/sites", "--certs", "\(folder.path)/certs",
                "--listen",
                "127.0.0.1:0",
            ] + arguments)
    }

    @Test("SIGTERM and SIGINT stop it with exit 0", arguments: [SIGTERM, SIGINT], [1, 2])
    func signals(signal: Int32, threads: Int) throws {
        let server = try RunningServer(RunningServer.layOut(), threads: threads)
        #expect(try server.curl().status == 0)
        server.signal(signal)
        #expect(server.exitStatus() == 0)
        #expect(server.logText.contains("stopped"))
    }

    @Test("port 0 takes a free one, and the log names it")
    func freePort() throws {
        let server = try RunningServer(RunningServer.layOut())
        #expect(server.port > 0)
        #expect(server.logText.contains("ready: 1 site, 1 certificate on https://127.0.0.1:\(server.port)"))
    }

    @Test(
        "options are read in the same way with and without the option parser, which reads '--option=value'",
        arguments: [
            [("--sites", "/nonexistent"), ("--certs", "/none"), ("--listen", "127.0.0.1:0"), ("--threads", "1")],
            [("--config", "/nonexistent")], [("--threads", "0")], [("--threads", "two")], [("--threads", "+1025")],
            [("--listen", "nonsense"), ("--admin", "1.2.3.4:1")],

            [("--sites", "/nonexistent"), ("--listen", "unix:/nonexistent/socket"), ("--sites", "/other")],
            [("--admin", "1.2.3.4:1"), ("--threads", "1")], [("--site", "x")],
        ])
    func plainOptions(options: [(String, String)]) throws {
        let plain = try run(["serve"] + options.flatMap { [$0, $1] })
        let joined = try run(["serve"] + options.map { "\($0)=\($1)" })
        #expect(plain.status != 0 && plain.status == joined.status)
        #expect(plain.errors == joined.errors)
    }

    @Test("a port in use is one clear sentence and exit 69")
    func portInUse() throws {
        let server = try RunningServer(RunningServer.layOut())
        let outcome = try run([
            "serve", "--sites", "\(server.folder.path)/sites", "--certs", "\(server.folder.path)/certs", "--listen",
            "127.0.0.1:\(server.port)",
        ])
        #expect(outcome.status == 69)
        #expect(
            outcome.errors.contains(
                """
                error: cannot listen on 127.0.0.1:\(server.port): address already in use
                  = help: another process uses port \(server.port): stop it, or choose a port with --listen

                """
            ))
    }

    @Test("missing folders are exit 66")
    func missing() throws {
        let folder = try RunningServer.layOut()
        for flag in ["--sites", "--certs", "--config"] {
            let outcome = try serve(folder, [flag, "/nowhere"])
            #expect(outcome.status == 66, "\(flag)")
            #expect(outcome.errors.contains(#/(?m)^error: cannot read the /#))
            #expect(outcome.errors.contains("'/nowhere': no such file or directory"))
            #expect(outcome.output.isEmpty)
        }
    }

    @Test("nothing to serve is exit 1, with the reason")
    func nothing() throws {
        let folder = try RunningServer.layOut(document: "<html>")
        let noSite = try serve(folder)
        #expect(noSite.status == 1)
        #expect(noSite.errors.contains("apple-app-site-association:1:1: error: the file is an HTML or XML page"))
        #expect(noSite.errors.contains("\nerror: nothing to serve"))
        let other = try RunningServer.layOut()
        try FileManager.default.removeItem(atPath: "\(other.path)/certs/localhost/privkey.pem")
        let noCertificate = try serve(other)
        #expect(noCertificate.status == 1)
        #expect(noCertificate.errors.contains("privkey.pem: error: the private key cannot be read"))
    }

    @Test("the files of another ACME client are named, and are served once they are linked as is said")
    func otherClients() throws {
        let folder = try RunningServer.layOut()
        let pair = "\(folder.path)/certs/localhost"
        for (name, other) in [("fullchain.pem", "fullchain.cer"), ("privkey.pem", "localhost.key")] {
            try FileManager.default.moveItem(atPath: "\(pair)/\(name)", toPath: "\(pair)/\(other)")
        }
        let missing = try serve(folder, ["--check"])
        #expect(missing.status == 1)
        #expect(missing.errors.contains("; found 'fullchain.cer' and 'localhost.key'"), "\(missing.errors)")
        let commands = missing.errors.matches(of: /'(ln -s [^']+)'/).map { String($0.1) }
        #expect(commands.count == 2, "\(missing.errors)")
        for command in commands { #expect(try Shell.run(["sh", "-c", command]).status == 0) }
        let linked = try serve(folder, ["--check"])
        #expect(linked.status == 0, "\(linked.text)\(linked.errors)")

        try FileManager.default.moveItem(atPath: pair, toPath: "\(folder.path)/flat")
        let flat = try serve(folder, ["--check", "--certs", "\(folder.path)/flat"])
        #expect(flat.status == 1)
        #expect(flat.errors.contains("the folder has no folders of certificates; found"), "\(flat.errors)")
    }

    @Test("server.json that cannot be used is exit 65, with all that is wrong")
    func configuration() throws {
        let outcome = try serve(RunningServer.layOut(), json: #"{"lisen": [], "threads": 0}"#)
        #expect(outcome.status == 65)
        #expect(
            outcome.errors.contains(
                "server.json:1:2: error: unknown key 'lisen'; did you mean 'listen'? [unknown-config-key]\n"))
        #expect(outcome.errors.contains(#"   = help: write "listen""#))
        #expect(outcome.errors.contains("'threads' is 0;"))
    }

    @Test(
        "wrong flags are exit 64",
        arguments: [
            ["--lisen", "x"], ["--listen", "x"], ["--listen", "example.com:1"], ["--threads", "0"], ["--threads", "x"],
            ["x"], ["--admin", "x"], ["--admin", ""], ["--admin", "127.0.0.1"], ["--admin", "0.0.0.0:1"],
            ["--admin", "example.com:1"], ["--admin", "None"],
        ])
    func usage(arguments: [String]) throws {
        #expect(try serve(RunningServer.layOut(), arguments).status == 64)
    }

    @Test("why an address of the admin listener is refused is said", arguments: ["192.0.2.1:9443", "[::]:9443"])
    func adminAddress(address: String) throws {
        let outcome = try serve(RunningServer.layOut(), ["--admin", address])
        #expect(outcome.status == 64)
        let reason = "the admin listener has neither TLS nor a password, so it is for this machine only"
        #expect(outcome.errors.contains("'--admin \(address)' cannot be used; expected a loopback address, like "))
        #expect(outcome.errors.contains(reason))
        let file = try serve(RunningServer.layOut(), ["--admin", "none"], json: #"{"admin": "\#(address)"}"#)
        #expect(file.status == 65)
        #expect(file.errors.contains("server.json:1:11: error: 'admin' is '\(address)'; expected a loopback address"))
        #expect(file.errors.contains(reason))
    }

    @Test("a flag that is good is no help where server.json is not, and --check takes all flags")
    func checkedFlags() throws {
        let folder = try RunningServer.layOut()
        for admin in ["none", "127.0.0.1:0", "[::1]:9443"] {
            let good = try serve(
                folder, ["--check", "--admin", admin, "--threads", "2"], json: #"{"log": {"access": "none"}}"#)
            #expect(good.status == 0)
        }
        #expect(try serve(folder, ["--check", "--threads", "2"], json: #"{"threads": 0}"#).status == 65)
    }

    @Test("--check reads everything and exits; --strict-sites refuses to start with a refused site")
    func checks() throws {
        let folder = try RunningServer.layOut()
        let good = try serve(folder, ["--check"])
        #expect(good.status == 0)
        #expect(good.text.contains("\n1 site: 1 fine; 2 warnings in files that are served\n"))
        try folder.write("", to: "sites/a.example/apple-app-site-association")
        for flag in ["--check", "--strict-sites"] {
            let bad = try serve(folder, [flag])
            #expect(bad.status == 1, "\(flag)")
            #expect(
                bad.errors.contains("a.example/apple-app-site-association:1:1: error: the file has no JSON value"))
            let refused = "1 of 2 sites, 1 certificate: 1 refused, 1 site without a certificate (strictSites)\n"
            let checked = "\n2 sites: 1 broken, 1 fine; 2 warnings in files that are served\n"
            #expect(flag == "--check" ? bad.text.contains(checked) : bad.errors.hasSuffix(refused), "\(bad.errors)")
        }
    }

    @Test("--check tells of an access log that could not be opened, and makes none")
    func checkedLog() throws {
        let folder = try RunningServer.layOut()
        let bad = try serve(folder, ["--check"], json: #"{"log": {"access": "missing/access.log"}}"#)
        #expect(bad.status == 1)
        let message =
            "log.access: error: the access log '\(folder.path)/missing/access.log' cannot be opened: the folder "
        #expect(bad.errors.contains(message), "\(bad.errors)")
        let counts = "\n1 site: 1 fine; 1 problem of the whole server; 2 warnings in files that are served\n"
        #expect(bad.text.contains(counts), "\(bad.text)")
        let good = try serve(folder, ["--check"], json: #"{"log": {"access": "access.log"}}"#)
        #expect(good.status == 0)
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/access.log"))
    }

    @Test("a closed standard output is told of as what it is")
    func closedOutput() throws {
        let folder = try RunningServer.layOut()
        let file = try folder.write("{}", to: "server.json")
        let outcome = try Shell.run(
            ["sh", "-c", "exec \"$@\" >&-", "-", RunningServer.executable, "serve"]
                + ["--config", file, "--sites", "\(folder.path)/sites", "--certs", "\(folder.path)/certs"]
                + ["--listen", "127.0.0.1:0"])
        #expect(outcome.status == 66)
        let message = "the access log on standard output cannot be written: it is closed, or open only for reading; "
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test("--check says in one run what is wrong with server.json, sites and certificates")
    func checksEverything() throws {
        let folder = try RunningServer.layOut()
        try folder.write("", to: "sites/a.example/apple-app-site-association")
        try folder.write("x", to: "certs/bad/fullchain.pem")
        let outcome = try serve(folder, ["--check"], json: #"{"threads": 0, "lisen": []}"#)
        #expect(outcome.status == 65)
        for problem in [
            "'threads' is 0;", "unknown key 'lisen'", "a.example/apple-app-site-association:1:1: error: ",
            "certs/bad/privkey.pem: error: ",
        ] {
            #expect(outcome.errors.contains(problem), "\(outcome.errors)")
        }
        let other = try serve(folder, ["--check", "--sites", "/nowhere"], json: #"{"threads": 0}"#)
        #expect(other.status == 65)
        for problem in ["'threads' is 0;", "'/nowhere'", "certs/bad/privkey.pem: error: "] {
            #expect(other.errors.contains(problem), "\(other.errors)")
        }
    }

    @Test("--check shows what the validator finds, with the line; warnings alone are well")
    func checkedFindings() throws {
        let folder = try RunningServer.layOut(
            document: "{\n  \"applinks\": {},\n  \"applinks\": {}\n}", names: ["DNS:localhost", "DNS:a.example"])
        let file = "\(folder.path)/sites/localhost/apple-app-site-association"
        try folder.write(RunningServer.document, to: "sites/a.example/apple-app-site-association")
        let bad = try serve(folder, ["--check"])
        #expect(bad.status == 1)
        let place = try #require(bad.errors.range(of: "\(file):3:3: error: "))
        #expect(
            bad.errors[place.upperBound...].contains(
                " [duplicate-key]\n   |\n 2 |   \"applinks\": {},\n   |   ---------- first used here\n"
                    + " 3 |   \"applinks\": {}\n   |   ^^^^^^^^^^"))
        try folder.write("\u{FEFF}\(RunningServer.document)", to: "sites/localhost/apple-app-site-association")
        let good = try serve(folder, ["--check"], json: "\u{FEFF}{}")
        #expect(good.status == 0)
        #expect(good.errors.contains("server.json:1:1: warning: "))
        #expect(good.errors.contains("\(file):1:1: warning: "))
        #expect(good.text.contains("\n2 sites: 2 fine; 1 problem of the whole server; "), "\(good.text)")
    }

    @Test("a site whose file is faulty answers 503, and the others serve")
    func refusedSite() throws {
        let folder = try RunningServer.layOut(names: ["DNS:localhost", "DNS:a.example"])
        try folder.write("", to: "sites/a.example/apple-app-site-association")
        let server = try RunningServer(folder)
        let head = try server.curl(
            "/apple-app-site-association", ["--http1.1", "-D", "-", "-o", "/dev/null"], host: "a.example"
        )
        .text
        #expect(head.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
        #expect(head.contains("\r\nRetry-After: 300\r\n"))
        #expect(try server.curl().text == RunningServer.document)
        let line =
            "a.example: file rejected (1 error), answering 503; the file has no JSON value [empty-file]; details: "
        let details = "aasa validate \(folder.path)/sites/a.example"
        #expect(server.logText.contains(" error: \(line)\(details)\n"), "\(server.logText)")
    }

    @Test("--help and --version answer on standard output")
    func help() throws {
        let help = try run(["serve", "--help"])
        #expect(help.status == 0)
        for flag in [
            "--config", "--sites", "--certs", "--listen", "--admin", "--threads", "--strict-sites", "--check",
            "--format", "--strict",
        ] {
            #expect(help.text.contains(flag))
        }
        #expect(try run(["--version"]).text.contains("."))
    }
}

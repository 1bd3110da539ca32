import Foundation
import TestSupport
import Testing

/// The commands of docs/fleet.md, in their order and with a real database.
@Suite("The guide for many machines", .waiting, .needs(.postgres))
struct FleetGuideTests {
    private static let page = "docs/fleet.md"

    /// The lines of the code block after a heading.
    private static func block(after heading: String, _ number: Int = 0) throws -> [String] {
        let parts = try Repository.text(page).components(separatedBy: "\n## \(heading)\n")
        let section = try #require(parts.dropFirst().first).components(separatedBy: "\n## ")[0]
        let blocks = section.components(separatedBy: "```").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
        return try #require(blocks.dropFirst(number).first).split(separator: "\n").dropFirst().map(String.init)
    }

    @Test("the ten commands lead from a folder to three nodes")
    func tenCommands() throws {
        let rig = try StoreRig(isInitialised: false)
        let folder = rig.tool.folder.path
        try rig.tool.write(StoreRig.document("old"), to: "etc/aasa/sites/example.com/\(StoreRig.name)")
        let certificates = rig.tool.folder.url.appendingPathComponent("etc/letsencrypt/live/example.com")
        try TestCertificate.make(["DNS:example.com"], in: certificates)
        try rig.tool.write(StoreRig.document("new"), to: StoreRig.name)
        // Roles belong to the whole cluster.
        let roles = ["deploy", "edge"].map { ($0, "\($0)_\(rig.database.name)") }
        func local(_ line: String) -> String {
            var line = line.replacing("/etc/", with: "\(folder)/etc/").replacing("/var/lib/", with: "\(folder)/var/")
            for (role, name) in roles + [("admin", "postgres")] {
                let address =
                    "postgresql://\(role)@db.internal/links?sslmode=verify-full&sslrootcert=\(folder)/etc/aasa/db-ca.pem"
                line = line.replacing(address, with: rig.database.url(user: name))
                line = line.replacing("ROLE \(role) ", with: "ROLE \(name) ")
            }
            return line.replacing(" ~/", with: " \(folder)/").replacing(#/^aasa /#, with: "$tool ")
                .replacing("umask 077; aasa ", with: "umask 077; $tool ")
        }
        let commands = try Self.block(after: "From a folder to three nodes")
        #expect(commands.count == 10)
        let environment = [
            "PGHOST": rig.database.cluster.socketFolder, "PGUSER": "postgres",
            "PATH": "/usr/bin:/bin:\(try postgresFolder())",
        ]
        let exported = commands.filter { $0.hasPrefix("export ") }.map(local)
        #expect(exported.count == 1)
        var nodes: [RunningServer] = []
        for command in commands where !command.hasPrefix("export ") {
            let line = local(command)
            if command.hasPrefix("aasa serve ") {
                let words = try rig.tool.shell("set -- \(line.dropFirst("$tool serve ".count)); printf '%s\\n' \"$@\"")
                    .text
                for number in 1...3 {
                    let cache = "\(folder)/var/aasa/store"
                    let arguments = words.split(separator: "\n").map(String.init).map {
                        $0 == cache ? "\(cache)\(number)" : $0
                    }
                    #expect(arguments.contains("\(cache)\(number)"))
                    nodes.append(
                        try RunningServer(
                            rig.tool.folder, serving: arguments + ["--listen", "127.0.0.1:0", "--threads", "1"]))
                }
                continue
            }
            if command == "aasa store status" { #expect(try areListening(rig, 3)) }
            let outcome = try rig.tool.shell((exported + [line]).joined(separator: "; "), environment: environment)
            #expect(outcome.status == 0, "\(command): \(outcome.text)\(outcome.errors)")
            if command.hasPrefix("aasa publish") {
                let publisher = try rig.database.sql(
                    "SELECT published_by FROM aasa.versions ORDER BY generation DESC LIMIT 1")
                #expect(publisher == roles[0].1)
                #expect(outcome.text.contains("served by 3 of 3 nodes"))
            }
            if command.contains("store key") {
                try rig.tool.shell("cp -p store.keys etc/aasa/store.keys")
            }
        }
        #expect(nodes.count == 3)
        for node in nodes {
            let fetched = try Shell.run([
                "curl", "-sSk", "--noproxy", "*", "--connect-to", "::127.0.0.1:\(node.port)",
                "https://example.com/.well-known/\(StoreRig.name)",
            ])
            #expect(fetched.text == StoreRig.document("new"), "\(fetched.errors)")
        }
    }

    @Test("the commands for the database lead to one with passwords, which clients can verify")
    func database() throws {
        let folder = try TemporaryFolder()
        let (data, port) = ("\(folder.path)/data", try FreePort.reserve())
        // The server refuses to run as root.
        let launcher = geteuid() == 0 ? ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--init-groups"] : []
        if geteuid() == 0 { _ = try Shell.run(["chown", "postgres", folder.path]) }
        let environment = [
            "PATH=/usr/bin:/bin:\(try postgresFolder())", "PGHOST=\(folder.path)", "PGPORT=\(port)",
            "HOME=\(folder.path)",
        ]
        func run(_ command: String, _ more: [String] = [], as launcher: [String]) throws -> Shell.Outcome {
            try Shell.run(launcher + ["env"] + environment + more + ["sh", "-c", command], in: folder.url)
        }
        defer { _ = try? run("pg_ctl -D data -m immediate stop", as: launcher) }
        let commands = try Self.block(after: "The database")
        #expect(commands.count == 7)
        for command in commands {
            let line = command.replacing("'*'", with: "'127.0.0.1'\\nunix_socket_directories = '\(folder.path)'")
                .replacing("10.0.0.0/8", with: "127.0.0.0/8")
            let outcome = try run(line, as: launcher)
            #expect(outcome.status == 0, "\(command): \(outcome.text)\(outcome.errors)")
        }
        let store = "postgresql://admin@db.internal/links?sslmode=verify-full&sslrootcert=\(data)/server.crt"
        let executable = try BuiltTool().executable
        let password = ["PGHOSTADDR=127.0.0.1", "PGPASSWORD=one"]
        let initialised = try run("'\(executable)' store init --store '\(store)'", password, as: [])
        #expect(initialised.text == "initialised, schema 3\n", "\(initialised.errors)")
        #expect(initialised.errors.isEmpty)
        let wrong = try run(
            "'\(executable)' store init --store '\(store)'", ["PGHOSTADDR=127.0.0.1", "PGPASSWORD=two"], as: [])
        #expect(wrong.status == 69 && wrong.errors.contains("refuses the connection"), "\(wrong.errors)")
        let other = store.replacing("db.internal", with: "other.internal")
        #expect(try run("'\(executable)' store init --store '\(other)'", password, as: []).status == 69)
    }

    /// Whether so many nodes have found out that notifications arrive.
    private func areListening(_ rig: StoreRig, _ count: Int) throws -> Bool {
        try Waiting.until { try rig.database.sql("SELECT count(*) FROM aasa.nodes WHERE listening") == "\(count)" }
    }

    @Test("every code about stores is in it, with its page")
    func codes() throws {
        let text = try Repository.text(Self.page)
        let pages = try FileManager.default.contentsOfDirectory(atPath: Repository.url("docs/rules").path)
        let codes = pages.filter { $0.hasPrefix("store-") }.map { $0.replacing(".md", with: "") }
        #expect(codes.count >= 14)
        for code in codes { #expect(text.contains("[`\(code)`](rules/\(code).md)"), "\(code)") }
    }

    /// The folder of `createdb` and `psql`, which need not be the first ones on PATH.
    private func postgresFolder() throws -> String {
        URL(fileURLWithPath: try ExternalProgram.postgres.path).deletingLastPathComponent().path
    }

    @Test("its server.json is one of a node, and its backup is restored as it says")
    func otherExamples() throws {
        let rig = try StoreRig()
        try rig.publish("example.com", "a")
        let json = try Self.block(after: "From a folder to three nodes", 1).joined(separator: "\n")
        let folder = rig.tool.folder.path
        try rig.tool.shell("umask 077; $tool store key > store.keys")
        let local = json.replacing(
            "postgresql://edge@db.internal/links?sslmode=verify-full&sslrootcert=/etc/aasa/db-ca.pem", with: rig.url
        )
        .replacing("/var/lib/aasa", with: folder).replacing("/etc/aasa", with: folder)
        #expect(local != json)
        try rig.tool.write(local, to: "server.json")
        let check = try rig.tool.run("serve", "--check", "--config", "server.json", "--listen", "http://127.0.0.1:0")
        #expect(check.status == 0, "\(check.text)\(check.errors)")
        #expect(try rig.tool.run("sites", "--config", "server.json").text.contains("example.com"))

        let other = try StoreRig(isInitialised: false)
        let environment = ["PGHOST": rig.database.cluster.socketFolder, "PGUSER": "postgres", "AASA_STORE": other.url]
        for command in try Self.block(after: "Backups") {
            let name = command.hasPrefix("pg_dump") ? rig.database.name : other.database.name
            let line = command.replacing(#/^createdb .*/#, with: "true").replacing(" links", with: " \(name)")
                .replacing(#/^aasa /#, with: "$tool ")
            let outcome = try rig.tool.shell(line, environment: environment)
            #expect(outcome.status == 0, "\(command): \(outcome.text)\(outcome.errors)")
        }
        #expect(try other.succeed("sites").text.contains("example.com"))
        try other.publish("example.com", "b")
    }
}

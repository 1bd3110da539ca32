import Foundation
import TestSupport
import Testing

/// `.ci/setup`, on a machine that is made up.
@Suite(".ci/setup", .serialized)
struct SetupScriptTests {
    private static let script = Repository.url(".ci/setup").path

    private let folder: TemporaryFolder
    private var log: String { folder.url.appendingPathComponent("log").path }

    init() throws {
        folder = try TemporaryFolder()
        for name in ["swift", "pkg-config", "openssl", "curl"] { try program(name, "exit 0") }
        for name in ["expat.h", "nghttp2/nghttp2.h", "postgresql/libpq-fe.h", "sqlite3.h", "zlib.h"] {
            try folder.write("", to: name)
        }
        try program("sudo", #"echo "sudo" >>"$LOG"; exec "$@""#)
        try program("env", #"while case $1 in *=*) true ;; *) false ;; esac do shift; done; exec "$@""#)
        try program("apt-get", #"echo "apt-get $*" >>"$LOG""#)
        try program("id", #"echo "$USER_ID""#)
        try program("sh", #"exec /bin/sh "$@""#)
        try program("chmod", #"exec /bin/chmod "$@""#)
        try program("rm", #"exec /bin/rm "$@""#)
    }

    private func program(_ name: String, _ text: String) throws {
        try folder.writeProgram("#!/bin/sh\n\(text)\n", to: "bin/\(name)")
    }

    /// On the path is nothing but what is made up.
    private func environment(user: Int, isCI: Bool = false) -> [String: String] {
        [
            "PATH": "\(folder.path)/bin", "LOG": log, "USER_ID": String(user), "AASA_SETUP_INCLUDE": folder.path,
            "CI": isCI ? "true" : "", "AASA_SETUP_POLICY": policy,
            "AASA_SETUP_SERVERS": folder.path, "AASA_SETUP_MODULES": folder.path,
            "AASA_SETUP_POSTGRESQL": folder.path, "AASA_SETUP_PYTHON": folder.path,
        ]
    }

    private func run(user: Int, isCI: Bool = false, _ arguments: String...) throws -> Shell.Outcome {
        let variables = environment(user: user, isCI: isCI).map { "\($0.key)=\($0.value)" }
        return try Shell.run(variables + ["/bin/sh", Self.script] + arguments)
    }

    /// The file that keeps packages from starting servers; only there while packages are installed.
    private var policy: String { folder.url.appendingPathComponent("policy-rc.d").path }

    private var done: [String] {
        let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    private static let missing = "libcurl4-openssl-dev libssl-dev testssl.sh"
    private static let installing = [
        "apt-get update -qq", "apt-get install -y -qq \(missing)",
    ]

    @Test("without a terminal nothing is installed: the line to run is printed")
    func withoutTerminal() throws {
        let outcome = try run(user: 1000, "testssl.sh")
        #expect(outcome.status == 1)
        #expect(
            outcome.errors == "setup: please install what is missing: sudo apt-get install \(Self.missing)\n")
        #expect(done.isEmpty)
    }

    @Test("what tests start is not started by its package, and whoever has a policy keeps it")
    func policyOfServices() throws {
        try program(
            "apt-get", #"[ "$1" = update ] || { "$AASA_SETUP_POLICY"; echo "policy $?" >>"$LOG"; echo "$*" >>"$LOG"; }"#
        )
        #expect(try run(user: 0, "--components").status == 0)
        #expect(done.first == "policy 101")
        #expect(done.last?.contains(" nginx apache2 caddy haproxy h2o lighttpd nodejs ruby php-cli ") == true)
        #expect(done.last?.contains(" postgresql ") == true && done.last?.contains(" python3-h2 ") == true)
        #expect(done.last?.hasSuffix(" pgbouncer pebble") == true)
        #expect(!FileManager.default.fileExists(atPath: policy))
        try FileManager.default.removeItem(atPath: log)
        try folder.writeProgram("#!/bin/sh\nexit 7\n", to: "policy-rc.d")
        #expect(try run(user: 0, "--components").status == 0)
        #expect(done.first == "policy 7" && FileManager.default.fileExists(atPath: policy))
    }

    @Test("root is not asked, and CI is not")
    func unasked() throws {
        #expect(try run(user: 0, "testssl.sh").status == 0)
        #expect(done == Self.installing)
        try FileManager.default.removeItem(atPath: log)
        #expect(try run(user: 1000, isCI: true, "testssl.sh").status == 0)
        #expect(done == ["sudo", Self.installing[0], "sudo", Self.installing[1]])
    }
}

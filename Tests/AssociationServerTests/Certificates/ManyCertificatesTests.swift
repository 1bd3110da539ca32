import AssociationServer
import Foundation
import TestSupport
import Testing

/// TLS contexts are made when they are asked for, and dropped when there are many (server.md, section 10).
@Suite("Many certificates", .waiting)
struct ManyCertificatesTests {
    @Test("contexts that come and go under load cost no handshake", arguments: ["--tlsv1.3", "--tls-max=1.2"])
    func comeAndGo(version: String) throws {
        let folder = try TemporaryFolder()
        let names = ["a.example", "b.example", "c.example"]
        for name in names {
            try folder.write(RunningServer.document, to: "sites/\(name)/apple-app-site-association")
            try TestCertificate.make(["DNS:\(name)"], in: folder.url.appendingPathComponent("certs/\(name)"))
        }
        let bundle = try names.map {
            try String(contentsOfFile: "\(folder.path)/certs/\($0)/fullchain.pem", encoding: .utf8)
        }
        try folder.write(bundle.joined(), to: "ca.pem")
        var configuration = ServerConfiguration()
        configuration.sites = "\(folder.path)/sites"
        configuration.certs = "\(folder.path)/certs"
        configuration.listen = ["127.0.0.1:0"]
        configuration.threads = 2
        configuration.log.access = .none
        // With this each one that is made has the others dropped.
        let server = try LinkServer(
            configuration, logger: RecordedLog().logger, timing: ReloadTiming(), mostContexts: 1)
        let port = try #require(try server.start().https.first?.split(separator: ":").last)
        // Two requests on a connection, then another connection, which resumes the session where there is one.
        let urls = (0..<60).flatMap { number in
            let url = "https://\(names[number % 3]):\(port)/apple-app-site-association"
            return [url, url]
        }
        let options = version.split(separator: "=").map(String.init)
        let command =
            [
                "curl", "-sS", "--fail", "--noproxy", "*", "--cacert", "\(folder.path)/ca.pem", "--connect-to",
                "::127.0.0.1:\(port)", "-w", "%{http_code}\n", "-Z", "--parallel-max", "4",
            ] + options + urls.flatMap { ["-o", "/dev/null", $0] }
        let outcome = try Shell.run(command)
        #expect(outcome.text == String(repeating: "200\n", count: urls.count), "\(outcome.errors)")
        server.stop()
        server.waitUntilStopped()
    }
}

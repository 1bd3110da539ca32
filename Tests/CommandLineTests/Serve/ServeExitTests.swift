import Foundation
import TLSSamples
import TestSupport
import Testing

/// The end of a process whose threads are still at work.
@Suite("aasa serve: the last moments", .waiting)
struct ServeExitTests {
    @Test("it ends with 0 in the middle of a reload", arguments: 0..<5)
    func reload(number: Int) throws {
        let folder = try RunningServer.layOut()
        for site in 0..<40 {
            let pem = try SampleIdentity.pem(["s\(site).example"])
            try folder.write(RunningServer.document, to: "sites/s\(site).example/apple-app-site-association")
            try folder.write(pem.chain, to: "certs/s\(site)/fullchain.pem")
            try folder.write(pem.key, to: "certs/s\(site)/privkey.pem")
        }
        let server = try RunningServer(folder, threads: 2)
        server.signal(SIGHUP)
        // At five moments of a reload.
        usleep(UInt32(number) * 3_000)
        server.signal(SIGTERM)
        #expect(server.exitStatus() == 0)
    }
}

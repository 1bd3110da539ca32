import Foundation
import Glibc
import TestSupport

/// The website beside aasa, where a recipe has one that is a server of its own.
final class WebsiteSocket: @unchecked Sendable {
    private let descriptor: Int32

    init(port: Int) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        self.descriptor = descriptor
        var one: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0, listen(descriptor, 8) == 0 else {
            throw TestFailure("bind \(port): \(String(cString: strerror(errno)))")
        }
    }

    deinit { close(descriptor) }

    /// The first bytes of the next connection, which is then closed.
    func firstBytes(_ count: Int) throws -> [UInt8] {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, Int32(Patience.seconds) * 1_000) == 1 else { throw TestFailure("nobody connects") }
        let connection = accept(descriptor, nil, nil)
        defer { close(connection) }
        var bytes = [UInt8](repeating: 0, count: count)
        let received = recv(connection, &bytes, count, Int32(MSG_WAITALL))
        return Array(bytes.prefix(max(0, received)))
    }

    /// Answers one request of each connection, as long as the tests run: there is one page.
    func answerRequests() {
        Thread { [self] in
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else { continue }
                var bytes = [UInt8](repeating: 0, count: 4_096)
                let count = recv(connection, &bytes, bytes.count, 0)
                let isPage = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).hasPrefix("GET /index.html ")
                let body = isPage ? ProxySetup.website : "nothing"
                let head = "HTTP/1.1 \(isPage ? "200 OK" : "404 Not Found")\r\nConnection: close\r\n"
                let answer = Array("\(head)Content-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
                send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
                close(connection)
            }
        }.start()
    }
}

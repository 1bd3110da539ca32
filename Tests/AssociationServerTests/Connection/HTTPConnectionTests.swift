import AssociationServer
import HTTP1
import OpenSSL
import Testing

/// The protocol's machine: bytes in, what to do out.
@Suite("The state of an HTTP/1.1 connection")
struct HTTPConnectionTests {
    private static let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    private func next(_ connection: HTTPConnection, _ bytes: ArraySlice<UInt8>) -> (action: String, count: Int) {
        switch connection.next(Array(bytes).span) {
        case .respond(let head): ("respond", Int(head.count))
        case .refuse(let status): ("refuse \(status.rawValue)", 0)
        case .read: ("read", 0)
        }
    }

    /// What is done with bytes that come in these pieces, until no more is asked for or a request is refused.
    private func run(_ pieces: [String]) -> [String] {
        var connection = HTTPConnection(openedAt: 0)
        var unread: ArraySlice<UInt8> = []
        var actions: [String] = []
        for piece in pieces {
            unread += piece.utf8
            while true {
                let (action, count) = next(connection, unread)
                if actions.last != "read" || action != "read" { actions.append(action) }
                unread = unread.dropFirst(count)
                guard action == "respond" else {
                    if action != "read" { return actions }
                    break
                }
                connection.answered(isLast: false)
            }
            connection.finishRead(hasPartialHead: !unread.isEmpty, at: 0)
        }
        return actions
    }

    @Test(
        "requests are answered, refused or waited for, however they come",
        arguments: [
            ([request], ["respond", "read"]),
            // A slow header.
            (request.map(String.init), ["read", "respond", "read"]),
            // Pipelined requests.
            ([request + request + request], ["respond", "respond", "respond", "read"]),
            ([request + "GE", "T / HTTP/1.1\r\nHost: a\r\n\r\n"], ["respond", "read", "respond", "read"]),
            ([request + "GET / HTTP/1.1\n" + request], ["respond", "refuse 400"]),
            (["GET / HTTP/2.0\r\n"], ["refuse 505"]),
            (["GET / HTTP/1.1\n"], ["refuse 400"]),
            (["GET /" + String(repeating: "a", count: 4_096)], ["refuse 414"]),
            (["\u{16}\u{3}\u{1}"], ["refuse 400"]),
            (["\r\n" + request], ["respond", "read"]),
        ])
    func requests(pieces: [String], expected: [String]) {
        #expect(run(pieces) == expected)
    }

    @Test(
        "the last answer of a connection is known before it is written",
        arguments: [
            (0, false, [false, false, false]), (1, false, [true, true, true]), (3, false, [false, false, true]),
            (0, true, [true, true, true]), (3, true, [true, true, true]),
        ])
    func keepAliveLimit(limit: Int, isDraining: Bool, expected: [Bool]) {
        var connection = HTTPConnection(openedAt: 0)
        let closes = expected.indices.map { _ in
            defer { connection.answered(isLast: false) }
            return connection.mustClose(limit: limit, isDraining: isDraining)
        }
        #expect(closes == expected)
        #expect(connection.requests == expected.count)
    }

    @Test("nothing follows the last answer, or the end of the requests")
    func lastAnswer() {
        var connection = HTTPConnection(openedAt: 0)
        connection.answered(isLast: false)
        #expect(!connection.isLastAnswer)
        connection.answered(isLast: true)
        #expect(connection.isLastAnswer)
        var other = HTTPConnection(openedAt: 0)
        other.inputEnded()
        #expect(other.isLastAnswer)
    }

    /// The seam below the protocol: the same requests over a transport that does nothing.
    @Test("a plain transport carries requests and answers as they are")
    func plainTransport() {
        let buffers = TransportBuffers.allocate(outputCapacity: 20)
        defer { TransportBuffers.deallocate(buffers) }
        let transport = Transport.plain(PlainTransport(buffers))
        #expect(transport.handshake() == .done)
        #expect(!transport.hasPending && !transport.isTLS13 && !transport.isResumed)
        var requests = [UInt8](repeating: 0, count: 64)
        let count = Array((Self.request + "x").utf8).withUnsafeBufferPointer { input in
            if let start = input.baseAddress { buffers.pointee.input = start }
            buffers.pointee.inputCount = input.count
            var count = 0
            // Into small memory piece by piece.
            while case .bytes(let more) = requests.withUnsafeMutableBufferPointer({ output in
                output.baseAddress.map { transport.read(into: $0 + count, count: 10) } ?? .failed
            }) { count += more }
            return count
        }
        #expect(buffers.pointee.inputCount == 0)
        #expect(next(HTTPConnection(openedAt: 0), requests[..<count]) == ("respond", Self.request.utf8.count))
        let answer = Array("HTTP/1.1 200 OK\r\n\r\n".utf8)
        let taken = answer.withUnsafeBufferPointer { bytes in
            bytes.baseAddress.map { [transport.write($0, count: 19), transport.write($0, count: 19)] } ?? []
        }
        // No more than there is room for.
        #expect(taken == [19, 1])
        transport.sendCloseNotify()
        #expect(
            Array(UnsafeBufferPointer(start: buffers.pointee.output, count: buffers.pointee.outputCount))
                == answer + [UInt8(ascii: "H")])
    }
}

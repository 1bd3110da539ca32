package import TLSSamples

/// An HTTPS client whose bytes a test holds in its hands between TLS and the socket.
///
/// It trusts every certificate: which one it got is for the test to see.
package final class HTTPSClient {
    package let socket: RawSocket
    private let tls: SampleClient
    private var unread: [UInt8] = []
    /// The way in which the server ended its stream, once it has.
    package private(set) var ending: RawSocket.Ending?

    /// Does nothing yet.
    package init(_ socket: RawSocket, _ offer: SampleOffer = SampleOffer(), resuming session: SampleSession? = nil)
        throws
    {
        self.socket = socket
        tls = try SampleClient(offer, resuming: session)
    }

    /// Connects, and does nothing else.
    package convenience init(
        port: Int, _ offer: SampleOffer = SampleOffer(), resuming session: SampleSession? = nil,
        receiveBuffer: Int32? = nil
    ) throws {
        try self.init(RawSocket(port: port, receiveBuffer: receiveBuffer), offer, resuming: session)
    }

    /// The client hello, for whoever sends it in a way of his own.
    package func hello() -> [UInt8] {
        _ = tls.handshake()
        return tls.takeOutput()
    }

    /// - Parameter request: goes out together with the end of the handshake.
    /// - Throws: `TestFailure` if the server ends it.
    package func handshake(andSend request: String = "") throws {
        while true {
            let progress = tls.handshake()
            let bytes = tls.takeOutput()
            if progress == .done {
                socket.send(bytes + sealed(request))
                return
            }
            socket.send(bytes)
            guard progress == .needsInput, receive(within: nil) else {
                throw TestFailure("the handshake failed: \(ending.map { "\($0)" } ?? "refused")")
            }
        }
    }

    package var isResumed: Bool { tls.isResumed }
    package var selectedProtocol: String? { tls.selectedProtocol }
    package var hasTicket: Bool { tls.hasTicket }
    /// The ticket of TLS 1.3 comes with the first answer.
    package var session: SampleSession? { tls.session }
    /// The leaf that the server presented, in DER.
    package var presented: [UInt8] { tls.presented }

    /// TLS records with the text in them, for whoever sends them in a way of his own.
    package func sealed(_ text: String) -> [UInt8] { sealed(Array(text.utf8)) }

    private func sealed(_ bytes: [UInt8]) -> [UInt8] {
        // At most a record at a time.
        for start in stride(from: 0, to: bytes.count, by: 16_384) {
            _ = tls.write(Array(bytes[start..<min(start + 16_384, bytes.count)]))
        }
        return tls.takeOutput()
    }

    /// - Returns: whether the system took all of it.
    @discardableResult
    package func send(_ text: String) -> Bool { socket.send(sealed(text)) }

    /// - Returns: whether the system took all of it.
    @discardableResult
    package func send(_ bytes: [UInt8]) -> Bool { socket.send(sealed(bytes)) }

    /// Takes what was read, for whoever speaks another protocol.
    package func takeRead() -> [UInt8] {
        defer { unread = [] }
        return unread
    }

    /// Says `close_notify`.
    package func sayGoodbye() {
        tls.close()
        socket.send(tls.takeOutput())
    }

    /// Whether the server said `close_notify`.
    package var hasGoodbye: Bool { tls.hasGoodbye }

    /// The next answer, whole.
    ///
    /// - Parameter isHead: whether HEAD was asked, which is answered without a body.
    /// - Throws: `TestFailure` if it does not come.
    package func answer(isHead: Bool = false) throws -> HTTPAnswer {
        while true {
            if let (answer, count) = HTTPAnswer.read(unread, isHead: isHead) {
                unread.removeFirst(count)
                return answer
            }
            guard read() else {
                let text = String(decoding: unread.prefix(1_000), as: UTF8.self)
                throw TestFailure("no answer, the stream ended (\(ending.map { "\($0)" } ?? "?")) after '\(text)'")
            }
        }
    }

    /// Asks for something and returns the answer.
    @discardableResult
    package func get(_ path: String = "/apple-app-site-association", host: String = "localhost", fields: String = "")
        throws -> HTTPAnswer
    {
        send("GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\(fields)\r\n")
        return try answer()
    }

    /// All answers until the server ends the stream.
    package func remainingAnswers() -> [HTTPAnswer] {
        while read() {}
        var answers: [HTTPAnswer] = []
        var start = 0
        while let (answer, count) = HTTPAnswer.read(unread, from: start, isHead: false) {
            start += count
            answers.append(answer)
        }
        unread.removeFirst(start)
        return answers
    }

    /// Reads at least one byte of an answer, if any comes within the time, or else as long as there is ``Patience``.
    ///
    /// - Returns: whether one came.
    @discardableResult
    package func read(within milliseconds: Int32? = nil) -> Bool {
        while true {
            let bytes = tls.read()
            unread += bytes
            if !bytes.isEmpty { return true }
            guard receive(within: milliseconds) else { return false }
        }
    }

    private func receive(within milliseconds: Int32?) -> Bool {
        guard ending == nil else { return false }
        switch socket.receive(within: milliseconds) {
        case .bytes(let bytes):
            tls.receive(bytes)
            return true
        case .ended(.timeOut): return false
        case .ended(let ending):
            self.ending = ending
            return false
        }
    }
}

import Foundation
import FrameSamples
import TLSSamples
import TestSupport

/// A client of a running server that sends and gets frames of HTTP/2 over TLS; one thread at a time works with it.
final class FrameClient: @unchecked Sendable {
    let client: HTTPSClient
    /// It runs as long as its client is there.
    private let server: RunningServer
    /// All frames that came.
    private(set) var frames: [Frame] = []
    private var unread: [UInt8] = []
    private var decoder = HeaderDecoder()

    /// Shakes hands.
    ///
    /// Sends the preface and SETTINGS, too.
    init(
        _ server: RunningServer, settings: [(Int, Int)] = [], _ change: @escaping (inout SampleOffer) -> Void = { _ in }
    ) throws {
        let offer = SampleOffer {
            $0.protocols = ["h2"]
            change(&$0)
        }
        self.server = server
        client = try HTTPSClient(port: server.port, offer)
        try client.handshake()
        guard client.selectedProtocol == "h2" else { throw TestFailure("HTTP/2 was not chosen") }
        send(bytes: Frame.preface + Frame.settings(settings).bytes + Frame.settingsAcknowledgement.bytes)
    }

    @discardableResult
    func send(_ frames: Frame...) -> Bool { send(bytes: frames.flatMap(\.bytes)) }

    @discardableResult
    func send(bytes: [UInt8]) -> Bool { client.send(bytes) }

    /// Whether the server has ended the connection.
    var isEnded: Bool { client.ending != nil }

    /// Reads until a frame comes that is wanted, whether it came before or comes now.
    ///
    /// - Returns: nil if the connection ends before.
    func wait(for isWanted: (Frame) -> Bool) -> Frame? {
        while true {
            if let frame = frames.first(where: isWanted) { return frame }
            guard read() else { return nil }
        }
    }

    /// Reads what comes next; false at the end.
    @discardableResult
    func read(within milliseconds: Int32? = nil) -> Bool {
        guard client.read(within: milliseconds) else { return false }
        unread += client.takeRead()
        frames += Frame.take(from: &unread)
        return true
    }

    /// Reads until the server ends the connection.
    func readToEnd() {
        while read() {}
    }

    /// The answer on a stream, when it is whole.
    ///
    /// - Throws: `TestFailure` if it does not come.
    func answer(_ stream: UInt32) throws -> (fields: [String: String], body: [UInt8]) {
        guard wait(for: { $0.stream == stream && $0.endsStream }) != nil else {
            throw TestFailure("no answer on stream \(stream): \(frames)")
        }
        // Blocks have to be decoded in the order in which they came.
        let heads = frames.filter { $0.type == Frame.Kind.headers }
        for head in heads.dropFirst(decodedHeads) {
            let fields = try decoder.decode(head.payload)
            blocks[head.stream] = Dictionary(fields.map { ($0.name, $0.value) }) { "\($0), \($1)" }
        }
        decodedHeads = heads.count
        return (
            blocks[stream] ?? [:],
            frames.filter { $0.type == Frame.Kind.data && $0.stream == stream }.flatMap(\.payload)
        )
    }

    private var blocks: [UInt32: [String: String]] = [:]
    private var decodedHeads = 0

    func get(_ path: String, host: String = "localhost", stream: UInt32 = 1, _ fields: [(String, String)] = []) throws
        -> (fields: [String: String], body: [UInt8])
    {
        send(.get(path, host: host, stream: stream, fields))
        return try answer(stream)
    }

    /// The error codes of the frames of a type that came.
    func codes(_ type: UInt8) -> [Int] { frames.filter { $0.type == type }.compactMap(\.errorCode) }
}

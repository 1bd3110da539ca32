import FrameSamples
import HTTP1
import HTTP2
import Testing

/// A client of a session in memory, and the server around it, which answers with what it is given.
final class SessionPeer {
    /// The body of the answers.
    var body = Array("{\"applinks\":{}}\n".utf8)
    var status = Status.ok
    var room = 16_384
    /// Milliseconds.
    var now: Int64 = 0
    /// The request lines, and the heads, of what was asked.
    private(set) var heads: [String] = []
    /// Requests that were refused for their form.
    private(set) var refusals: [Status] = []
    /// All that the session has sent, in order.
    private(set) var frames: [Frame] = []

    let buffers: UnsafeMutablePointer<StreamBuffers>
    private var session: ServerSession?
    private var unread: [UInt8] = []
    private var decoder = HeaderDecoder()
    private var responses: [PreparedResponse] = []
    private let date = UnsafeMutablePointer<UInt8>.allocate(capacity: HTTPDate.count)

    init(streams: Int = 100, sendsPreface: Bool = true) throws {
        buffers = StreamBuffers.allocate(try HTTP2Library.shared())
        session = ServerSession(buffers, streams: streams, at: 0)
        HTTPDate.write(784_111_777, to: date)
        if sendsPreface { send(bytes: Frame.preface + Frame.settings().bytes + Frame.settingsAcknowledgement.bytes) }
    }

    deinit {
        session = nil
        StreamBuffers.deallocate(buffers)
        for response in responses { response.deallocate() }
        date.deallocate()
    }

    @discardableResult
    func send(_ frames: Frame...) -> [Frame] { send(bytes: frames.flatMap(\.bytes)) }

    /// - Parameter pieces: the number of bytes that come at a time.
    /// - Returns: the frames that were sent since.
    @discardableResult
    func send(bytes: [UInt8], pieces: Int = .max) -> [Frame] {
        let before = frames.count
        var start = 0
        repeat {
            let end = min(bytes.count, start.addingReportingOverflow(pieces).partialValue)
            receive(Array(bytes[start..<(pieces == .max ? bytes.count : end)]))
            start = pieces == .max ? bytes.count : end
            write()
        } while start < bytes.count
        return Array(frames[before...])
    }

    private func receive(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { bytes in
            var start = 0
            while start < bytes.count, let base = bytes.baseAddress {
                guard let (consumed, reading) = session?.receive(base + start, count: bytes.count - start, at: now)
                else { return }
                start += consumed
                switch reading {
                case .needsInput: break
                case .request(let head): answer(sendsBody: head.method != .head)
                case .refused(let status):
                    refusals.append(status)
                    answer(with: .allocateError(status, text: "no"), sendsBody: true)
                }
            }
        }
    }

    private func answer(sendsBody: Bool) {
        let response = PreparedResponse.allocate(
            status, fields: [(.contentType, "application/json"), (.entityTag, "\"x\"")],
            body: status == .notModified ? nil : body)
        answer(with: response, sendsBody: sendsBody)
    }

    private func answer(with response: PreparedResponse, sendsBody: Bool) {
        if let head = session?.head { heads.append(String(decoding: head, as: UTF8.self)) }
        responses.append(response)
        session?.answer(response.message, sendsBody: sendsBody, date: date, owner: nil)
    }

    func write() {
        var output = [UInt8](repeating: 0, count: room)
        repeat {
            let count = output.withUnsafeMutableBufferPointer { output in
                output.baseAddress.flatMap { session?.write(to: $0, room: room) } ?? 0
            }
            unread += output[..<count]
        } while session?.needsRoom ?? false
        frames += Frame.take(from: &unread)
    }

    func perform(_ command: ServerSession.Command) -> [Frame] {
        let before = frames.count
        session?.perform(command)
        write()
        return Array(frames[before...])
    }

    /// The bytes that the session counts.
    var heldBytes: Int { session?.heldBytes ?? 0 }

    /// Overwrites the memory that heads are composed in, as the next connection does: its sessions are given a request.
    func overwriteHead() {
        let other = ServerSession(buffers, streams: 1, at: now)
        let bytes =
            Frame.preface + Frame.settings().bytes
            + Frame.get(host: "zzzzzzzzzzzzzzzzzz", [("zzzz", String(repeating: "z", count: 500))]).bytes
        bytes.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return }
            _ = other?.receive(base, count: bytes.count, at: now)
        }
    }

    var isDone: Bool { session?.isDone ?? true }
    var hasPartialInput: Bool { session?.hasPartialInput ?? false }
    var openAnswers: Int { session?.openAnswers ?? 0 }
    func takeProgress() -> Bool { session?.takeProgress() ?? false }

    /// The fields of a header block; blocks have to be decoded in the order in which they were sent.
    func fields(_ frame: Frame?) throws -> [String: String] {
        let frame = try #require(frame)
        #expect(frame.type == Frame.Kind.headers)
        return Dictionary(try decoder.decode(frame.payload).map { ($0.name, $0.value) }) { "\($0), \($1)" }
    }

    /// The error code of the first frame of a type.
    static func code(of type: UInt8, in frames: [Frame]) -> Int? { frames.first { $0.type == type }?.errorCode }
}

/// The error codes of RFC 9113, section 7.
enum Code {
    static let none = 0x0
    static let protocolError = 0x1
    static let flowControl = 0x3
    static let streamClosed = 0x5
    static let frameSize = 0x6
    static let refusedStream = 0x7
    static let cancel = 0x8
    static let compression = 0x9
    static let calm = 0xB
}

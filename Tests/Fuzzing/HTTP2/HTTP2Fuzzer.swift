import FrameSamples
import FuzzingSupport
import HTTP1
import HTTP2

/// Gives sessions of HTTP/2 mutated sequences of frames, in pieces, with windows that open and close and a clock that goes on.
///
/// Whatever comes, only whole frames are sent, none follows a GOAWAY with an error, no more answers are open than streams
/// may be, and each request that is reported is one request for HTTP/1.1, too.
package struct HTTP2Fuzzer: ~Copyable {
    private static let streams = 10

    private let seed: UInt64
    private let buffers: UnsafeMutablePointer<StreamBuffers>
    private let responses: [PreparedResponse]
    private let date = UnsafeMutablePointer<UInt8>.allocate(capacity: HTTPDate.count)
    /// The numbers of requests that were reported and refused, and of sessions by how they ended.
    package private(set) var outcomes: [String: Int] = [:]

    /// - Throws: `MissingLibrary` without libnghttp2.
    package init(seed: UInt64) throws {
        self.seed = seed
        buffers = StreamBuffers.allocate(try HTTP2Library.shared())
        responses = [0, 1, 1_000, 20_000, 100_000].map { count in
            .allocate(.ok, fields: [(.contentType, "application/json")], body: [UInt8](repeating: 120, count: count))
        }
        HTTPDate.write(0, to: date)
    }

    deinit {
        StreamBuffers.deallocate(buffers)
        for response in responses { response.deallocate() }
        date.deallocate()
    }

    /// - Returns: what was done against the rules; nil if nothing was.
    package mutating func check(_ number: Int) -> String? {
        var random = SplitMix64(seed: seed &+ UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9)
        guard let session = ServerSession(buffers, streams: Self.streams, at: 0) else { return "no session" }
        var watch = OutputWatch()
        let input = FrameMutator.sequence(&random)
        var (start, now) = (0, Int64(0))
        while start < input.count {
            let count = min(input.count - start, random.pick([1, 5, 9, 100, 1_000, 8_192]))
            let piece = Array(input[start..<start + count])
            start += count
            now += Int64(random.pick([0, 0, 0, 1, 250, 10_000]))
            if let violation = receive(piece, session, &watch, now, &random) { return violation }
            if random.chance(3) { session.perform(random.pick(FrameMutator.commands)) }
            if random.chance(90), let violation = write(session, &watch, &random) { return violation }
            session.retainAnswers()
        }
        if let violation = write(session, &watch, &random) { return violation }
        if watch.hasRest { return "a frame is not whole" }
        outcomes[watch.hasFailed ? "ended with an error" : session.isDone ? "ended" : "open", default: 0] += 1
        return nil
    }

    private mutating func receive(
        _ bytes: [UInt8], _ session: borrowing ServerSession, _ watch: inout OutputWatch, _ now: Int64,
        _ random: inout SplitMix64
    ) -> String? {
        // In memory of its own size, so that a sanitizer sees who reads beyond it.
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
        defer { memory.deallocate() }
        memory.initialize(from: bytes, count: bytes.count)
        var start = 0
        while start < bytes.count {
            let (consumed, reading) = session.receive(memory + start, count: bytes.count - start, at: now)
            start += consumed
            switch reading {
            case .needsInput:
                guard start == bytes.count else { return "\(bytes.count - start) bytes are left" }
            case .request(let head):
                outcomes["requests", default: 0] += 1
                let text = session.head
                guard Int(head.count) == text.count else { return "two requests in one: \(Array(text))" }
                guard case .request(head) = RequestParser.parse(text.span) else { return "it is read in two ways" }
                answer(session, random.pick(responses), sendsBody: head.method != .head)
            case .refused:
                outcomes["refused", default: 0] += 1
                answer(session, responses[1], sendsBody: true)
            }
            guard session.openAnswers <= Self.streams else { return "\(session.openAnswers) answers are open" }
        }
        return nil
    }

    private func answer(_ session: borrowing ServerSession, _ response: PreparedResponse, sendsBody: Bool) {
        session.answer(response.message, sendsBody: sendsBody, date: date, owner: nil)
    }

    private func write(
        _ session: borrowing ServerSession, _ watch: inout OutputWatch, _ random: inout SplitMix64
    ) -> String? {
        let room = random.pick([1_024, 4_096, 16_384])
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: room)
        defer { memory.deallocate() }
        repeat {
            let count = session.write(to: memory, room: room)
            guard count <= room else { return "\(count) bytes in room for \(room)" }
            if let violation = watch.look(at: UnsafeBufferPointer(start: memory, count: count)) { return violation }
        } while session.needsRoom
        return nil
    }
}

/// Looks at what a session sends.
private struct OutputWatch {
    private var bytes: [UInt8] = []
    /// Whether a GOAWAY with an error was sent.
    private(set) var hasFailed = false

    var hasRest: Bool { !bytes.isEmpty }

    mutating func look(at output: UnsafeBufferPointer<UInt8>) -> String? {
        bytes += output
        for frame in Frame.take(from: &bytes) {
            if hasFailed { return "\(frame) after the end" }
            guard frame.payload.count <= 16_384 else { return "\(frame) is too large" }
            switch frame.type {
            case Frame.Kind.windowUpdate, Frame.Kind.pushPromise, Frame.Kind.priority, 10...:
                return "\(frame) is not sent by a server like this"
            case Frame.Kind.goAway: if frame.errorCode != 0 { hasFailed = true }
            default: break
            }
        }
        return nil
    }
}

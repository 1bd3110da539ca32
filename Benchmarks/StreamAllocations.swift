import ArgumentParser
import CAllocations
import FrameSamples
import HTTP1
import HTTP2

/// The allocations of requests on a connection of HTTP/2, in a steady state.
enum StreamAllocations {
    /// The number of requests at a time.
    private static let streams = 10

    /// The number of allocations that so many requests make in a session, after a few to warm up.
    static func count(requests: Int) throws -> Int {
        let buffers = StreamBuffers.allocate(try HTTP2Library.shared())
        defer { StreamBuffers.deallocate(buffers) }
        let response = PreparedResponse.allocate(
            .ok, fields: [(.contentType, "application/json"), (.entityTag, "\"x\"")],
            body: [UInt8](repeating: 120, count: 1_000))
        defer { response.deallocate() }
        guard let session = ServerSession(buffers, streams: 100, at: 0) else { throw ValidationError("no memory") }
        let room = 16_384
        let output = UnsafeMutablePointer<UInt8>.allocate(capacity: room)
        let date = UnsafeMutablePointer<UInt8>.allocate(capacity: HTTPDate.count)
        defer { for memory in [output, date] { memory.deallocate() } }
        HTTPDate.write(0, to: date)
        let begin = Frame.preface + Frame.settings([(4, 1_000_000)]).bytes + Frame.settingsAcknowledgement.bytes
        let inputs =
            [begin]
            + stride(from: 0, to: requests + 1_000, by: streams).map { first in
                (first..<first + streams).flatMap { block(UInt32(2 * $0 + 1)).bytes } + Frame.windowUpdate(10_100).bytes
            }
        var (answered, before, now) = (0, 0, Int64(0))
        for (index, input) in inputs.enumerated() {
            if answered == 1_000 { before = Int(allocation_count()) }
            now += 100
            input.withUnsafeBufferPointer { bytes in
                var start = 0
                while start < bytes.count, let base = bytes.baseAddress {
                    let (consumed, reading) = session.receive(base + start, count: bytes.count - start, at: now)
                    start += consumed
                    guard case .request = reading else { continue }
                    session.answer(response.message, sendsBody: true, date: date, owner: nil)
                    answered += 1
                }
            }
            repeat { _ = session.write(to: output, room: room) } while session.needsRoom
            guard session.openAnswers == 0, !session.isDone || index == 0 else { throw ValidationError("no answer") }
        }
        guard answered == requests + 1_000 else { throw ValidationError("\(answered) answers") }
        return Int(allocation_count()) - before
    }

    /// A request as clients send it after the first: most of it from the table.
    private static func block(_ stream: UInt32) -> Frame {
        let path = HeaderEncoder.encode([
            (":path", "/.well-known/apple-app-site-association"), (":authority", "localhost"),
        ])
        return Frame(
            Frame.Kind.headers, flags: Frame.Flag.endStream | Frame.Flag.endHeaders, stream: stream,
            [0x82, 0x87] + path + HeaderEncoder.encode([("user-agent", "bench")]))
    }
}

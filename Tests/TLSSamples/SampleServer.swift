package import OpenSSL

/// The server's side of one connection with buffers of its own, fed by hand.
package final class SampleServer: TLSContextSelector {
    private let context: TLSContext
    private let buffers: UnsafeMutablePointer<TransportBuffers>
    private var session: TLSSession?
    private var input = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
    /// Whether there is a certificate for whatever name is asked for.
    package var knowsNames = true
    /// The challenge that is pending for whatever name is asked for.
    package var challenge: TLSChallenge? {
        didSet { buffers.pointee.hasChallenges = challenge != nil }
    }

    /// - Parameter room: for output, in bytes.
    package init(_ context: TLSContext, room: Int = 4 * TransportBuffers.roomForRecord) throws {
        self.context = context
        buffers = TransportBuffers.allocate(outputCapacity: room)
        buffers.pointee.selector = self
        session = try TLSSession(context: context, buffers: buffers)
    }

    deinit {
        session = nil
        TransportBuffers.deallocate(buffers)
        input.deallocate()
    }

    package func context(
        forServerName serverName: UnsafeBufferPointer<UInt8>?, of connection: UnsafeMutableRawPointer?
    ) -> TLSContext? {
        knowsNames ? context : nil
    }

    package func challenge(
        forServerName serverName: UnsafeBufferPointer<UInt8>, of connection: UnsafeMutableRawPointer?
    ) -> TLSChallenge? { challenge }

    /// Begins a new connection.
    package func reset() throws {
        buffers.pointee.outputCount = 0
        buffers.pointee.inputCount = 0
        session = try TLSSession(context: context, buffers: buffers)
    }

    /// Goes on with the handshake, with these bytes.
    package func handshake(_ bytes: [UInt8]) -> TLSSession.Progress {
        feed(bytes) { session?.handshake() ?? .failed(.malformed) }
    }

    /// Goes on once output was taken away, with the rest of the bytes.
    package func handshakeAgain() -> TLSSession.Progress { session?.handshake() ?? .failed(.malformed) }

    package enum Reading: Equatable, Sendable {
        case bytes, needsInput, needsOutput, closed, failed
    }

    /// Reads all that these bytes say, and what came of the last read; what was written out goes to `output`.
    package func read(_ bytes: [UInt8], output: inout [UInt8]) -> (plain: [UInt8], last: Reading) {
        feed(bytes) {
            var plain: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 8_192)
            while true {
                let reading = buffer.withUnsafeMutableBufferPointer { buffer in
                    buffer.baseAddress.map { session?.read(into: $0, count: buffer.count) ?? .failed } ?? .failed
                }
                switch reading {
                case .bytes(let count): plain += buffer[..<count]
                case .needsInput: return (plain, .needsInput)
                case .needsOutput:
                    output += takeOutput()
                    if buffers.pointee.roomForOutput == 0 { return (plain, .needsOutput) }
                case .closed: return (plain, .closed)
                case .failed: return (plain, .failed)
                }
            }
        }
    }

    /// Reads until there is something to read, or to wait for; nothing is taken from the output.
    package func readOnce(_ bytes: [UInt8]) -> Reading {
        feed(bytes) {
            var byte: UInt8 = 0
            return switch session?.read(into: &byte, count: 1) {
            case .needsInput: .needsInput
            case .needsOutput: .needsOutput
            case .closed: .closed
            case .bytes: .bytes
            case .failed, nil: .failed
            }
        }
    }

    /// Puts the bytes into memory of just their size; what is not used of them stays until the next ones.
    private func feed<Result>(_ bytes: [UInt8], _ body: () -> Result) -> Result {
        input.deallocate()
        input = .allocate(capacity: bytes.count)
        input.initialize(from: bytes, count: bytes.count)
        buffers.pointee.input = UnsafePointer(input)
        buffers.pointee.inputCount = bytes.count
        return body()
    }

    /// The bytes that are to be sent to the client.
    package func takeOutput() -> [UInt8] {
        defer { buffers.pointee.outputCount = 0 }
        return Array(UnsafeBufferPointer(start: buffers.pointee.output, count: buffers.pointee.outputCount))
    }

    package func write(_ bytes: [UInt8]) -> Int {
        bytes.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { session?.write($0, count: buffer.count) ?? 0 } ?? 0
        }
    }

    package func close() { session?.sendCloseNotify() }
    package var hasPending: Bool { session?.hasPending == true }
    package var isResumed: Bool { session?.isResumed == true }
    package var isTLS13: Bool { session?.isTLS13 == true }
}

/// Why this side has ended a connection with an error, or reset a stream, in the words of metrics.
package enum StreamFault: String, CaseIterable, Sendable, BitwiseCopyable {
    /// The peer broke a rule of RFC 9113 that concerns the connection.
    case protocolError = "protocol"
    case flowControl = "flow_control"
    case frameSize = "frame_size"
    /// A frame came for a stream that its sender had ended.
    case streamClosed = "stream_closed"
    /// HPACK (RFC 7541) could not be decoded.
    case compression
    /// Memory has run out, or the library has failed.
    case internalError = "internal"
    /// Too many streams were reset, by the peer or because of it.
    case resets
    /// Too many frames that carry no request.
    case frames
    /// A header block of too many frames or bytes.
    case headerBlock = "header_block"
    /// A request that is malformed (RFC 9113, section 8.1.1); only its stream was reset.
    case malformedRequest = "malformed_request"
    /// A stream more than may be open.
    case refusedStream = "refused_stream"
    /// An answer that the peer's windows did not let through in time.
    case stalled

    /// The index in `allCases`.
    package var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// The fault for which a connection is ended with a code.
    init(connectionCode code: UInt32) {
        switch code {
        case ErrorCode.flowControl: self = .flowControl
        case ErrorCode.streamClosed: self = .streamClosed
        case ErrorCode.frameSize: self = .frameSize
        case ErrorCode.compression: self = .compression
        case ErrorCode.enhanceYourCalm: self = .frames
        case ErrorCode.protocolError: self = .protocolError
        default: self = .internalError
        }
    }

    /// The fault for which a stream is reset with a code.
    init(streamCode code: UInt32) {
        switch code {
        case ErrorCode.protocolError: self = .malformedRequest
        case ErrorCode.refusedStream: self = .refusedStream
        case ErrorCode.cancel: self = .stalled
        default: self.init(connectionCode: code)
        }
    }
}

/// The error codes of RFC 9113, section 7, that this side sends.
enum ErrorCode {
    static let noError: UInt32 = 0x0
    static let protocolError: UInt32 = 0x1
    static let internalError: UInt32 = 0x2
    static let flowControl: UInt32 = 0x3
    static let streamClosed: UInt32 = 0x5
    static let frameSize: UInt32 = 0x6
    static let refusedStream: UInt32 = 0x7
    static let cancel: UInt32 = 0x8
    static let compression: UInt32 = 0x9
    static let enhanceYourCalm: UInt32 = 0xB
}

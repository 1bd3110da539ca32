package import DomainNames
internal import Glibc
internal import SystemSupport

/// A request or a handshake without a complete answer: why, how far it got, and what had come.
package struct Failure: Error, Equatable, Sendable {
    package enum Reason: Equatable, Sendable {
        /// There is no TCP connection.
        case notConnected(ConnectError)
        /// The TLS handshake has failed, or TLS has ended the connection later on.
        case tls(TLSError)
        /// The certificate is not accepted, with OpenSSL's number for why (`X509_V_ERR_…`).
        case certificateRefused(Int)
        /// The certificate is for other names.
        case nameMismatch
        /// The time was over; the phase says what was missing.
        case timedOut
        /// The peer has ended the connection, in order, where an answer or more of it was due.
        case closed
        /// The peer has reset the connection.
        case reset
        /// The body ended before the length that was promised, if there was one; in bytes as they came, not decoded.
        case incompleteBody(expected: Int?, received: Int)
        /// The bytes received are not an answer of HTTP/1.
        case notHTTP
        /// A line of the header that is none.
        case malformedHeader
        case headerTooLarge
        /// More was received than an answer within the limits can take, such as chunk extensions without end.
        case tooMuchReceived
        /// The body came in a coding that was not requested, and cannot be decoded.
        case undecodableBody
        /// The proxy did not open a tunnel, with its status; 0 if it gave none.
        case proxyRefused(status: Int)
        /// The library was about to connect to an address that was not asked for; it was not contacted.
        case otherAddress(IPAddress)
        case cancelled
        /// The request cannot be sent as it is.
        case invalidRequest
        /// This machine lacks something, such as descriptors: an `errno`.
        case outOfResources(Int32)
        /// A failure that libcurl gives this number, and that nothing here expects.
        case other(Int)
    }

    package enum ConnectError: Equatable, Sendable {
        case refused
        /// The system gave up; `Reason.timedOut` is the caller's limit.
        case timedOut
        case hostUnreachable
        /// No route to the network: for IPv6 this usually says something about this machine.
        case networkUnreachable
        /// This machine has no address of the family.
        case noLocalAddress
        case other(Int32)

        init(_ number: Int32) {
            switch number {
            case ECONNREFUSED: self = .refused
            case ETIMEDOUT: self = .timedOut
            case EHOSTUNREACH: self = .hostUnreachable
            case ENETUNREACH: self = .networkUnreachable
            case EADDRNOTAVAIL, EAFNOSUPPORT: self = .noLocalAddress
            default: self = .other(number)
            }
        }

        /// Whether it says that this machine has no way to addresses of the family, and nothing about the peer.
        package var isLackOfRoute: Bool { self == .networkUnreachable || self == .noLocalAddress }
    }

    package enum TLSError: Equatable, Sendable {
        /// The peer has sent this alert (RFC 8446, section 6).
        case alert(UInt8)
        /// The bytes received are not TLS.
        case notTLS
        /// The peer has chosen a version that was not offered.
        case versionNotOffered
        /// This machine's OpenSSL cannot offer these versions; the peer was not asked.
        case unsupportedHere
        /// The peer ended the connection, in order, in the middle of the handshake.
        case closed
        /// The peer reset it.
        case reset
        /// Another failure, with the text of the library.
        case other(String)
    }

    package enum Phase: Sendable {
        /// Not begun yet: too many other requests were under way.
        case queued
        case connecting
        case handshaking
        /// Nothing has come since the request was sent.
        case waiting
        case header
        case body
    }

    package let reason: Reason
    package let phase: Phase
    /// To which the connection went, or was to go; that of a proxy, if there is one.
    package let address: IPAddress
    /// The length of the header, as far as it came.
    package let headerBytes: Int
    /// The length of the body, decoded, as far as it came.
    package let bodyBytes: Int
    /// If it is complete.
    package let head: ResponseHead?
    package let times: TransferTimes

    package init(
        _ reason: Reason, phase: Phase, address: IPAddress, headerBytes: Int = 0, bodyBytes: Int = 0,
        head: ResponseHead? = nil, times: TransferTimes = TransferTimes()
    ) {
        (self.reason, self.phase, self.address, self.head) = (reason, phase, address, head)
        (self.headerBytes, self.bodyBytes, self.times) = (headerBytes, bodyBytes, times)
    }
}

extension Failure {
    /// Whether the host refuses HTTP/1.1, as one does that speaks HTTP/2 only (RFC 7301, section 3.2).
    package var isOfProtocol: Bool { reason == .tls(.alert(120)) }

    /// Whether the connection failed before anything of a request was sent, so that the request cannot be the cause, and
    /// neither can this machine.
    package var isBeforeRequest: Bool {
        switch phase {
        case .queued, .waiting, .header, .body: return false
        case .connecting, .handshaking: break
        }
        switch reason {
        case .notConnected(let error): return !error.isLackOfRoute
        case .tls(.unsupportedHere): return false
        // The host knows the request by then: it is for HTTP/1.1.
        case .tls where isOfProtocol: return false
        case .tls, .certificateRefused, .nameMismatch, .timedOut, .closed, .reset: return true
        default: return false
        }
    }
}

extension Failure: CustomStringConvertible {
    /// A short clause without received bytes.
    package var description: String {
        switch reason {
        case .notConnected(let error): error.description
        case .tls(let error): error.description
        case .certificateRefused: "the certificate is not accepted"
        case .nameMismatch: "the certificate is for other names"
        case .timedOut: "no \(missing) in time"
        case .closed: headerBytes == 0 ? "closed without an answer" : "closed before the end of the header"
        case .reset: "connection reset"
        case .incompleteBody(let expected?, let received): "closed after \(received) of \(expected) bytes of the body"
        case .incompleteBody(nil, let received): "closed after \(received) bytes of the body, before its end"
        case .notHTTP: "the answer is not HTTP/1.1"
        case .malformedHeader: "malformed header"
        case .headerTooLarge: "header too large"
        case .tooMuchReceived: "too many bytes around the answer"
        case .undecodableBody: "the body cannot be decoded"
        case .proxyRefused(0): "the proxy does not open a tunnel"
        case .proxyRefused(let status): "the proxy does not open a tunnel, status \(status)"
        case .otherAddress(let address): "another address, \(address), was about to be connected"
        case .cancelled: "cancelled"
        case .invalidRequest: "a request that cannot be sent"
        case .outOfResources(let number): SystemError(call: "socket", number: number).reason
        case .other(let number): "libcurl error \(number)"
        }
    }

    private var missing: String {
        switch phase {
        case .queued, .connecting: "connection"
        case .handshaking: "TLS handshake"
        case .waiting: "answer"
        case .header: "complete header"
        case .body: "complete body"
        }
    }
}

extension Failure.ConnectError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .refused: "connection refused"
        case .timedOut: "connection timed out"
        case .hostUnreachable: "host unreachable"
        case .networkUnreachable: "network unreachable"
        case .noLocalAddress: "this machine has no address of that family"
        case .other(let number): SystemError(call: "connect", number: number).reason
        }
    }
}

extension Failure.TLSError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .alert(let number): "TLS alert \(Self.name(ofAlert: number))"
        case .notTLS: "the answer is not TLS"
        case .versionNotOffered: "the server chose a version of TLS that was not offered"
        case .unsupportedHere: "this machine cannot offer these versions of TLS"
        case .closed: "closed during the TLS handshake"
        case .reset: "reset during the TLS handshake"
        case .other: "the TLS handshake failed"
        }
    }

    /// The name of RFC 8446, section 6, for those that servers send; the number for others.
    private static func name(ofAlert number: UInt8) -> String {
        let names: [UInt8: String] = [
            0: "close_notify", 10: "unexpected_message", 20: "bad_record_mac", 22: "record_overflow",
            40: "handshake_failure", 42: "bad_certificate", 43: "unsupported_certificate", 44: "certificate_revoked",
            45: "certificate_expired", 46: "certificate_unknown", 47: "illegal_parameter", 48: "unknown_ca",
            49: "access_denied", 50: "decode_error", 51: "decrypt_error", 70: "protocol_version",
            71: "insufficient_security", 80: "internal_error", 86: "inappropriate_fallback", 90: "user_canceled",
            109: "missing_extension", 110: "unsupported_extension", 112: "unrecognized_name",
            116: "certificate_required", 120: "no_application_protocol",
        ]
        return names[number] ?? "\(number)"
    }
}

package import DomainNames
internal import EventLoops
package import HTTP1

/// Where a connection comes from, as far as that is known without a request (docs/spec/deploy.md, A4).
///
/// What a set of trusted addresses says about it is found out once, not for each request.
package struct ClientOrigin: BitwiseCopyable, Sendable {
    /// The socket's peer; `nil` on a Unix socket.
    package let peer: IPAddress?
    /// The client that a PROXY header has announced.
    package private(set) var source: IPAddress?
    /// Whether the peer is a proxy of ours: one that is trusted, or any on a Unix socket.
    package private(set) var isPeerTrusted: Bool
    /// Whether the requests come from such a proxy, so that their forwarded fields are believed.
    package private(set) var isForwarded: Bool

    package init(peer: IPAddress?, trusted: CIDRSet.View) {
        self.peer = peer
        isPeerTrusted = Self.isTrusted(peer, trusted)
        isForwarded = isPeerTrusted
    }

    private static func isTrusted(_ address: IPAddress?, _ trusted: CIDRSet.View) -> Bool {
        guard let address else { return true }
        return trusted.contains(address)
    }

    /// The client, as far as the connection says who that is; `nil` if all that is known is a Unix socket.
    package var address: IPAddress? { source ?? peer }

    /// Takes the source of a PROXY header; `nil` if the proxy speaks for itself, or does not say.
    package mutating func announce(_ source: IPAddress?, trusted: CIDRSet.View) {
        self.source = source
        judge(trusted)
    }

    /// Looks at the addresses again, because other proxies are trusted.
    package mutating func judge(_ trusted: CIDRSet.View) {
        isPeerTrusted = Self.isTrusted(peer, trusted)
        isForwarded = Self.isTrusted(address, trusted)
    }

    /// The key under which a connection without a PROXY header counts; `nil` if it carries many clients, who are not
    /// counted.
    var limitKey: PeerKey? { isPeerTrusted ? nil : peer?.key }

    /// The client of a request.
    package func client(of head: RequestHead, in bytes: Span<UInt8>, _ forwarding: Forwarding) -> IPAddress? {
        guard isForwarded else { return address }
        let fields: UnsafeBufferPointer<Range<Int>>
        switch forwarding.family {
        case .xForwarded: fields = head.values(of: "x-forwarded-for", in: bytes, to: forwarding.fields)
        case .forwarded: fields = head.values(of: "forwarded", in: bytes, to: forwarding.fields)
        case .none: return address
        }
        return ForwardedFields.client(
            from: address, in: bytes, fields, forwarding.family, trusted: forwarding.trusted)
    }

    /// The scheme that the client of a request on a plain listener has used; `nil` if that is unknown, because a proxy
    /// has not said it.
    package func scheme(
        of head: RequestHead, in bytes: Span<UInt8>, _ forwarding: Forwarding
    ) -> ForwardedFields.Scheme? {
        guard isPeerTrusted || isForwarded else { return .http }
        // Behind a proxy that passes bytes through, the fields are the client's own.
        guard isForwarded else { return nil }
        let fields: UnsafeBufferPointer<Range<Int>>
        switch forwarding.family {
        case .xForwarded: fields = head.values(of: "x-forwarded-proto", in: bytes, to: forwarding.fields)
        case .forwarded: fields = head.values(of: "forwarded", in: bytes, to: forwarding.fields)
        case .none: return nil
        }
        return ForwardedFields.scheme(in: bytes, fields, forwarding.family)
    }
}

/// The settings and the memory with which forwarded fields are read.
package struct Forwarding: BitwiseCopyable {
    let family: ForwardedFields.Family
    let trusted: CIDRSet.View
    let fields: UnsafeMutablePointer<Range<Int>>

    /// - Parameter fields: room for `RequestParser.maxFields` ranges.
    package init(
        _ family: ForwardedFields.Family, trusted: CIDRSet.View, fields: UnsafeMutablePointer<Range<Int>>
    ) {
        self.family = family
        self.trusted = trusted
        self.fields = fields
    }
}

extension IPAddress? {
    /// The peer of a socket, for messages.
    var peerText: String { map(\.description) ?? "a Unix socket" }
}

internal import HTTP2

// The events of a connection with many requests at a time. The phases mean the same as in HTTP/1.1: in `head` the preface, a
// frame or a header block is not whole, in `idle` no stream is open, in `sending` answers wait for the peer's windows.
extension ConnectionState {
    /// The time from the first GOAWAY, which announces the end, to the second one, which refuses streams: what was on its
    /// way has come then. One tick of the timers, in milliseconds.
    package static let announcementMilliseconds: Int64 = 250

    /// The request of a stream was answered, as far as the session is concerned.
    ///
    /// - Parameter limit: on the requests of the connection; 0 is none.
    package mutating func streamAnswered(limit: Int, at now: Int64) -> Action {
        requests &+= 1
        switch phase {
        case .sending: break
        default: enter(.sending, at: now)
        }
        guard limit > 0, requests >= limit else { return .read }
        return announceEnd(at: now) ?? .read
    }

    /// Everything that was received is processed, and the session has nothing more to write for now.
    ///
    /// - Parameters:
    ///   - hasPartialInput: whether the preface, a frame or a header block is not whole.
    ///   - hasOpenAnswers: whether answers wait for the peer's windows.
    ///   - hasProgressed: whether the peer has taken something worth the name since this was last called.
    package mutating func streamsWritten(
        hasPartialInput: Bool, hasOpenAnswers: Bool, hasProgressed: Bool, at now: Int64
    ) -> Action {
        guard hasOpenAnswers else { return .send(closeNotify: false, then: .rest(hasPartialInput: hasPartialInput)) }
        switch phase {
        case .sending where !hasProgressed: break
        default: enter(.sending, at: now)
        }
        return .send(closeNotify: false, then: .wait)
    }

    /// No stream is open, and everything is sent.
    mutating func rest(hasPartialInput: Bool, at now: Int64) -> Action {
        switch phase {
        case .sending:
            restedSince = now
            enter(hasPartialInput ? .head : .idle, at: now)
        case .idle where hasPartialInput: enter(.head, at: now)
        // Frames that carry no request do not keep an idle connection open.
        case .head where !hasPartialInput: enter(.idle, at: restedSince)
        case .idle, .head, .proxyHeader, .sniffing, .handshake, .lingering, .closed: break
        }
        return .wait
    }

    /// Announces that the connection will end: `nil` if that was done before.
    mutating func announceEnd(at now: Int64) -> Action? {
        guard !isEndAnnounced else { return nil }
        isEndAnnounced = true
        refusesStreamsAt = now &+ Self.announcementMilliseconds
        return .command(.announceEnd)
    }

    /// The time of the phase, or of an announcement, is over.
    mutating func streamsTimerFired(at now: Int64) -> Action {
        if now >= refusesStreamsAt {
            refusesStreamsAt = .max
            return .command(.refuseStreams)
        }
        switch phase {
        case .head: return .timeOut(.header, .end)
        case .idle: return .timeOut(.idle, .end)
        case .sending:
            // It begins anew: streams of a peer that goes on are not to blame for those that do not.
            enter(.sending, at: now)
            defer { hasCancelled = true }
            return .timeOut(.write, hasCancelled ? .endStalled : .cancelAnswers)
        case .proxyHeader, .sniffing, .handshake, .lingering, .closed: return .wait
        }
    }
}

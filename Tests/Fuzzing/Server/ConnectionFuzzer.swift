import AssociationServer
import DomainNames
import FuzzingSupport
import HTTP1
import OpenSSL

/// Leads connections through their lives with a clock of its own, as a client and a network might.
struct ConnectionFuzzer {
    private static let timeouts = ServerConfiguration.Timeouts()
    private let limits = ConnectionTimeouts(timeouts)
    private(set) var outcomes: [String: Int] = [:]

    /// One connection, with what the one who watches it knows of it.
    private struct Life {
        var state: ConnectionState
        var now: Int64
        /// When the present wait began, and how long it may last.
        var since: Int64
        var most: Int64
        /// Received and not yet answered.
        var unread: [UInt8] = []
        var answers = 0
        var isLast = false
        var discarded = 0
        var story: [String] = []

        mutating func wait(for seconds: Double) {
            since = now
            most = Int64(seconds * 1_000)
        }
    }

    /// Checks one more life; returns what is wrong with it.
    mutating func check(_ random: inout SplitMix64) -> (story: String, violation: String?) {
        let begin = random.chance(90) ? Int64(random.number(0...1_000_000_000)) : 0
        let isProxied = random.chance(30)
        var life = Life(
            state: ConnectionState(.tls, expectsProxyHeader: isProxied, acceptedAt: begin), now: begin, since: begin,
            most: 0)
        life.wait(for: isProxied ? Self.timeouts.proxyHeader : Self.timeouts.handshake)
        for _ in 0..<random.number(1...60) where !life.state.isClosed {
            life.now += Int64(random.pick([0, 1, 20, 250, 999, 5_000, 9_999, 15_001]))
            if let violation = step(&life, &random) {
                return (life.story.joined(separator: "; "), "\(violation): \(life.state)")
            }
        }
        outcomes["\(life.state.phase)", default: 0] += 1
        return ("", nil)
    }

    private func step(_ life: inout Life, _ random: inout SplitMix64) -> String? {
        let action = life.state.timerFired(at: life.now, limits)
        let due = life.since + life.most
        life.story.append("\(life.state.phase) at \(life.now - due)")
        if life.now < due {
            let deadline = life.state.deadline(limits)
            guard action == .wait, deadline == due else { return "\(action) until \(deadline) instead of \(due)" }
            return go(&life, &random)
        }
        let isHeadDue = life.state.phase == .head
        switch action {
        case .refuse(.requestTimeout) where isHeadDue:
            life.unread = []
            return answer(&life, isLast: true, &random)
        case .close(let reason) where !isHeadDue:
            return close(&life, reason)
        default: return "\(action) although it is over"
        }
    }

    private func close(_ life: inout Life, _ reason: CloseReason) -> String? {
        let isParked = life.state.isParked
        let isHandshake = life.state.phase == .sniffing || life.state.phase == .handshake
        let isHeader = life.state.phase == .proxyHeader
        let closing = life.state.close(reason)
        if closing.resets, !isParked { return "a reset for a peer that takes everything" }
        if (closing.refusal == .proxyHeader) != isHeader { return "\(closing) where a PROXY header is \(isHeader)" }
        return (closing.failure != nil) == isHandshake ? nil : "\(closing) is why the handshake failed"
    }

    private func go(_ life: inout Life, _ random: inout SplitMix64) -> String? {
        switch life.state.phase {
        case .proxyHeader:
            guard random.chance(80) else { break }
            return readHeader(&life, &random)
        case .sniffing:
            guard random.chance(80) else { break }
            let action = life.state.received(1, first: 22)
            guard action == .handshake else { return "\(action) for the first byte of TLS" }
        case .handshake:
            guard random.chance(80) else { break }
            let action = life.state.handshakeProgressed(.done, at: life.now)
            guard action == .read else { return "\(action) after the handshake" }
            life.wait(for: Self.timeouts.header)
        case .head, .idle, .sending: return goOn(&life, &random)
        case .lingering:
            let count = random.pick([1, 100, 16_384, 65_536])
            life.discarded += count
            let action = life.state.received(count, first: 0)
            let isEnough = life.discarded > ConnectionState.lingerBytes
            guard action == (isEnough ? .close(.finished) : .wait) else { return "\(life.discarded) discarded" }
            if isEnough { return close(&life, .finished) }
        case .closed: break
        }
        return nil
    }

    private static let header = Array("PROXY UNKNOWN\r\n".utf8)

    private func readHeader(_ life: inout Life, _ random: inout SplitMix64) -> String? {
        let action = life.state.received(1, first: random.byte())
        guard action == .readProxyHeader else { return "\(action) instead of the PROXY header" }
        let count = random.pick([1, 5, 14, Self.header.count])
        let isMalformed = random.chance(10)
        let reading: ProxyHeader.Reading =
            isMalformed ? .malformed : ProxyHeader.read(Self.header.span.extracting(first: count))
        let isWhole = !isMalformed && count == Self.header.count
        let hasHello = isWhole && random.chance(50)
        let next = life.state.proxyHeaderRead(reading, next: hasHello ? 22 : nil, at: life.now)
        if isMalformed { return next == .close(.proxyHeader) ? close(&life, .proxyHeader) : "\(next) for no header" }
        if isWhole { life.wait(for: Self.timeouts.handshake) }
        let expected: ConnectionState.Action = hasHello ? .handshake : isWhole ? .wait : .keepInput
        return next == expected ? nil : "\(next) after \(count) bytes of a header"
    }

    private func goOn(_ life: inout Life, _ random: inout SplitMix64) -> String? {
        guard life.state.phase == .sending else {
            guard random.chance(95) else {
                let action = life.state.endOfStream()
                guard action == .send(closeNotify: true, then: .close) else { return "\(action) at the end" }
                return close(&life, .finished)
            }
            let head = RequestGrammar.head(&random)
            life.unread += head[..<random.number(0...head.count)]
            return judge(&life, &random)
        }
        if random.chance(50) {
            let action = life.state.resumed(isAllSent: false, at: life.now)
            guard action == .wait else { return "\(action) when a part of the answer was taken" }
            life.wait(for: Self.timeouts.write)
        }
        guard random.chance(60) else { return nil }
        let action = life.state.resumed(isAllSent: true, at: life.now)
        return action == Self.afterAnswer(life) ? finish(&life, &random) : "\(action) when the answer was taken"
    }

    private static func afterAnswer(_ life: Life) -> ConnectionState.Action {
        life.isLast ? .send(closeNotify: true, then: .linger) : .read
    }

    private static func reading(_ bytes: [UInt8]) -> ConnectionState.Reading {
        switch RequestParser.parse(bytes.span) {
        case .request(let head): .request(head)
        case .refused(let status): .refused(status)
        case .incomplete: .exhausted(hasPartialHead: !bytes.isEmpty)
        }
    }

    /// Answers what was received, as far as it goes.
    private func judge(_ life: inout Life, _ random: inout SplitMix64) -> String? {
        switch life.state.read(Self.reading(life.unread)) {
        case .respond(let head):
            life.unread.removeFirst(min(Int(head.count), life.unread.count))
            return answer(&life, isLast: head.announcesBody || head.persistence == .no, &random)
        case .refuse:
            life.unread = []
            return answer(&life, isLast: true, &random)
        default:
            // Only the first byte of a request begins a new wait.
            if life.state.isIdle, !life.unread.isEmpty { life.wait(for: Self.timeouts.header) }
            finishRead(&life)
            return life.unread.count > 8_300 ? "\(life.unread.count) bytes wait" : nil
        }
    }

    private func answer(_ life: inout Life, isLast: Bool, _ random: inout SplitMix64) -> String? {
        guard !life.isLast else { return "an answer after the last" }
        life.isLast = isLast
        life.answers += 1
        let action = life.state.answered(isLast: isLast, isWhole: true)
        guard life.state.requests == life.answers, life.state.isLastAnswer == isLast, life.state.phase == .sending,
            action == Self.afterAnswer(life)
        else {
            return "answer \(life.answers) was not taken"
        }
        if random.chance(70) { return finish(&life, &random) }
        life.state.parked(at: life.now)
        life.wait(for: Self.timeouts.write)
        return nil
    }

    /// All is sent.
    private func finish(_ life: inout Life, _ random: inout SplitMix64) -> String? {
        if life.isLast {
            let action = life.state.linger(at: life.now)
            life.wait(for: 2)
            return action == .wait && life.state.phase == .lingering ? nil : "no lingering"
        }
        finishRead(&life)
        life.wait(for: life.unread.isEmpty ? Self.timeouts.idle : Self.timeouts.header)
        let isIdle = life.state.isIdle
        return isIdle == life.unread.isEmpty ? nil : "\(life.unread.count) bytes are left"
    }

    /// Answers what was received, as far as it goes.
    private func finishRead(_ life: inout Life) {
        _ = life.state.sent(.flowing, then: .finish(hasPartialHead: !life.unread.isEmpty), at: life.now)
    }
}

import AssociationServer
import FuzzingSupport
import HTTP1

/// Leads connections through their lives with a clock of its own, as a client and a network might.
struct ConnectionFuzzer {
    private static let timeouts = ServerConfiguration.Timeouts()
    private let limits = ConnectionState.Timeouts(timeouts)
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
        var life = Life(state: ConnectionState(acceptedAt: begin), now: begin, since: begin, most: 0)
        life.wait(for: Self.timeouts.handshake)
        for _ in 0..<random.number(1...60) where life.state.phase != .closed {
            life.now += Int64(random.pick([0, 1, 20, 250, 999, 5_000, 9_999, 15_001]))
            if let violation = step(&life, &random) {
                return (life.story.joined(separator: "; "), "\(violation): \(life.state)")
            }
        }
        outcomes["\(life.state.phase)", default: 0] += 1
        return ("", nil)
    }

    private func step(_ life: inout Life, _ random: inout SplitMix64) -> String? {
        let phase = life.state.phase
        let expiry = life.state.expiry(at: life.now, limits)
        let due = life.since + life.most
        life.story.append("\(phase) at \(life.now - due)")
        if life.now < due {
            guard expiry == .notBefore(due) else { return "\(expiry) instead of \(due)" }
        } else {
            guard expiry == (phase == .head ? .requestTimeout : .close) else { return "\(expiry) although it is over" }
            guard phase == .head else {
                life.state.close()
                return nil
            }
            life.unread = []
            return answer(&life, isLast: true, &random)
        }
        return go(&life, phase, &random)
    }

    private func go(_ life: inout Life, _ phase: ConnectionState.Phase, _ random: inout SplitMix64) -> String? {
        switch phase {
        case .handshake:
            guard random.chance(80) else { break }
            life.state.handshakeEnded(at: life.now)
            life.wait(for: Self.timeouts.header)
        case .head, .idle:
            guard random.chance(95) else {
                life.state.peerEnded()
                life.state.close()
                break
            }
            let head = RequestGrammar.head(&random)
            life.unread += head[..<random.number(0...head.count)]
            return judge(&life, &random)
        case .sending:
            if random.chance(50) {
                life.state.progressed(at: life.now)
                life.wait(for: Self.timeouts.write)
            }
            if random.chance(60) { return settle(&life, &random) }
        case .lingering:
            let count = random.pick([1, 100, 16_384, 65_536])
            life.discarded += count
            guard life.state.discard(count) == (life.discarded <= 65_536) else { return "\(life.discarded) discarded" }
            if life.discarded > 65_536 { life.state.close() }
        case .closed: break
        }
        return nil
    }

    /// Answers what was received, as far as it goes.
    private func judge(_ life: inout Life, _ random: inout SplitMix64) -> String? {
        switch life.state.next(life.unread.span) {
        case .answer(let head):
            life.unread.removeFirst(min(Int(head.count), life.unread.count))
            return answer(&life, isLast: head.announcesBody || head.persistence == .no, &random)
        case .refuse:
            life.unread = []
            return answer(&life, isLast: true, &random)
        case .wait:
            // Only the first byte of a request begins a new wait.
            if life.state.phase == .idle, !life.unread.isEmpty { life.wait(for: Self.timeouts.header) }
            life.state.settled(hasPartialHead: !life.unread.isEmpty, at: life.now)
            return life.unread.count > 8_300 ? "\(life.unread.count) bytes wait" : nil
        }
    }

    private func answer(_ life: inout Life, isLast: Bool, _ random: inout SplitMix64) -> String? {
        guard !life.isLast else { return "an answer after the last" }
        life.isLast = isLast
        life.answers += 1
        life.state.answered(isLast: isLast)
        guard life.state.requests == life.answers, life.state.isLastAnswer == isLast, life.state.phase == .sending
        else {
            return "answer \(life.answers) was not taken"
        }
        life.state.parked(at: life.now)
        life.wait(for: Self.timeouts.write)
        return random.chance(70) ? settle(&life, &random) : nil
    }

    /// All is sent.
    private func settle(_ life: inout Life, _ random: inout SplitMix64) -> String? {
        if life.isLast {
            life.state.linger(from: life.now)
            life.wait(for: 2)
            return life.state.phase == .lingering ? nil : "no lingering"
        }
        life.state.settled(hasPartialHead: !life.unread.isEmpty, at: life.now)
        life.wait(for: life.unread.isEmpty ? Self.timeouts.idle : Self.timeouts.header)
        let isIdle = life.state.phase == .idle
        return isIdle == life.unread.isEmpty ? nil : "\(life.unread.count) bytes are left"
    }
}

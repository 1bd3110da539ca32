/// Decides what is said about a log that loses lines: one message in ten seconds, and one when all is well again.
package struct LogHealth {
    package static let pause: Int64 = 10_000

    private let name: String
    private var nextMessage: Int64 = .min
    private var isInTrouble = false
    /// Lines that were lost when all was well for the last time.
    private var before: UInt64 = 0

    /// - Parameter name: of the log, with which messages begin.
    package init(_ name: String) { self.name = name }

    /// Lines cannot be written at present.
    ///
    /// - Parameters:
    ///   - problem: what is the matter.
    ///   - help: what to do.
    ///   - lost: lines since the start; nothing is said while there are none.
    ///   - now: milliseconds on a clock that never goes back.
    package mutating func trouble(_ problem: String, _ help: String?, lost: UInt64, now: Int64) -> String? {
        guard lost > before, now >= nextMessage else { return nil }
        nextMessage = now + Self.pause
        isInTrouble = true
        let end = help.map { "; \($0)" } ?? ""
        return "\(name) cannot be written: \(problem); \(lines(lost)) lost so far\(end)"
    }

    /// All that there was is written.
    package mutating func wellness(lost: UInt64, now: Int64) -> String? {
        guard isInTrouble || lost > before && now >= nextMessage else { return nil }
        defer {
            isInTrouble = false
            before = lost
        }
        if isInTrouble { return "\(name) is written again; \(lines(lost)) lost" }
        nextMessage = now + Self.pause
        return "\(name) was too slow for a moment; \(lines(lost)) lost"
    }

    /// The log ends, and not all that there was could be written.
    package func end(_ problem: String, lost: UInt64) -> String {
        "\(name) could not be written to its end: \(problem); \(lines(lost)) lost"
    }

    private func lines(_ lost: UInt64) -> String {
        let count = lost - before
        return count == 1 ? "1 line is" : "\(count) lines are"
    }
}

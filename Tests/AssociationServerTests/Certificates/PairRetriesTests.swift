import AssociationServer
import Diagnostics
import Testing

@Suite("Waiting for the other half of a pair")
struct PairRetriesTests {
    private func half(_ folder: String = "certs/a", _ contents: [UInt8] = [1]) -> PairProblem {
        PairProblem(folder: folder, path: folder, message: "does not fit", isHalf: true, contents: contents)
    }

    /// The seconds at which a pair is tried that never fits, and what was decided in the end.
    private func run(_ retries: inout PairRetries, _ problem: PairProblem, from start: Int64 = 0)
        -> (seconds: [Int64], verdicts: [PairRetries.Verdict])
    {
        var verdicts = retries.judge([problem], at: start)
        var seconds: [Int64] = []
        while let due = retries.due, seconds.count < 100 {
            seconds.append((due - start) / 1_000)
            verdicts += retries.judge([problem], at: due)
        }
        return (seconds, verdicts)
    }

    @Test("it is tried again at growing intervals for a minute, and then it is a failure")
    func instants() {
        var retries = PairRetries()
        let (seconds, verdicts) = run(&retries, half(), from: 7)
        #expect(seconds == [1, 2, 4, 8, 16, 32, 60])
        #expect(verdicts == Array(repeating: .wait, count: 7) + [.givenUp])
        // It stays one, and is not waited for again, until its files change.
        #expect(retries.judge([half()], at: 100_000) == [.givenUp])
        #expect(retries.due == nil)
        #expect(run(&retries, half("certs/a", [2]), from: 200_000).seconds == [1, 2, 4, 8, 16, 32, 60])
    }

    @Test("looks in between, and other files, do not begin it anew")
    func inBetween() {
        var retries = PairRetries()
        #expect(retries.judge([half()], at: 0) == [.wait])
        #expect(retries.judge([half("certs/a", [2])], at: 2_500) == [.wait])
        #expect(retries.due == 4_000)
        #expect(retries.judge([half("certs/a", [3])], at: 60_000) == [.givenUp])
    }

    @Test("one that has become good is forgotten")
    func good() {
        var retries = PairRetries()
        #expect(retries.judge([half(), half("certs/b")], at: 0) == [.wait, .wait])
        #expect(retries.judge([half("certs/b")], at: 1_000) == [.wait])
        #expect(retries.judge([], at: 2_000) == [])
        #expect(retries.due == nil)
        #expect(retries == PairRetries())
    }

    @Test("what cannot become good by waiting is a failure at once")
    func whole() {
        var retries = PairRetries()
        let problem = PairProblem(folder: "certs/a", path: "certs/a", message: "is damaged")
        #expect(retries.judge([problem], at: 0) == [.failure])
        #expect(retries.due == nil)
    }

    @Test("one that cannot be judged, because the folder cannot be read, is not tried all the time")
    func unreadable() {
        var retries = PairRetries()
        #expect(retries.judge([half()], at: 0) == [.wait])
        for due in [2_000, 4_000, 8_000, 16_000, 32_000, 60_000, nil] as [Int64?] {
            retries.tried(at: retries.due ?? 0)
            #expect(retries.due == due)
        }
        #expect(retries.judge([half()], at: 61_000) == [.givenUp])
    }

    @Test("the log says what was done, and what stays")
    func words() {
        func message(isKept: Bool, isGivenUp: Bool) -> String {
            half().finding(isKept: isKept, isGivenUp: isGivenUp).message
        }
        let tried = "retried for 60 s; it is tried again when the files change"
        #expect(message(isKept: false, isGivenUp: false) == "does not fit")
        #expect(message(isKept: false, isGivenUp: true) == "does not fit; \(tried)")
        let kept = "the earlier pair stays in use"
        #expect(message(isKept: true, isGivenUp: false) == "does not fit; \(kept)")
        #expect(message(isKept: true, isGivenUp: true) == "does not fit; \(tried); \(kept)")
    }

    @Test("what was said at start is tried again, and goes on being a failure meanwhile")
    func start() {
        var retries = PairRetries()
        retries.begin([half(), PairProblem(folder: "certs/b", path: "certs/b", message: "is damaged")], at: 0)
        #expect(retries.due == 1_000)
        let (seconds, verdicts) = run(&retries, half(), from: 0)
        #expect(seconds == [1, 2, 4, 8, 16, 32, 60])
        #expect(verdicts.allSatisfy { $0 == .failure })
    }
}

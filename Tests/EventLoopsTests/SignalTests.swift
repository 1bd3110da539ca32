import EventLoops
import Glibc
import Testing

@Suite("Signals")
struct SignalTests {
    private typealias Signal = SignalSource.Signal

    @Test("a signal is handed over from the moment on that it is watched")
    func watching() {
        let names = Lines()
        let source = SignalSource([.user1]) { names.add("\($0)") }
        source.waitUntilWatched()
        kill(getpid(), SIGUSR1)
        #expect(names.wait(for: 1))
        kill(getpid(), SIGUSR1)
        #expect(names.wait(for: 2))
        #expect(names.all == ["user1", "user1"])
        withExtendedLifetime(source) {}
    }

    @Test("the numbers are those of the system")
    func numbers() {
        let numbers: [Signal: Int32] = [.hangup: SIGHUP, .interrupt: SIGINT, .user1: SIGUSR1, .terminate: SIGTERM]
        #expect(numbers.count == Signal.allCases.count)
        for (signal, number) in numbers { #expect(signal.rawValue == number) }
    }

    private func received(_ signals: [Signal], later: [Signal]) -> (interrupted: [String], delivered: [String]) {
        let interrupted = Lines()
        let delivered = Lines()
        let deferred = DeferredSignals { interrupted.add("\($0)") }
        for signal in signals { deferred.receive(signal) }
        deferred.deferTermination()
        for signal in later { deferred.receive(signal) }
        deferred.deliver { delivered.add("\($0)") }
        return (interrupted.all, delivered.all)
    }

    @Test("at first a signal to end is not kept, and those that ask for something again are, once each")
    func before() {
        let (interrupted, delivered) = received([.hangup, .terminate, .user1, .hangup, .interrupt], later: [])
        #expect(interrupted == ["terminate", "interrupt"])
        #expect(delivered == ["hangup", "user1"])
    }

    @Test("then all are kept, and each signal to end counts")
    func deferring() {
        let (interrupted, delivered) = received([.hangup], later: [.terminate, .hangup, .user1, .terminate])
        #expect(interrupted.isEmpty)
        #expect(delivered == ["hangup", "terminate", "user1", "terminate"])
    }

    @Test("then they are handed over as they come")
    func after() {
        let delivered = Lines()
        let deferred = DeferredSignals { _ in Issue.record("interrupted") }
        deferred.deliver { delivered.add("\($0)") }
        for signal in [Signal.hangup, .hangup, .terminate] { deferred.receive(signal) }
        #expect(delivered.all == ["hangup", "hangup", "terminate"])
    }
}

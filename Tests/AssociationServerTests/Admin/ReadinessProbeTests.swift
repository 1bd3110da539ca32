import AssociationServer
import EventLoops
import Foundation
import ServiceHealth
import TestSupport
import Testing

@Suite("The probe of readiness", .waiting)
struct ReadinessProbeTests {
    @Test(
        "the answer is that of the server, in each of its states",
        arguments: ServingState.allCases)
    func states(state: ServingState) throws {
        let admin = try RunningAdmin(FakeAdminSource { $0.servingState = state })
        let answer = try ReadinessProbe.ask("127.0.0.1:\(admin.port)")
        #expect(answer.isReady == (state == .ready))
        #expect(answer.body == state.rawValue)
    }

    private static func answer(_ text: String) -> ReadinessProbe.Answer? {
        AdminQuestion.Answer(Array(text.utf8)).flatMap(ReadinessProbe.Answer.init)
    }

    @Test(
        "what is not an answer of the admin listener is not taken for one",
        arguments: [
            "", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 404 Not Found\r\n\r\nx", "HTTP/1.1 301 Moved\r\nLocation: /\r\n\r\n",
            "SSH-2.0-OpenSSH\r\n\r\n", "HTTP/1.1\r\n\r\n", "HTTP/1.1 2000\r\n\r\n", "\r\n\r\n",
        ])
    func others(text: String) { #expect(Self.answer(text) == nil) }

    @Test("only a line feed at its end is taken off the body")
    func bodies() {
        func body(_ text: String) -> String? {
            Self.answer("HTTP/1.1 200 OK\r\nA: b\r\n\r\n\(text)")?.body
        }
        #expect(body("ready\n") == "ready")
        #expect(body("ready") == "ready")
        #expect(body("") == "")
        #expect(body("a\r\nb\n\n") == "a\r\nb\n")
    }

    @Test("a server that does not answer is not waited for")
    func silent() throws {
        let socket = try BoundSocket()
        let error = #expect(throws: ServerError.self) {
            try ReadinessProbe.ask("127.0.0.1:\(socket.port)", patience: 100)
        }
        #expect(error?.code == .addressUnavailable)
        #expect(
            error?.description.hasPrefix("no server answers at 127.0.0.1:\(socket.port): no answer within ") == true)
    }
}

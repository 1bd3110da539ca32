import ArgumentParser
import AssociationServer
import CommandLineSupport
import Diagnostics

// aasa serve --probe
extension Serve {
    /// Asks the admin listener whether the server is ready, and prints its answer.
    func printReadiness() throws {
        let answer: ReadinessProbe.Answer
        do throws(ServerError) {
            answer = try ReadinessProbe.ask(flags.configuration { _ in }.admin)
        } catch {
            throw error.exitStatus.failure(error.messages)
        }
        var output = StandardOutput()
        output.write(VisibleText.escaped(answer.body))
        output.flush()
        if !answer.isReady { throw ExitStatus.failed.code }
    }
}

import Foundation
import SystemSupport
import TestSupport

/// Clients that ask again and again, each time on a new connection.
final class RecipeLoad: @unchecked Sendable {
    private let state = Locked<(answers: Int, wrong: [String], isStopping: Bool)>((0, [], false))
    private let done = DispatchGroup()

    /// Does something while clients ask for the association file.
    ///
    /// - Returns: the answers that were not the file.
    static func run(
        _ proxy: RunningRecipe, clients: Int = 2, name: String = "example.com", body: (RecipeLoad) throws -> Void
    ) throws -> [String] {
        let load = RecipeLoad()
        for number in 0..<clients {
            load.done.enter()
            Thread {
                while !load.state.withLock({ $0.isStopping }) { load.ask(proxy, from: "127.0.0.\(20 + number)", name) }
                load.done.leave()
            }.start()
        }
        defer {
            load.state.withLock { $0.isStopping = true }
            load.done.wait()
        }
        try body(load)
        return load.state.withLock { $0.wrong }
    }

    /// While the proxy is not there, there is no connection, or it ends without an answer: that is its restart.
    private func ask(_ proxy: RunningRecipe, from address: String, _ name: String) {
        guard let client = try? proxy.connect(from: address, name: name) else {
            // The proxy needs the processor to start.
            return Waiting.idle(milliseconds: 2)
        }
        for path in ["/.well-known/apple-app-site-association", "/apple-app-site-association"] {
            guard let answer = try? client.get(path, host: name) else { return }
            let isRight = answer.status == 200 && answer.text == ProxySetup.association
            state.withLock {
                $0.answers += 1
                if !isRight { $0.wrong.append("\(answer.status) \(answer.text.prefix(80))") }
            }
        }
    }

    func wait(forMore count: Int) throws {
        let goal = state.withLock { $0.answers } + count
        guard Waiting.until({ state.withLock { $0.answers >= goal } }) else {
            throw TestFailure("no answers any more: \(state.withLock { $0.wrong })")
        }
    }
}

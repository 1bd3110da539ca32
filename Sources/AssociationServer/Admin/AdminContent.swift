internal import AssociationConsole
internal import EventLoops
internal import HTTP1

/// The subject of a listener for this machine: a server with its health and its console, or files.
///
/// Everything but the console's content is asked for on the loop of the listener.
protocol AdminContent {
    /// The path that a request has to be below, with a secret in it; nil where every client on this machine may ask.
    var secretBase: String? { get }
    var isServer: Bool { get }

    /// Whether the console answers a request, on a thread of its own.
    func isForConsole(_ request: ConsoleRequest) -> Bool

    /// The answer to any other request.
    ///
    /// - Parameters:
    ///   - request: The same as the head; nil if its target is not a path, or not below the secret one.
    ///   - mayBeLarge: Whether there is memory left for an answer that can be large.
    mutating func answer(_ head: RequestHead, _ request: ConsoleRequest?, mayBeLarge: Bool) -> ConsoleAnswer
}

/// A server with its health, its sites and its console.
struct ServerContent: AdminContent {
    private let source: any AdminSource
    private var responder: AdminResponder

    init(_ source: any AdminSource) {
        self.source = source
        responder = AdminResponder(source)
    }

    var secretBase: String? { nil }
    var isServer: Bool { true }

    func isForConsole(_ request: ConsoleRequest) -> Bool {
        // A person with a browser wants to see the sites, and a program the paths.
        guard request.isForConsole || request.path.isEmpty && request.prefersPage else { return false }
        // Its switch is about people, and 'aasa status' is for programs, too.
        let isStatus = ConsoleRoute(path: request.path, isServer: true) == .api(.status)
        return isStatus || source.configuration.console
    }

    mutating func answer(
        _ head: RequestHead, _ request: ConsoleRequest?, mayBeLarge: Bool
    ) -> ConsoleAnswer {
        responder.answer(head, request, now: Clock.wallSeconds(), mayBeLarge: mayBeLarge)
    }
}

/// Files that are shown to whoever has the URL with the secret.
struct FilesContent: AdminContent {
    let secretBase: String?

    var isServer: Bool { false }

    func isForConsole(_ request: ConsoleRequest) -> Bool { true }

    func answer(_ head: RequestHead, _ request: ConsoleRequest?, mayBeLarge: Bool) -> ConsoleAnswer {
        ConsoleAnswer.text(.notFound, "not found")
    }
}

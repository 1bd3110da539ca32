extension StubAuthority {
    /// The reply that a test has the authority give to a request that is right in itself.
    package struct Reply: Sendable {
        enum Action: Sendable {
            /// Does what was asked for, and changes the answer.
            case processed(@Sendable (inout Response) -> Void)
            /// Does nothing but answer.
            case instead(Response)
            case chain(ChainFault)
            /// Does something else to the connection, which is closed after it.
            case raw(StubAnswer)
            case hang
        }

        let action: Action

        /// The reply of an authority without a script.
        package static let normal = Reply(action: .processed { _ in })
        /// Nothing is ever answered; the connection stays.
        package static let hang = Reply(action: .hang)
        /// The connection is closed instead of an answer.
        package static let close = Reply(action: .raw(.close))
        /// The connection is reset instead of an answer.
        package static let reset = Reply(action: .raw(.reset))

        /// An answer with any status and body.
        ///
        /// - Parameter fields: each a line without its end, such as `Retry-After: 5`.
        package static func status(
            _ status: Int, _ fields: [String] = [], _ body: [UInt8] = [], type: String = "application/json"
        ) -> Reply {
            Reply(action: .instead(Response(status: status, [("Content-Type", type)] + parsed(fields), body)))
        }

        package static func status(
            _ status: Int, _ fields: [String] = [], _ body: String, type: String = "application/json"
        ) -> Reply { self.status(status, fields, Array(body.utf8), type: type) }

        package static func problem(_ problem: Problem, _ fields: [String] = []) -> Reply {
            var response = problem.response
            response.fields += parsed(fields)
            return Reply(action: .instead(response))
        }

        package static func problem(
            _ type: String, _ detail: String = "because", status: Int? = nil, _ fields: [String] = []
        ) -> Reply { problem(Problem(type, detail, status: status), fields) }

        package static func redirect(to location: String, _ status: Int = 302) -> Reply {
            self.status(status, ["Location: \(location)"], "<p>moved\n", type: "text/html")
        }

        /// A JSON object with one long text.
        package static func large(_ count: Int = 20_000_000) -> Reply {
            let body = Array("{\"a\":\"".utf8) + [UInt8](repeating: UInt8(ascii: "a"), count: count)
            return status(200, [], body + Array("\"}".utf8))
        }

        /// Arrays in arrays.
        package static func nested(_ depth: Int = 30_000) -> Reply {
            status(
                200, [], "{\"a\":\(String(repeating: "[", count: depth))\(String(repeating: "]", count: depth))}")
        }

        /// A chain that must not be installed.
        package static func chain(_ fault: ChainFault) -> Reply { Reply(action: .chain(fault)) }

        /// It is done, and the answer is another one.
        package static func changed(_ change: @escaping @Sendable (inout Response) -> Void) -> Reply {
            Reply(action: .processed(change))
        }

        private static func parsed(_ fields: [String]) -> [(name: String, value: String)] {
            fields.map { field in
                let name = field.prefix { $0 != ":" }
                return (String(name), String(field.dropFirst(name.count + 1).drop { $0 == " " }))
            }
        }
    }
}

/// The replies to the next requests.
struct StubAuthorityScript: Sendable {
    /// By resource, the first one comes next.
    var queues: [StubAuthority.Resource: [StubAuthority.Reply]] = [:]
    /// The latest one that has something to say counts.
    var rules: [@Sendable (StubAuthority.Request) -> StubAuthority.Reply?] = []

    mutating func reply(to request: StubAuthority.Request) -> StubAuthority.Reply {
        if let first = queues[request.resource]?.first {
            queues[request.resource]?.removeFirst()
            return first
        }
        for rule in rules.reversed() {
            if let reply = rule(request) { return reply }
        }
        return .normal
    }
}

extension StubAuthority {
    /// A problem as the authority reports it (RFC 8555, section 6.7).
    package struct Problem: Error, Sendable {
        /// The last part of `urn:ietf:params:acme:error:…`, or a whole URI.
        package var type: String
        package var detail: String
        package var status: Int
        package var subproblems: [(type: String, detail: String, domain: String)] = []
        /// Whether the client has broken the rules, which tests are told.
        var isViolation = false

        package init(_ type: String, _ detail: String = "because", status: Int? = nil) {
            (self.type, self.detail) = (type, detail)
            self.status = status ?? Self.statuses[type] ?? 400
        }

        static func violation(_ detail: String, type: String = "malformed", status: Int? = nil) -> Problem {
            var problem = Problem(type, detail, status: status)
            problem.isViolation = true
            return problem
        }

        private static let statuses = [
            "accountDoesNotExist": 400, "alreadyReplaced": 409, "caa": 403, "externalAccountRequired": 403,
            "orderNotReady": 403, "rateLimited": 429, "serverInternal": 500, "unauthorized": 403,
            "userActionRequired": 403,
        ]

        private static func uri(_ type: String) -> String {
            type.contains(":") ? type : "urn:ietf:params:acme:error:\(type)"
        }

        var object: [String: Any] {
            var object: [String: Any] = ["type": Self.uri(type), "detail": detail, "status": status]
            if !subproblems.isEmpty {
                object["subproblems"] = subproblems.map {
                    [
                        "type": Self.uri($0.type), "detail": $0.detail,
                        "identifier": ["type": "dns", "value": $0.domain],
                    ] as [String: Any]
                }
            }
            return object
        }

        var response: Response {
            Response(
                status: status, [("Content-Type", "application/problem+json")],
                StubAuthorityJSON.bytes(object))
        }
    }
}

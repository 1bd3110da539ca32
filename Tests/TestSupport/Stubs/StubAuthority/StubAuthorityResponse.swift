extension StubAuthority {
    /// An answer of the authority.
    package struct Response: Sendable {
        package var status: Int
        /// All but `Content-Length`.
        package var fields: [(name: String, value: String)]
        package var body: [UInt8]

        package init(status: Int, _ fields: [(name: String, value: String)] = [], _ body: [UInt8] = []) {
            (self.status, self.fields, self.body) = (status, fields, body)
        }

        static func json(
            _ object: [String: Any], status: Int = 200, _ fields: [(name: String, value: String)] = []
        ) -> Response {
            Response(
                status: status, [("Content-Type", "application/json")] + fields, StubAuthorityJSON.bytes(object))
        }

        package var text: String {
            get { String(decoding: body, as: UTF8.self) }
            set { body = Array(newValue.utf8) }
        }

        /// The first field of a name.
        package subscript(name: String) -> String? {
            get { fields.first { $0.name.lowercased() == name.lowercased() }?.value }
            set {
                fields.removeAll { $0.name.lowercased() == name.lowercased() }
                if let newValue { fields.append((name, newValue)) }
            }
        }

        /// Changes members of the body.
        package mutating func changeObject(_ change: (inout [String: Any]) -> Void) {
            guard var object = StubAuthorityJSON.object(body) else { return }
            change(&object)
            body = StubAuthorityJSON.bytes(object)
        }

        func bytes(isHead: Bool) -> [UInt8] {
            let lines = ["HTTP/1.1 \(status) Stub"] + fields.map { "\($0.name): \($0.value)" }
            // Neither has a body, and 204 has no length either (RFC 9110, section 8.6).
            let length = status == 204 ? [] : ["Content-Length: \(body.count)"]
            let head = (lines + length).map { "\($0)\r\n" }.joined() + "\r\n"
            return Array(head.utf8) + (isHead || status == 204 ? [] : body)
        }
    }
}

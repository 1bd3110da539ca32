internal import Diagnostics
internal import HTTP1

/// Why a question to the admin listener has no answer.
struct AdminRefusal: Error {
    let status: Status
    /// What is the matter, and what to do.
    let message: String
    /// What else the JSON of it says.
    private let members: [String: JSONOutput]

    init(_ status: Status, _ message: String, _ members: [String: JSONOutput] = [:]) {
        self.status = status
        self.message = message
        self.members = members
    }

    var answer: AdminAnswer {
        .json(members.merging(["version": .number(1), "error": .string(message)]) { $1 }, status)
    }
}

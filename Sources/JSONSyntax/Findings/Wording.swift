import Diagnostics

/// What is said about a finding.
struct Wording {
    let message: String
    let notes: [String]
    let fixIts: [FixIt]

    init(_ message: String, notes: [String] = [], fixIts: [FixIt] = []) {
        self.message = message
        self.notes = notes
        self.fixIts = fixIts
    }
}

package import Diagnostics

/// A key of an object that is none of those that are read.
package struct UnknownKey: Sendable {
    package let key: String
    /// The key with its quotes.
    package let range: SourceRange
    /// The known key that was probably meant.
    package let nearest: String?
    /// Writes that key instead; nil where the object has it already.
    package let fix: FixIt?

    /// The clause for a message: `unknown key 'sevrity'; did you mean 'severity'?`.
    ///
    /// - Parameters:
    ///   - container: the object, such as ` in 'limits'`.
    ///   - hint: what follows where no known key is near.
    package func message(in container: String = "", otherwise hint: String = "") -> String {
        "unknown key \(quoted(key))\(container)" + (nearest.map { "; did you mean '\($0)'?" } ?? hint)
    }
}

extension JSONObject {
    /// The keys other than these, in the order of the text.
    package func unknownKeys(besides known: [String]) -> [UnknownKey] {
        members.filter { member in !known.contains(where: member.key.text.hasSameBytes) }.map { member in
            let nearest = Spelling.closest(to: member.key.text, among: known)
            let fix = nearest.flatMap { nearest in
                self[nearest] == nil ? FixIt.writing("\"\(nearest)\"", at: member.keyRange) : nil
            }
            return UnknownKey(key: member.key.text, range: member.keyRange, nearest: nearest, fix: fix)
        }
    }
}

import Diagnostics

/// Writes JSON strings.
enum JSONText {
    static func quoted(_ text: String) -> String { JSONOutput.string(text).text }
}

internal import Diagnostics

/// A topic or a name as messages show it: room for the longest bundle ID that Apple allows, with a kind or a suffix, because
/// such names differ at their end.
func quotedIdentifier(_ value: String) -> String { quoted(value, limit: 200) }

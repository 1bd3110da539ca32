import Diagnostics

/// A line for a shell.
enum RenewalCommand {
    static func line(_ words: [String]) -> String { words.map(word).joined(separator: " ") }

    /// Quoted where a shell would make something else of it.
    private static func word(_ word: String) -> String {
        let isPlain =
            !word.isEmpty
            && word.unicodeScalars.allSatisfy { scalar in
                !scalar.isASCII || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                    || "_-./:@+,%=".unicodeScalars.contains(scalar)
            }
        // What cannot be shown is not copied either.
        let shown = VisibleText.escaped(word)
        return isPlain ? shown : "'\(shown.replacing("'", with: #"'\''"#))'"
    }
}

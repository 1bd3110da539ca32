/// Lines for a shell, to be copied.
package enum ShellText {
    /// A command with its arguments.
    package static func line(_ words: [String]) -> String { words.map(word).joined(separator: " ") }

    /// A word, quoted where a shell would make something else of it.
    package static func word(_ word: String) -> String {
        let isPlain =
            !word.isEmpty
            && word.unicodeScalars.allSatisfy { scalar in
                !scalar.isASCII || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                    || "_-./:@+,%=".unicodeScalars.contains(scalar)
            }
        // Text that cannot be shown is not copied either.
        let shown = VisibleText.escaped(word)
        return isPlain ? shown : "'\(shown.replacing("'", with: #"'\''"#))'"
    }
}

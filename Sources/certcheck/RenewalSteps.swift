import ArgumentParser
import Diagnostics

/// What is to be done next, in order.
struct RenewalSteps {
    /// A step: what to do, and perhaps the line to be copied for it.
    struct Step {
        let text: String
        var command: String?
    }

    let steps: [Step]

    /// - Parameter width: The columns of the terminal; nil if there is none, and nothing is broken into lines.
    func lines(_ style: TextStyle, width: Int?) -> [String] {
        var lines = ["", style.bold("Next:")]
        for (place, step) in steps.enumerated() {
            let number = "\(place + 1). "
            let columns = width.map { max(20, min($0, 100) - number.utf8.count) } ?? .max
            for (row, line) in WrappedText.lines(step.text, columns: columns).enumerated() {
                lines.append((row == 0 ? number : String(repeating: " ", count: number.utf8.count)) + line)
            }
            // Never broken, so that it can be copied.
            if let command = step.command { lines.append("     \(style.bold(command))") }
        }
        return lines
    }

    var json: JSONOutput {
        .array(steps.map { .object(["text": .string($0.text), "command": .optional($0.command)]) })
    }
}

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

/// How the result of a step of the renewal is written.
enum RenewalFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json
}

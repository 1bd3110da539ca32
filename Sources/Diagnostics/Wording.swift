internal import BoundedText

/// A value as messages show it: in single quotes, cut, with control and invisible characters escaped.
///
/// - Parameter limit: How many characters of it are shown.
package func quoted(_ value: some StringProtocol, limit: Int = 60) -> String {
    var result = "'"
    var count = 0
    for scalar in value.unicodeScalars {
        guard count < limit else {
            result += "…"
            break
        }
        count += 1
        switch scalar {
        case "\n": result += "\\n"
        case "\r": result += "\\r"
        case "\t": result += "\\t"
        default:
            if isShown(scalar) {
                result.unicodeScalars.append(scalar)
            } else {
                let digits = String(scalar.value, radix: 16, uppercase: true)
                result += "\\u" + String(repeating: "0", count: max(4 - digits.utf8.count, 0)) + digits
            }
        }
    }
    return result + "'"
}

private func isShown(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return (0x20..<0x7F).contains(scalar.value) }
    return switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
    case .spaceSeparator: false
    default: true
    }
}

/// The beginning of a text, with a mark where more of it follows.
///
/// - Parameter limit: How many characters of it are shown.
package func shortened(_ text: String, to limit: Int, mark: String = "…") -> String {
    text.unicodeScalars.count <= limit
        ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit))) + mark
}

/// A number with what it counts: `1 site`, `2 sites`, `0 entries`.
///
/// - Parameter plural: For words that do more than take an `s`, and for phrases: `counted(2, "rule is", "rules are")`.
package func counted(_ number: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(grouped(number)) \(number == 1 ? noun : plural ?? noun + "s")"
}

/// A number as messages show it: `131,072`.
package func grouped(_ number: some BinaryInteger) -> String {
    let digits = Array(String(number.magnitude).utf8)
    guard digits.count > 3 else { return String(number) }
    var result: [UInt8] = number < 0 ? [UInt8(ascii: "-")] : []
    for (index, digit) in digits.enumerated() {
        if index > 0, (digits.count - index).isMultiple(of: 3) { result.append(UInt8(ascii: ",")) }
        result.append(digit)
    }
    return String(text: result)
}

/// Finds the known word that was probably meant.
package enum Spelling {
    /// The candidate that is at most two edits away, the closest first.
    package static func closest(to word: String, among candidates: [String]) -> String? {
        let word = word.lowercased()
        let length = word.count
        let scored = candidates.compactMap { candidate -> (candidate: String, distance: Int)? in
            let other = candidate.lowercased()
            // Each letter more or less is an edit: a word of any length may be asked for.
            guard abs(other.count - length) <= 2 else { return nil }
            return (candidate, distance(word, other))
        }
        let best = scored.min { $0.distance < $1.distance }
        return best.flatMap { $0.distance <= 2 ? $0.candidate : nil }
    }

    /// The number of letters to insert, delete or replace (Levenshtein).
    package static func distance(_ left: String, _ right: String) -> Int {
        let left = Array(left)
        let right = Array(right)
        var row = Array(0...right.count)
        for (number, letter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = number + 1
            for column in right.indices {
                let replaced = diagonal + (letter == right[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, row[column + 1] + 1)
            }
        }
        return row[right.count]
    }
}

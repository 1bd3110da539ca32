internal import BoundedText
internal import Diagnostics
internal import URLPatterns

/// A value of a condition on the path, the query or the fragment, with what is read in it.
struct PatternValue {
    let attribute: XMLElement.Attribute
    let part: FilterGroup.Part
    let form: TextPattern.Form
    let isInGroup: Bool
    let pattern: TextPattern
    /// The value as Android has it, in UTF-8.
    let text: [UInt8]
    /// The same without what is escaped, what is in a set of an advanced pattern, and what is a placeholder.
    let bytes: [UInt8]
    let placeholders: [Range<Int>]
    /// The offsets of characters behind a backslash.
    private let escaped: Set<Int>

    init(
        _ attribute: XMLElement.Attribute, _ part: FilterGroup.Part, _ form: TextPattern.Form, _ value: String,
        isInGroup: Bool
    ) {
        (self.attribute, self.part, self.form, self.isInGroup) = (attribute, part, form, isInGroup)
        pattern = TextPattern(form, value)
        text = Array(value.utf8)
        var bytes = text
        var escaped = Set<Int>()
        var set: Int?
        var index = 0
        while form == .glob || form == .advanced, index < bytes.count {
            let next = index + 1 < bytes.count ? bytes[index + 1] : 0
            // What looks like a class of a regular expression is one.
            if bytes[index] == UInt8(ascii: "\\"), !"dwsDWS".utf8.contains(next), next != 0 {
                bytes[index] = .blank
                if !"?#".utf8.contains(next) { bytes[index + 1] = .blank }
                escaped.insert(index + 1)
                index += 1
            } else if form == .advanced, set == nil, bytes[index] == UInt8(ascii: "[") {
                set = index
            } else if let start = set, bytes[index] == UInt8(ascii: "]") {
                for offset in start...index { bytes[offset] = .blank }
                set = nil
            }
            index += 1
        }
        self.escaped = escaped
        placeholders = Placeholders.find(
            in: bytes, bytes.indices, segments: part != .query, brackets: form != .advanced)
        for offset in placeholders.joined() { bytes[offset] = .blank }
        self.bytes = bytes
    }

    var isPattern: Bool { form == .glob || form == .advanced }
    var isItem: Bool { part == .query }

    /// The texts that there are to match.
    var texts: PatternSearch.Texts { part == .path ? .paths : part == .query ? .items : .all }

    /// For messages: as it is written.
    var shown: String { Diagnostics.quoted(attribute.value) }

    func quoted(_ range: Range<Int>) -> String { Diagnostics.quoted(String(text: text[range])) }
}

// What to write instead.
extension PatternValue {
    enum Remedy {
        case advice(String)
        /// Another value.
        case write([UInt8])
        /// A value of another attribute.
        case other(TextPattern.Form, [UInt8])
    }

    /// A value as a manifest has it.
    static func written(_ text: [UInt8]) -> String {
        let start = text.first.map { "@?".utf8.contains($0) } == true ? "\\" : ""
        return start + text.replacing(["\\": "\\\\", "\n": "\\n", "\t": "\\t"])
    }

    func finding(
        _ rule: RuleDescription, as severity: Severity? = nil, _ message: String, _ remedy: Remedy,
        notes: [String] = []
    ) -> Diagnostic {
        var advice: String?
        var fixIts: [FixIt] = []
        switch remedy {
        case .advice(let text): advice = text
        case .write(let text):
            let value = Self.written(text)
            // What is written otherwise in a file is left to people.
            let isPlain = !value.utf8.contains { "&<\"'\\".utf8.contains($0) }
            let edits = isPlain ? [TextEdit(range: attribute.range, replacement: value)] : []
            fixIts = [
                FixIt(title: "write \(Diagnostics.quoted(value))", applicability: .displayOnly, edits: edits)
            ]
        case .other(let form, let text):
            let age = form.api > 1 ? ", which Android 12 and later read" : ""
            let name = "android:\(part.rawValue + form.rawValue)"
            advice = "write \(name)=\"\(Diagnostics.quoted(Self.written(text)).dropFirst().dropLast())\" instead\(age)"
        }
        return Diagnostic(
            rule, as: severity, message, range: attribute.range, advice: advice, notes: notes, fixIts: fixIts)
    }

    /// The value with any text in the place of some parts.
    func replacing(_ ranges: [Range<Int>]) -> Remedy {
        if form == .prefix, ranges.count == 1, ranges[0].upperBound == bytes.count, ranges[0].lowerBound > 0 {
            return .write(Array(text[..<ranges[0].lowerBound]))
        }
        let any = Array((form == .advanced ? "[^/]+" : ".*").utf8)
        var result = form == .suffix && ranges.first?.lowerBound != 0 ? any : []
        var offset = 0
        for range in ranges + [bytes.count..<bytes.count] {
            let literal = Array(text[offset..<range.lowerBound])
            result +=
                isPattern ? literal : Array(literal.replacing(["\\": "\\\\", ".": "\\.", "*": "\\*"]).utf8)
            if !range.isEmpty { result += any }
            offset = range.upperBound
        }
        if form == .prefix, ranges.last?.upperBound != bytes.count { result += any }
        return isPattern ? .write(result) : .other(.glob, result)
    }

    /// A text with `*` or `.*` in it as it was probably meant.
    var withoutStars: Remedy {
        var stars: [Range<Int>] = []
        for star in bytes.indices where bytes[star] == UInt8(ascii: "*") {
            let start = star > 0 && bytes[star - 1] == UInt8(ascii: ".") ? star - 1 : star
            // Several in a row are one.
            if stars.last?.upperBound == start {
                stars[stars.count - 1] = stars[stars.count - 1].lowerBound..<star + 1
            } else {
                stars.append(start..<star + 1)
            }
        }
        if stars.count == 1, stars[0].lowerBound == 0, form == .suffix {
            return .write(Array(text[stars[0].upperBound...]))
        }
        if stars.count == 1, stars[0].upperBound == bytes.count, form == .exact {
            return .other(.prefix, Array(text[..<stars[0].lowerBound]))
        }
        return replacing(stars)
    }

    /// The value as an advanced pattern, if it can be one.
    var advanced: [UInt8]? {
        var bare = text[...]
        if bare.first == UInt8(ascii: "^") { bare.removeFirst() }
        if bare.last == UInt8(ascii: "$") { bare.removeLast() }
        var result: [UInt8] = []
        while let byte = bare.popFirst() {
            switch (byte, bare.first) {
            case (UInt8(ascii: "\\"), UInt8(ascii: "d")): result += Array("[0-9]".utf8)
            case (UInt8(ascii: "\\"), UInt8(ascii: "w")): result += Array("[A-Za-z0-9_]".utf8)
            case (UInt8(ascii: "\\"), let next?): result += [byte, next]
            case _ where "()|?$".utf8.contains(byte): return nil
            default:
                result.append(byte)
                continue
            }
            bare.removeFirst()
        }
        return form == .advanced && result == text ? nil : result
    }

    /// The end of the value, if that is text and nothing but a `.*` is before it; the `.` behind it is a full stop, too.
    var suffix: [UInt8]? {
        let starts = [".*", "/.*"].map { Array($0.utf8) }
        guard form == .glob, let start = starts.first(where: text.starts) else { return nil }
        var result: [UInt8] = []
        var rest = text[start.count...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\"), let next = rest.popFirst() {
                result.append(next)
            } else if byte == UInt8(ascii: "*") || byte == UInt8(ascii: ".") && !result.isEmpty {
                return nil
            } else {
                result.append(byte)
            }
        }
        return result.isEmpty ? nil : result
    }
}

// What the value has of other languages.
extension PatternValue {
    /// The first sign of a language that the form does not have.
    var foreignSign: Range<Int>? {
        let known: Set<RegularExpressionSign.Kind> =
            switch form {
            case .glob: [.anyRun]
            case .advanced: [.anyRun, .anySome, .set]
            case .exact, .prefix, .suffix: []
            }
        let sign = RegularExpressionSign.first(in: bytes, bytes.indices, except: known)
        return [sign, otherSign].compactMap { $0 }.min { $0.lowerBound < $1.lowerBound }
    }

    private var otherSign: Range<Int>? {
        for index in bytes.indices {
            let rest = bytes[(index + 1)...].prefix(64)
            switch bytes[index] {
            case UInt8(ascii: "(") where rest.first == UInt8(ascii: "?"): return index..<index + 2
            case UInt8(ascii: "?") where part == .path && !escaped.contains(index): return index..<index + 1
            case UInt8(ascii: "*") where !isPattern:
                let hasDot = index > 0 && bytes[index - 1] == UInt8(ascii: ".")
                return (hasDot ? index - 1 : index)..<index + 1
            case UInt8(ascii: "[") where form == .glob:
                guard let end = rest.firstIndex(of: UInt8(ascii: "]")), end > index + 1 else { continue }
                return index..<end + 1
            case UInt8(ascii: "{") where form == .glob:
                guard let end = rest.firstIndex(of: UInt8(ascii: "}")), rest.first?.isDigit == true,
                    rest[..<end].allSatisfy({ $0.isDigit || $0 == UInt8(ascii: ",") })
                else { continue }
                return index..<end + 1
            default: break
            }
        }
        return nil
    }

    /// The query or the fragment in a path: its name, and where it begins.
    var otherPart: (part: FilterGroup.Part, start: Int)? {
        for index in bytes.indices {
            let next = index + 1 < bytes.count ? bytes[index + 1] : 0
            let last = index > 0 ? bytes[index - 1] : 0
            switch bytes[index] {
            case UInt8(ascii: "#"): return (.fragment, index - (escaped.contains(index) ? 1 : 0))
            case UInt8(ascii: "?"):
                if escaped.contains(index) { return (.query, index - 1) }
                // In a pattern it can be a wildcard of another language.
                let isOpen = next == UInt8(ascii: ".") && last.isWord
                if !isPattern || last != UInt8(ascii: "(") && (next.isWord || isOpen) { return (.query, index) }
            default: break
            }
        }
        return nil
    }

    /// The value with any text for each `*` that repeats a character; nil if there is none.
    var withAnyStars: [UInt8]? {
        let (star, dot) = (UInt8(ascii: "*"), UInt8(ascii: "."))
        let any = [dot, star]
        var result: [UInt8] = []
        var isFound = false
        // Whether a `*` after it repeats what can be several characters, and whether a `.` is a full stop.
        var (isRepeatable, isAfterRun) = (false, false)
        for (index, byte) in bytes.enumerated() {
            let isEscaped = byte == .blank || escaped.contains(index)
            if byte != star || isEscaped {
                result.append(text[index])
                // The last character of a set or of a placeholder.
                isRepeatable = byte == dot && !isAfterRun || byte == .blank && text[index] == UInt8(ascii: "]")
                isAfterRun = false
            } else if isRepeatable || form == .advanced && !isMeantAsAny(result, isLast: index == bytes.count - 1) {
                result.append(star)
                (isRepeatable, isAfterRun) = (false, form == .glob)
            } else {
                isFound = true
                if result.suffix(3).elementsEqual(any + [dot]) { result.removeLast() }
                if !result.suffix(2).elementsEqual(any) { result += any }
                (isRepeatable, isAfterRun) = (false, form == .glob)
            }
        }
        return isFound ? result : nil
    }

    /// Whether a `*` of an advanced pattern is probably any text: behind a mark that separates words, or at the end.
    private func isMeantAsAny(_ before: [UInt8], isLast: Bool) -> Bool {
        guard let last = before.last else { return false }
        return "/-_=".utf8.contains(last) || isLast && last.isLetter
    }
}

extension [UInt8] {
    /// The text with others for some characters of ASCII.
    fileprivate func replacing(_ texts: [Unicode.Scalar: String]) -> String {
        String(text: flatMap { byte in texts[Unicode.Scalar(byte)].map { Array($0.utf8) } ?? [byte] })
    }
}

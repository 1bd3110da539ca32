/// An operator of a reference to a build setting, such as `lower` in `$(TARGET_NAME:lower)`.
enum SettingOperator: String {
    case upper, lower, identifier, rfc1034identifier, c99extidentifier, dir, file, base, suffix

    func apply(to text: String) -> String {
        switch self {
        case .upper: text.uppercased()
        case .lower: text.lowercased()
        case .identifier: Self.identifier(text, "_")
        case .rfc1034identifier: Self.identifier(text, "-")
        case .c99extidentifier: Self.extendedIdentifier(text)
        case .dir: text.lastIndex(of: "/").map { String(text[...$0]) } ?? "./"
        case .file: Self.name(text)
        case .base: Self.extensionStart(text).map { String(Self.name(text)[..<$0]) } ?? Self.name(text)
        case .suffix: Self.extensionStart(text).map { String(Self.name(text)[$0...]) } ?? ""
        }
    }

    /// Letters, digits that are not the first character, and one other character, which replaces all others.
    private static func identifier(_ text: String, _ other: Character) -> String {
        var result = ""
        for character in text {
            let isDigit = ("0"..."9").contains(character)
            let isLetter = character.isASCII && character.isLetter
            result.append(isLetter || character == other || isDigit && !result.isEmpty ? character : other)
        }
        return result
    }

    /// What C99 allows in names, which are letters of any script, digits and `_`.
    private static func extendedIdentifier(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let isDigit = ("0"..."9").contains(scalar)
            let isLetter = scalar.properties.isAlphabetic || scalar == "_"
            result.append(isLetter || isDigit && !result.isEmpty ? scalar : "_")
        }
        return String(result)
    }

    private static func name(_ path: String) -> String {
        String(path.split(separator: "/").last ?? "")
    }

    /// Where the extension of a file name begins, with its dot.
    private static func extensionStart(_ path: String) -> String.Index? {
        let name = name(path)
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
        return dot
    }
}

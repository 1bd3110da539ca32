package import Diagnostics

/// What can be wrong with a file and its syntax.
package enum SyntaxCode: String, CaseIterable, Sendable {
    case emptyFile = "empty-file"
    case fileTooLarge = "file-too-large"
    case fileNearLimit = "file-near-limit"
    case htmlInsteadOfJSON = "html-instead-of-json"
    case notJSON = "not-json"
    case androidAssetLinks = "android-asset-links"
    case utf16Text = "utf-16-text"
    case byteOrderMark = "byte-order-mark"
    case invalidUTF8 = "invalid-utf8"
    case frontMatter = "front-matter"
    case mergeConflict = "merge-conflict"
    case templateMarkup = "template-markup"
    case trailingComma = "trailing-comma"
    case extraComma = "extra-comma"
    case missingComma = "missing-comma"
    case missingColon = "missing-colon"
    case missingValue = "missing-value"
    case missingKey = "missing-key"
    case pairInArray = "pair-in-array"
    case jsonComment = "json-comment"
    case curlyQuote = "curly-quote"
    case singleQuotedString = "single-quoted-string"
    case unquotedKey = "unquoted-key"
    case unquotedValue = "unquoted-value"
    case invalidNumber = "invalid-number"
    case invalidEscape = "invalid-escape"
    case controlCharacter = "control-character"
    case loneSurrogate = "lone-surrogate"
    case unclosedString = "unclosed-string"
    case unclosedBracket = "unclosed-bracket"
    case unexpectedBracket = "unexpected-bracket"
    case extraContent = "extra-content"
    case nonASCIISpace = "non-ascii-space"
    case unexpectedCharacter = "unexpected-character"
    case nestingTooDeep = "nesting-too-deep"
    case duplicateKey = "duplicate-key"

    package var severity: Severity {
        switch self {
        case .fileNearLimit, .byteOrderMark: .warning
        default: .error
        }
    }

    /// Whether the repair leaves no doubt about what the tree is.
    package var hasSafeRepair: Bool {
        switch self {
        case .byteOrderMark, .utf16Text, .frontMatter, .trailingComma, .extraComma, .missingComma, .jsonComment,
            .curlyQuote, .singleQuotedString, .unquotedKey, .nonASCIISpace, .controlCharacter, .duplicateKey:
            true
        default:
            false
        }
    }

    /// Whether the tree is what was meant all the same: the repair is safe, or nothing has to be repaired.
    package var keepsTree: Bool {
        hasSafeRepair || self == .fileTooLarge || self == .fileNearLimit
    }

    /// Whether a reader that repairs nothing may use the file all the same.
    package var isTolerable: Bool {
        severity == .warning || self == .duplicateKey || self == .fileTooLarge
    }

    package var diagnosticCode: DiagnosticCode { DiagnosticCode(rawValue: rawValue) }
}

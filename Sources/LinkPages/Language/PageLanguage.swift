/// A language that pages are written in.
package enum PageLanguage: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    case english, german, french, spanish, italian, portuguese, dutch, japanese, simplifiedChinese
    case traditionalChinese, korean, arabic

    /// The tag of the language (RFC 5646), as `lang` and `Content-Language` have it.
    package var tag: StaticString {
        switch self {
        case .english: "en"
        case .german: "de"
        case .french: "fr"
        case .spanish: "es"
        case .italian: "it"
        case .portuguese: "pt"
        case .dutch: "nl"
        case .japanese: "ja"
        case .simplifiedChinese: "zh-Hans"
        case .traditionalChinese: "zh-Hant"
        case .korean: "ko"
        case .arabic: "ar"
        }
    }

    /// Whether the language is written from right to left.
    package var isRightToLeft: Bool { self == .arabic }

    /// The language with a tag, exactly as ``tag`` has it; nil if pages are not written in it.
    package init?(tag: some Collection<UInt8>) {
        let language = Self.allCases.first { language in
            language.tag.withUTF8Buffer { $0.elementsEqual(tag) }
        }
        guard let language else { return nil }
        self = language
    }
}

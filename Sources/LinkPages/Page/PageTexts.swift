internal import JSONSyntax

/// The words of the pages in one language, from `texts.json`.
package struct PageTexts: Sendable {
    /// The texts that each language has, by their names in the file.
    package enum Key: String, CaseIterable {
        case open, get, appStore, googlePlay, again, website, scan, qrCode
        case notFoundTitle, notFound, inAppTitle, inApp
    }

    private let texts: [Key: String]

    /// The text; empty for one that the language does not have, which a test excludes.
    package subscript(key: Key) -> String { texts[key] ?? "" }

    /// The words in a language.
    package static func texts(in language: PageLanguage) -> PageTexts { all[language] ?? PageTexts(texts: [:]) }

    private static let all: [PageLanguage: PageTexts] = {
        let file = JSONReader.read(PackageResources.texts_json, path: "texts.json").root?.object
        var all: [PageLanguage: PageTexts] = [:]
        for member in file?.members ?? [] {
            guard let language = PageLanguage(tag: member.key.text.utf8) else { continue }
            let texts = (member.value.object?.members ?? []).compactMap { member in
                Key(rawValue: member.key.text).flatMap { key in member.value.string.map { (key, $0.text) } }
            }
            all[language] = PageTexts(texts: Dictionary(texts) { $1 })
        }
        return all
    }()
}

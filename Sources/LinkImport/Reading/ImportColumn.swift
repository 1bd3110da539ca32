internal import Diagnostics

/// A column of an export, under the name that Firebase gives the parameter.
enum ImportColumn: String, CaseIterable {
    case shortLink
    /// The URL for the app.
    case link
    /// The web page.
    case ofl
    case st, sd, si
    case isi, apn, ius
    /// Web pages for single platforms.
    case ifl, afl, ipfl
    case archived
    /// The kind of answer; only in tables of our own form.
    case answer
    case utmSource = "utm_source"
    case utmMedium = "utm_medium"
    case utmCampaign = "utm_campaign"
    case utmTerm = "utm_term"
    case utmContent = "utm_content"

    static let campaign: [ImportColumn] = [.utmSource, .utmMedium, .utmCampaign, .utmTerm, .utmContent]
    static let otherPages: [ImportColumn] = [.ifl, .afl, .ipfl]

    /// The column of a header or a key; nil if nobody reads it.
    ///
    /// - Parameter header: Whatever the language, what is in parentheses at its end is the name of a parameter.
    init?(_ header: String, in format: LinkExport.Format) {
        let names = format == .branch ? Self.branch : format == .table ? Self.table : Self.firebase
        let parts = header.split(separator: "(", omittingEmptySubsequences: false)
        let named = parts.count > 1 ? parts.last.flatMap { names[Self.plain($0)] } : nil
        guard let column = named ?? names[Self.plain(parts[0])] else { return nil }
        self = column
    }

    /// A name in lower case, of letters and digits only.
    private static func plain(_ name: Substring) -> String {
        String(name.lowercased().unicodeScalars.filter { ("a"..."z").contains($0) || ("0"..."9").contains($0) })
    }

    /// The names in an export of Firebase: the parameters, its titles for them, and the keys of its REST interface.
    private static let firebase: [String: ImportColumn] = {
        var names = [
            "deeplink": link, "androidpackagename": apn, "androidfallbacklink": afl, "iosfallbacklink": ifl,
            "ioscustomscheme": ius, "iosipadfallbacklink": ipfl, "iosappstoreid": isi, "desktopfallbacklink": ofl,
            "socialtitle": st, "socialdescription": sd, "socialimagelink": si,
        ]
        for column in allCases where column != .answer { names[plain(column.rawValue[...])] = column }
        return names
    }()

    /// The names in an export of Branch: the keys of its links' data.
    private static let branch: [String: ImportColumn] = {
        var names = [
            "url": shortLink, "link": shortLink, "shortlink": shortLink, "canonicalurl": link, "desktopurl": ofl,
            "fallbackurl": ofl, "ogtitle": st, "ogdescription": sd,
            "ogimageurl": si, "iosurl": ifl, "androidurl": afl, "ipadurl": ipfl,
        ]
        for column in campaign { names[plain(column.rawValue[...])] = column }
        return names
    }()

    private static let table: [String: ImportColumn] = [
        "path": shortLink, "to": ofl, "title": st, "description": sd, "image": si, "appurl": link, "answer": answer,
    ]
}

/// A text of an export, and where it is.
struct ImportedText {
    /// The text without white space around it; never empty.
    let text: String
    let range: SourceRange
}

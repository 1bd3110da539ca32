internal import Diagnostics
internal import JSONSyntax

/// The settings for checks of domains that the console is asked for: options of `aasa doctor`, which no request can set.
package struct DoctorConfiguration: Equatable, Sendable {
    /// The path of a PEM file with roots to trust besides the system's.
    package var rootsFile: String?
    /// Addresses instead of DNS, each `HOST:PORT:ADDRESS`.
    package var resolutions: [String] = []
    /// The URL prefix of Apple's copies, or `none`; `nil` for Apple's network.
    package var cdn: String?
    /// The URL prefix of Google's view, or `none`; `nil` for Google's service.
    package var google: String?
    package var allowsPrivate = false

    package init() {}

    /// The word that leaves a copy out.
    package static let none = "none"

    static let keys: [ConfigurationKey] = [
        ConfigurationKey(
            "doctor.caFile", \.doctor.rootsFile, .optionalFile, example: #""/etc/aasa/ca.pem""#,
            """
            For checks of a domain from the [console](console.md): a PEM file with root certificates to trust in addition to \
            the system's.
            """),
        ConfigurationKey(
            "doctor.resolve", \.doctor.resolutions, .resolutions, example: #"["example.com:443:192.0.2.1"]"#,
            "Addresses to use instead of DNS in these checks, as with `aasa doctor --resolve`."),
        ConfigurationKey(
            "doctor.cdn", \.doctor.cdn, .copies, example: #""https://copies.example/v1/""#,
            "The URL prefix at which these checks request Apple's copies, or `\"none\"`; by default Apple's network."),
        ConfigurationKey(
            "doctor.google", \.doctor.google, .copies, example: #""none""#,
            """
            The URL prefix at which these checks request Google's view of `assetlinks.json`, or `"none"`; by default Google's \
            service.
            """),
        ConfigurationKey(
            "doctor.allowPrivate", \.doctor.allowsPrivate, .boolean, example: "true",
            "Whether these checks may contact private addresses."),
    ]
}

extension ConfigurationType where Value == [String] {
    fileprivate static var resolutions: Self {
        let example = "\"example.com:443:192.0.2.1\""
        return array(expected: "an array of `\"HOST:PORT:ADDRESS\"`", example: example) { text, value, reader in
            let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            let isRight = parts.count == 3 && parts.allSatisfy { !$0.isEmpty } && UInt16(parts[1]) != nil
            return isRight ? text : reader.reject(value, quoted(text, limit: 120), expected: "one like \(example)")
        }
    }
}

extension ConfigurationType where Value == String? {
    fileprivate static var copies: Self {
        ConfigurationType<String>.text(
            expected: "an `https://` URL, `\"\(DoctorConfiguration.none)\"`, or `null`",
            "a URL like \"https://copies.example/v1/\", or \"\(DoctorConfiguration.none)\"", limit: 120
        ) { text in
            text == DoctorConfiguration.none
                || ["https://", "http://"].contains {
                    text.lowercased().hasPrefix($0) && text.utf8.count > $0.utf8.count
                }
        }.orNull(expected: "an `https://` URL, `\"\(DoctorConfiguration.none)\"`, or `null`")
    }
}

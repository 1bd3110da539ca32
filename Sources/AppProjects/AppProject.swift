package import Android
package import Diagnostics
internal import SystemSupport

/// The app's side of universal links: what one `--app` argument says about apps and their domains.
package struct AppProject: Sendable {
    /// The kind of the content that was read.
    package enum Kind: String, Sendable, CaseIterable {
        case entitlements, profile, app, project, expo, manifest
    }

    /// As the user gave it.
    package let path: String
    package let kind: Kind
    /// The apps for Apple's systems; of a project one for each build configuration with entitlements.
    package internal(set) var apps: [AppleApp] = []
    /// The lists that ``apps`` refer to, each once.
    package internal(set) var domains: [AssociatedDomains] = []
    /// Why it is not known which entitlements a project has, each reason once.
    package internal(set) var unresolved: [UnresolvedValue] = []
    /// When the provisioning profile expires, in seconds since 1970.
    package internal(set) var expires: Int64?
    /// Where that is in the text of the only list; nil if the profile is part of another file.
    package internal(set) var expiresRange: SourceRange?
    /// Whether the profile is for development (`get-task-allow`); nil if that is not known.
    package internal(set) var isDevelopment: Bool?
    /// The app ID that the profile of a signed app names, if its signature names another one.
    package internal(set) var profileAppID: ApplicationIdentifier?
    /// The names of the Android packages.
    package internal(set) var packages: [String] = []
    /// The filters of the Android app that take web links.
    package internal(set) var filters: [LinkFilter] = []
    /// The manifest that the filters are in, or that Expo makes of them; nil if there is none.
    var manifest: XMLElement?
    /// Where the filters are; nil if there is no manifest.
    package internal(set) var filterSource: SourceText?

    init(path: String, kind: Kind) {
        self.path = path
        self.kind = kind
    }

    /// The app IDs that are known, each once.
    package var appIDs: [String] { distinct(apps.compactMap { $0.id?.text }) }

    /// All entries as they are written, each once; `*` stands for every domain.
    package var entries: [String] {
        distinct(
            domains.flatMap { list -> [String] in
                switch list.value {
                case .entries(let entries): entries.map(\.text)
                case .every: ["*"]
                case .missing, .unknown: []
                }
            })
    }

    /// Whether it is about an app for Apple's systems.
    package var isForApple: Bool { !domains.isEmpty || !apps.isEmpty }

    /// Whether it is about an Android app that takes web links.
    package var isForAndroid: Bool { kind == .manifest || !filters.isEmpty }
}

/// Values, each once, in the order in which they come first.
func distinct<Value: Hashable>(_ values: [Value]) -> [Value] {
    var seen = Set<Value>()
    return values.filter { seen.insert($0).inserted }
}

/// An app for Apple's systems, as far as a file says what it is.
package struct AppleApp: Hashable, Sendable {
    /// The target and configuration of a project, such as `Shop, Release`; nil for a file with one app.
    package internal(set) var name: String?
    /// Nil if the prefix or the bundle ID is not known.
    package internal(set) var id: ApplicationIdentifier?
    /// Where the ID is in ``AppProject/domains``' source; nil if it is put together or not in a text.
    package internal(set) var idRange: SourceRange?
    /// The index of its list in ``AppProject/domains``.
    package internal(set) var list: Int
    /// Why the ID is not known, if the file says so.
    package internal(set) var unresolved: UnresolvedValue?
}

/// An app ID: the prefix, which mostly is the Team ID, and the bundle ID.
package struct ApplicationIdentifier: Hashable, Sendable, CustomStringConvertible {
    package let prefix: String
    package let bundle: String

    init(prefix: String, bundle: String) {
        self.prefix = prefix
        self.bundle = bundle
    }

    /// Nil if the text is not `PREFIX.BUNDLE`, has a build variable, or is for several apps (`PREFIX.*`).
    package init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty, !text.contains("$"), !text.contains("*") else {
            return nil
        }
        self.init(prefix: parts[0], bundle: parts[1])
    }

    package var text: String { "\(prefix).\(bundle)" }

    package var description: String { text }
}

/// The associated domains of an app, from one file.
package struct AssociatedDomains: Sendable {
    package enum Value: Sendable {
        case entries([DomainEntry])
        /// A profile allows them all.
        case every
        /// There are none, with the reason as a clause.
        case missing(String)
        /// Only a build would tell.
        case unknown
    }

    package let value: Value
    /// The file that they are in, as messages call it.
    package let path: String
    /// The text that positions refer to; nil if the file has none that a person could open.
    package let source: SourceText?
    /// The whole list, or what it is missing from.
    package let range: SourceRange?
    /// Whether there is a value that is not a list.
    var isMalformed = false

    init(_ value: Value, path: String, source: SourceText? = nil, range: SourceRange? = nil) {
        self.value = value
        self.path = path
        self.source = source
        self.range = range
    }

    package var entries: [DomainEntry] { if case .entries(let entries) = value { entries } else { [] } }
}

/// Why an `--app` argument cannot be used.
package struct AppProjectError: Error, Sendable, CustomStringConvertible {
    package enum Code: Equatable, Sendable {
        /// It is damaged, too large, or nothing that is read (exit code 65).
        case unusable
        /// It is missing or cannot be read (exit code 66).
        case unreadable
        /// A library that is needed to read it is not on this machine (exit code 69).
        case missingLibrary
    }

    package let code: Code
    package let path: String
    /// One clause, lower case, without a full stop.
    package let message: String
    /// The remedy; nil if there is nothing to say.
    package let help: String?
    /// The line and column where reading stopped; nil if the file has none.
    package let position: SourcePosition?

    init(
        _ code: Code, _ path: String, _ message: String, help: String? = nil, position: SourcePosition? = nil
    ) {
        self.code = code
        self.path = path
        self.message = message
        self.help = help
        self.position = position
    }

    init(_ error: SystemError, _ path: String) { self.init(.unreadable, path, error.reason) }

    init(_ library: MissingLibrary, _ path: String) {
        self.init(.missingLibrary, path, "cannot be read: \(library)", help: library.help)
    }

    /// `PATH[:LINE:COLUMN]: error: MESSAGE`, without the help.
    package var description: String {
        "\(path)\(position.map { ":\($0.line):\($0.column)" } ?? ""): error: \(message)"
    }

    static func notAnApp(_ path: String, help: String? = nil) -> AppProjectError {
        AppProjectError(
            .unusable, path, "not an entitlements file, profile, app, project, app.json or manifest", help: help)
    }

    static func tooLarge(_ path: String, limit: Int) -> AppProjectError {
        AppProjectError(.unusable, path, "larger than \(limit >> 20) MiB, which is more than is read of such a file")
    }
}

/// A value of an app that its files do not tell, because it refers to something that is set elsewhere.
package struct UnresolvedValue: Hashable, Sendable {
    /// The unknown, as one clause: `PRODUCT_BUNDLE_IDENTIFIER is '$(ORG_PREFIX).app', which is not resolved here`.
    package let clause: String
    /// Why that is so, each as one clause.
    package let notes: [String]
    /// The remedy.
    package let advice: String
}

extension UnresolvedValue {
    private static let option = "give the app ID with --app-id"

    /// A part of an app ID that is nowhere.
    ///
    /// - Parameters:
    ///   - bundle: The bundle ID, if only the Team ID is missing.
    init(missing name: String, bundle: String?, notes: [String] = []) {
        if let bundle {
            self.init(
                clause: "the Team ID of \(quoted(bundle)) is not known: \(name) is not set", notes: notes,
                advice: "set it, or give the app ID with --app-id, e.g. 'ABCDE12345.\(bundle)'")
        } else {
            self.init(
                clause: "the app ID is not known: \(name) is not set", notes: notes, advice: "set it, or \(Self.option)"
            )
        }
    }

    /// The entitlements of a project whose configuration files were not all read.
    init(missingEntitlements unread: [String]) {
        self.init(
            clause: "CODE_SIGN_ENTITLEMENTS is not set in what was read", notes: unread,
            advice: Self.entitlements)
    }

    static let entitlements = "give the entitlements of the app instead"

    /// A build setting whose value is not known.
    init(
        setting name: String, of configuration: BuildConfiguration, value: String, _ failure: SettingExpander.Failure,
        advice: String? = nil
    ) {
        self.init(
            clause: "\(name) is \(quoted(value)), which is not resolved here",
            notes: failure.notes(configuration.unread), advice: advice ?? Self.option)
    }
}

extension SettingExpander.Failure {
    /// Why a value is not known.
    func notes(_ unread: [String]) -> [String] {
        switch self {
        case .unset(let name):
            ["\(quoted(name)) is set neither in the project nor in a configuration file that was read"] + unread
        case .circular(let name): ["\(quoted(name)) refers to itself"] + unread
        case .operator(let name): ["the operator \(quoted(":\(name)")) is not known"]
        case .malformed: ["a reference to a setting does not end"]
        case .tooLarge: ["the settings that it refers to make it too long, or refer to too many others"]
        }
    }
}

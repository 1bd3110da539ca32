internal import Diagnostics

/// A value of an app that its files do not tell, because it refers to something that is set elsewhere.
package struct UnresolvedValue: Hashable, Sendable {
    /// What is not known, as one clause: `PRODUCT_BUNDLE_IDENTIFIER is '$(ORG_PREFIX).app', which is not resolved here`.
    package let clause: String
    /// Why that is so, each as one clause.
    package let notes: [String]
    /// What to do about it.
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

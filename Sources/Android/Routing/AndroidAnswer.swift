internal import Diagnostics

/// The answer about one URL on Android, for all apps together.
package struct AndroidAnswer: Sendable {
    /// The path of the asset links file.
    package let path: String
    /// Whether the file includes another one, which is not read and may name other apps.
    package let hasInclude: Bool
    /// The apps of the file that were asked about, in file order.
    package let apps: [AndroidAppAnswer]

    package var outcome: AndroidOutcome {
        func has(_ outcome: AndroidOutcome) -> Bool { apps.contains { $0.outcome == outcome } }
        if has(.open) { return .open }
        if has(.unknown) || hasInclude { return .unknown }
        return has(.excluded) ? .excluded : .noMatch
    }

    /// The apps that open the URL.
    package var packages: [String] { apps.filter { $0.outcome == .open }.map(\.package) }

    package var isCertain: Bool { apps.allSatisfy(\.isCertain) }

    /// Whether the files and the URL are too large together.
    package var isTooLarge: Bool { apps.contains { $0.reason == .tooLarge } }

    /// Why it is not known whether the URL opens an app; nil if that is known.
    package var reason: String? {
        guard outcome == .unknown else { return nil }
        let app = apps.first { $0.outcome == .unknown }
        return app?.remark ?? "the file includes another one, which is not read"
    }
}

/// The fate of a URL on Android.
package enum AndroidOutcome: String, Sendable {
    case open, excluded, noMatch, unknown

    /// As text says it.
    package var text: String {
        switch self {
        case .open, .excluded, .unknown: rawValue
        case .noMatch: "stays in browser"
        }
    }
}

/// The answer about one URL and one app.
package struct AndroidAppAnswer: Sendable {
    /// The part that has decided.
    package enum Basis: String, Sendable {
        case dynamic, manifest
    }

    /// Why an answer is not known, or is not that of dynamic rules.
    package enum Reason: String, Sendable {
        case noManifest = "no-manifest"
        case rulesDiscarded = "rules-discarded"
        case unresolvedValue = "unresolved-value"
        case api
        case tooLarge = "too-large"
    }

    /// Why another implementation of Android could answer otherwise.
    package enum Doubt: Sendable {
        /// The readings of `*` differ.
        case wildcards
        case twoLists
        /// Rules are looked up by the host, and the manifest names it by a wildcard.
        case hostWildcard
        /// The asset links file of the host was not given, and has to let the app handle links.
        case noStatement
    }

    /// Why nothing decided for the app.
    package enum Refusal: Equatable, Sendable {
        /// The file is not that of the host.
        case otherHost
        case noFilter
        case notVerified(host: String)
    }

    /// A filter of a manifest.
    package struct Filter: Equatable, Sendable {
        package let path: String
        package let line: Int
        /// The name of its activity, as it is written; nil if there is none.
        package let activity: String?
    }

    /// The decision of a filter of a manifest about the URL.
    package struct FilterTrace: Sendable {
        package let filter: Filter
        package let evaluation: FilterEvaluation
        /// The line of the group that blocks the URL.
        package let groupLine: Int?

        /// Why the filter does not open the URL, with the line of the group that blocks it.
        package var reason: String { evaluation.reason + (groupLine.map { " (line \($0))" } ?? "") }
    }

    package let package: String
    package internal(set) var outcome: AndroidOutcome
    package internal(set) var basis: Basis?
    package internal(set) var reason: Reason?
    package internal(set) var doubt: Doubt?
    package internal(set) var refusal: Refusal?
    /// The dynamic rule that decided.
    package internal(set) var component: DynamicComponent?
    /// The first filter of the manifest that takes the URL, or could.
    package internal(set) var filter: Filter?
    /// The value of a filter that only a build tells, as it is written, with what to do about it.
    package internal(set) var unresolved: (raw: String, advice: String)?
    /// The other hosts that Android has to verify as well, on a version that verifies all hosts of an app or none.
    package internal(set) var otherHosts: [String] = []
    /// Why the host is not verified.
    package internal(set) var verificationFailure: String?
    /// The components that were tried, as far as the answer explains itself.
    package internal(set) var trace: [DynamicEvaluation] = []
    /// The decision of each filter, as far as the answer explains itself and the manifest does not open the URL.
    package internal(set) var filters: [FilterTrace] = []
    /// The URLs that open the app and differ in one thing; nil if they were not looked for.
    package internal(set) var nearMisses: [AndroidNearMiss]?

    init(_ package: String, _ outcome: AndroidOutcome, refusal: Refusal? = nil) {
        self.package = package
        self.outcome = outcome
        self.refusal = refusal
    }

    func undecided(_ reason: Reason) -> AndroidAppAnswer {
        var answer = self
        answer.outcome = .unknown
        answer.basis = nil
        answer.component = nil
        answer.doubt = nil
        answer.reason = reason
        return answer
    }

    package var isCertain: Bool { doubt == nil && reason != .unresolvedValue && reason != .tooLarge }

    /// A few words about what the outcome alone does not say; nil if there is nothing to say.
    package var remark: String? {
        guard otherHosts.isEmpty || outcome != .open else {
            let listed = otherHosts.prefix(5).joined(separator: ", ") + (otherHosts.count > 5 ? " and others" : "")
            return "if Android verifies \(listed) as well: before API \(ManifestDecisions.separateHostsAPI) all hosts "
                + "of an app count together"
        }
        return switch (reason, doubt, refusal) {
        case (.noManifest?, _, _): "no dynamic rules, so the manifest decides: give it with --manifest"
        case (.rulesDiscarded?, _, _):
            "its dynamic rules are discarded, so the manifest decides"
                + (basis == nil ? ": give it with --manifest" : "")
        case (.api?, _, _):
            "dynamic rules need API \(AndroidRouter.dynamicRulesAPI), so the manifest decides"
                + (basis == nil ? ": give it with --manifest" : "")
        case (.unresolvedValue?, _, _):
            unresolved.map { "\(quoted($0.raw)) of a filter is known only in a build: \($0.advice)" }
                ?? "a value of a filter is known only in a build: give it with --define"
        case (.tooLarge?, _, _): "too large: to compare this URL takes too many steps"
        case (nil, .wildcards?, _): "depends on how '*' is read"
        case (nil, .twoLists?, _): "depends on which of two lists of rules is used"
        case (nil, .hostWildcard?, _): "depends on how rules are found for a host that the manifest names by a wildcard"
        case (nil, .noStatement?, _):
            "depends on the host's assetlinks.json, which has to let the app handle links: give it with --android"
        case (nil, nil, .otherHost?): "the file is not that of this host"
        case (nil, nil, .noFilter?): "no intent filter takes it"
        case (nil, nil, .notVerified(let host)?): verificationFailure ?? "\(host) is not verified"
        case (nil, nil, nil): basis == .dynamic && component == nil ? "no dynamic rule matches" : nil
        }
    }

    /// The file and line of what decided; nil if nothing in a file did.
    ///
    /// - Parameter path: The path of the asset links file.
    package func location(_ path: String) -> String? {
        if let component { return "\(path):\(component.position.line)" }
        return basis == .manifest || basis == nil ? filter.map { "\($0.path):\($0.line)" } : nil
    }
}

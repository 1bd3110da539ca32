package import Android
package import AppSiteAssociation
internal import BoundedText
package import Diagnostics
internal import JSONSyntax
internal import URLPatterns

/// The URLs that open an app on one platform only.
///
/// It compares meaning: for every ordinary URL whether an app opens it on iOS, and on Android 15 and later. For each pair of
/// rules that decide differently there is a shortest URL, which the reference matchers of both platforms have confirmed; of
/// a filter each condition on the path is a rule of its own.
package struct PlatformComparison: Sendable {
    /// A difference between the platforms.
    package struct Change: Sendable {
        package enum Kind: String, Sendable {
            case onlyIOS = "only on iOS"
            case onlyAndroid = "only on Android"
        }

        package let kind: Kind
        /// A shortest URL for which the pair of rules decides.
        package let witness: String
        package let ios: LinkChange.Answer
        package let android: Android
        /// The number of conditions of the same filter and the same rule that also open links on one platform only, and that
        /// are not listed; 0 but for the last that is.
        package fileprivate(set) var more = 0

        /// The decision on Android.
        package struct Android: Sendable {
            package let outcome: AndroidOutcome
            /// The apps that open a link, in file order.
            package let packages: [String]
            /// Nil if nothing in a file takes the link.
            package let decider: AndroidDecider?
            /// Whether manifests alone decided.
            package let isByManifest: Bool
            /// Whether the asset links file has an app that could open a link.
            package let hasApps: Bool
            /// The condition of the filter that takes the link, as it is written; nil if it has none, or if no filter decides.
            package fileprivate(set) var condition: String?

            package var component: DynamicComponent? { decider?.component }
        }
    }

    /// The differences, in the order of the rules of the association file, those without such a rule at the end.
    package private(set) var changes: [Change] = []
    /// Rules of which it is not known whether they agree, because the search became too large.
    package private(set) var undecided: [(ios: Rule?, android: AndroidDecider?)] = []
    /// The work that the comparison has taken, in the units of its limits.
    package let work: Int

    /// The URLs that are not compared.
    package static let leftOut = """
        compared are URLs as they usually are; left out are those with a port or user information, with an empty segment, \
        '.' or '..' in the path, with a query item without a name or a '=', with two items of one name or a ';' in the \
        query, with an empty fragment, and with escapes that no pattern has
        """

    /// - Parameters:
    ///   - app: The only app of the association file that is looked at; nil for all.
    ///   - android: The apps on Android, in file order.
    ///   - host: The host of the URLs, in lower case and in Punycode.
    package init(
        _ document: AssociationDocument, app: String? = nil, android apps: [ComparedAndroidApp],
        host: String = "example.com", limits: ComparisonLimits = ComparisonLimits()
    ) {
        let budget = ComparisonBudget(limits.work)
        var patterns = PatternTable()
        let apple = AppleSide(document, app: app, &patterns, budget)
        let android = AndroidSide(apps, host: host, &patterns, budget)
        var search = URLSpaceSearch(patterns, apple.side, android.side, .ordinary, limits, budget)
        var found: [Key: Change] = [:]
        var unknown = Set<Pair>()
        let open = search.run { kind in
            let (left, right) = (Self.decision(kind.left), android.decision(kind.right))
            guard (left.map { !$0.excludes } ?? false) != right.opens else { return }
            // To Android the escape is the character itself, about which there is a URL of its own.
            if right.opens, URLSymbol.escapes(in: kind.text).contains(where: \.isOfPlainCharacter) { return }
            let pair = Pair(ios: left?.number, android: right.rule?.number)
            let key = Key(pair: pair, condition: right.rule?.condition ?? 0)
            let witness = "https://\(host)" + String(text: kind.text)
            if let known = found[key], known.witness.utf8.count <= witness.utf8.count { return }
            guard let change = Self.proved(witness, apple, android, right.rule, budget) else {
                // Apple's rules see an escape as several characters, so that the matcher may say something else.
                if !kind.text.contains(UInt8(ascii: "%")) { unknown.insert(pair) }
                return
            }
            found[key] = change
        }
        for rule in open.left { unknown.insert(Pair(ios: rule, android: nil)) }
        for rule in open.right { unknown.insert(Pair(ios: nil, android: rule)) }
        for rule in apple.side.leftOut { unknown.insert(Pair(ios: rule, android: nil)) }
        for rule in android.side.leftOut { unknown.insert(Pair(ios: nil, android: rule)) }
        work = limits.work - budget.rest
        list(found)
        let known = Set(found.keys.map(\.pair))
        undecided = unknown.subtracting(known).sorted().map { pair in
            (pair.ios.map { apple.rules[$0] }, pair.android.map { android.deciders[$0] })
        }
    }

    /// Lists what was found, and of a pair of rules no more than a reader looks at.
    private mutating func list(_ found: [Key: Change]) {
        var (last, listed): (Pair?, Int) = (nil, 0)
        for (key, change) in found.sorted(by: { $0.key < $1.key }) {
            listed = key.pair == last ? listed + 1 : 1
            last = key.pair
            if listed <= Self.listedConditions {
                changes.append(change)
            } else {
                changes[changes.count - 1].more += 1
            }
        }
    }

    /// The number of conditions of one filter that are listed for one rule.
    private static let listedConditions = 20

    /// Whether every link is known to do the same on both platforms.
    package var isWithoutDifference: Bool { changes.isEmpty && undecided.isEmpty }

    /// A pair of deciding rules, as positions on their sides.
    private struct Pair: Hashable, Comparable {
        let ios: Int?
        let android: Int?

        static func < (left: Pair, right: Pair) -> Bool {
            (left.ios ?? .max, left.android ?? .max) < (right.ios ?? .max, right.android ?? .max)
        }
    }

    /// A pair of deciding rules, and the condition of the filter.
    private struct Key: Hashable, Comparable {
        let pair: Pair
        let condition: Int

        static func < (left: Key, right: Key) -> Bool {
            left.pair == right.pair ? left.condition < right.condition : left.pair < right.pair
        }
    }

    /// The rule for the first app that opens; if none does, for the first that is excluded.
    private static func decision(_ rules: [ComparedRule?]) -> ComparedRule? {
        let decided = rules.compactMap { $0 }
        return decided.first { !$0.excludes } ?? decided.first
    }

    /// The difference that a URL shows, as the reference matchers say; nil if it shows none.
    ///
    /// - Parameter rule: The rule that decides on Android, as the search has found it.
    private static func proved(
        _ witness: String, _ apple: AppleSide, _ android: AndroidSide, _ rule: ComparedRule?, _ budget: ComparisonBudget
    ) -> Change? {
        guard let url = WebURL(witness.utf8), let ios = apple.decide(url, budget),
            var other = android.decide(witness, budget),
            (ios.outcome == .open) != (other.outcome == .open)
        else { return nil }
        other.condition = android.condition(rule)
        return Change(
            kind: ios.outcome == .open ? .onlyIOS : .onlyAndroid, witness: witness,
            ios: LinkChange.Answer(outcome: ios.outcome, appIDs: ios.appIDs, rule: ios.rule), android: other)
    }
}

extension PlatformComparison.Change {
    /// The members that are written about a difference as JSON.
    package var members: [String: JSONOutput] {
        [
            "kind": .string(kind.rawValue), "witness": .string(witness),
            "ios": ios.json,
            "android": .object([
                "outcome": .string(android.outcome.rawValue),
                "packages": .array(android.packages.map(JSONOutput.string)),
                "by": .string(android.isByManifest ? "manifest" : "dynamic"),
                "pointer": .optional(android.component?.pointer.description),
                "line": android.decider.map { .number($0.position.line) } ?? .null,
                "condition": .optional(android.condition),
            ]),
            "more": .number(more),
        ]
    }
}

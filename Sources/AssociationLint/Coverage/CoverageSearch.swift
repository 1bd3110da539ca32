internal import AppSiteAssociation
internal import PatternAnalysis
internal import URLPatterns

/// Finds out which rules of a file and which routes meet.
///
/// The routes are written as a file that opens them in an app of its own. A comparison of two such files finds every pair of
/// a rule, or none, and a route, or none, that decide about the same URL: another app opens it.
struct CoverageSearch {
    private let file: AssociationDocument
    private let whole: ReferenceMatcher
    private let matcher: ReferenceMatcher
    private let app: String
    private let host: String
    private let limits: ComparisonLimits
    private let routes: [RoutePattern]
    /// The routes that are for the host, as indices of all.
    private let own: [Int]
    private var meetings: [Meeting] = []
    /// The rest of the work that everything together may take.
    private var rest: Int
    private(set) var undecided: [Rule] = []
    private(set) var isDecided = true
    private(set) var reaches: [RouteReach] = []

    /// A rule and a route that decide about the same URL.
    private struct Meeting {
        let rule: Rule?
        let route: Int?
        var witness: String
        /// Whether no URL without an empty segment is such a one.
        var needsEmptySegment = false

        struct Pair: Hashable {
            let rule: String?
            let route: Int?
        }

        var pair: Pair { Pair(rule: rule?.pointer, route: route) }
    }

    init(
        _ document: AssociationDocument, _ routes: [RoutePattern], app: String, host: String, limits: ComparisonLimits
    ) {
        file = document.only(app: app)
        let parsers = PatternParsers(document.appLinks?.substitutionVariables ?? SubstitutionVariables())
        whole = ReferenceMatcher(document, parsers)
        matcher = ReferenceMatcher(file, parsers)
        rest = limits.work
        self.app = app
        self.host = host
        self.limits = limits
        self.routes = routes
        own = routes.indices.filter { routes[$0].host == nil || routes[$0].host == host }
    }

    mutating func run() {
        // What is found is proved with the rest, and nicer witnesses are looked for.
        let comparison = compare(file, own, work: Int(0.6 * Double(rest)))
        undecided = comparison.undecided.compactMap(\.old).sorted(by: Self.isInOrder)
        isDecided = comparison.undecided.isEmpty
        for change in comparison.changes {
            if let meeting = meeting(change), isProved(meeting) {
                meetings.append(meeting)
            } else {
                isDecided = false
            }
        }
        chooseWitnesses()
        let ofRoute = Dictionary(grouping: meetings, by: \.route)
        // All routes that are met nowhere together may take as much as the rest.
        let unmet = own.count { ofRoute[$0] == nil }
        let share = 1 / Double(max(unmet, 4))
        let all = rest
        reaches = routes.map { RouteReach(route: $0, state: .otherHost) }
        for index in own {
            let found = ofRoute[index].map { state(of: $0) } ?? stateOfUnmet(index, Int(share * Double(all)))
            reaches[index] = RouteReach(route: routes[index], state: found)
        }
    }

    /// Nil if the rule of the second file is none of the routes.
    private func meeting(_ change: LinkChange) -> Meeting? {
        guard let other = change.new.rule else {
            return Meeting(rule: change.old.rule, route: nil, witness: change.witness)
        }
        guard own.indices.contains(other.component) else { return nil }
        return Meeting(rule: change.old.rule, route: own[other.component], witness: change.witness)
    }

    /// Where a shortest URL has an empty segment within its path, takes a shortest one without, if there is one: it is
    /// easier to read.
    private mutating func chooseWitnesses() {
        guard meetings.contains(where: { Self.hasEmptySegment($0.witness) }) else { return }
        var others: [Meeting.Pair: String] = [:]
        // After an inner `//` something else follows; without the `?` the pattern would take its own parent, `*`.
        let without = compare(file, own, work: Int(0.5 * Double(rest)), excluding: "*//?*")
        for change in without.changes where !Self.hasEmptySegment(change.witness) {
            if let meeting = meeting(change), isProved(meeting) { others[meeting.pair] = meeting.witness }
        }
        for index in meetings.indices where Self.hasEmptySegment(meetings[index].witness) {
            if let other = others[meetings[index].pair] {
                meetings[index].witness = other
            } else {
                meetings[index].needsEmptySegment = without.undecided.isEmpty
            }
        }
    }

    /// Compares a file with one that opens what some of the routes match, with a part of the work that is left.
    private mutating func compare(
        _ file: AssociationDocument, _ routes: [Int], work: Int, excluding excluded: String? = nil
    ) -> LinkComparison {
        // An app that no file names: the comparison has to tell the two apart.
        let other = AssociationDocument(
            routes: routes.map { self.routes[$0] }, app: app + " routes", excluding: excluded)
        var limits = limits
        limits.work = work
        let comparison = LinkComparison(old: file, new: other, host: host, limits: limits)
        rest -= comparison.work
        return comparison
    }

    /// Asks the matcher of the whole file and the routes themselves; what takes too much is not proved.
    private mutating func isProved(_ meeting: Meeting) -> Bool {
        var budget = WorkBudget(rest)
        defer { rest = budget.left }
        budget.spend(100 * own.count)
        guard !budget.isSpent, let url = WebURL(meeting.witness.utf8), route(url) == meeting.route,
            let decision = matcher.decide(url, &budget), let all = whole.decide(url, &budget)
        else { return false }
        let opens = all.appIDs.contains { $0.utf8.elementsEqual(app.utf8) }
        return decision.rule?.pointer == meeting.rule?.pointer && opens == (decision.outcome == .open)
    }

    /// The route that gets a URL.
    private func route(_ url: WebURL) -> Int? { own.first { routes[$0].captures(in: url) != nil } }

    /// URLs that no route handles, one for each rule.
    var unhandled: [UnhandledLinks] {
        let open = meetings.compactMap { meeting -> UnhandledLinks? in
            guard meeting.route == nil, let rule = meeting.rule, !rule.excludes else { return nil }
            return UnhandledLinks(
                witness: meeting.witness, rule: rule, haveEmptySegments: meeting.needsEmptySegment)
        }
        return open.sorted { Self.isInOrder($0.rule, $1.rule) }
    }

    /// - Parameter all: The meetings of a route; at least one.
    private func state(of all: [Meeting]) -> RouteReach.State {
        if let (witness, rule) = shortest(all.filter { $0.rule?.excludes == false }) {
            return .reached(witness: witness, rule: rule)
        }
        guard isDecided else { return .undecided }
        if let (witness, rule) = shortest(all) { return .excluded(witness: witness, rule: rule) }
        return all.first.map { .neverSent(witness: $0.witness) } ?? .undecided
    }

    /// The state of a route for which earlier ones leave nothing.
    private mutating func stateOfUnmet(_ index: Int, _ work: Int) -> RouteReach.State {
        guard isDecided, work > 0 else { return .undecided }
        let nothing = AssociationDocument(routes: [], app: app)
        let alone = compare(nothing, [index], work: min(work, rest))
        guard let witness = alone.changes.first?.witness else {
            return alone.undecided.isEmpty ? .matchesNothing : .undecided
        }
        guard let url = WebURL(witness.utf8), let earlier = route(url), earlier < index else { return .undecided }
        return .shadowed(witness: witness, by: earlier)
    }

    /// The shortest witness of some meetings with a rule, of those of one length the one of the first rule; one with an
    /// empty segment if there is no other.
    private func shortest(_ meetings: [Meeting]) -> (witness: String, rule: Rule)? {
        let plain = meetings.filter { $0.rule != nil && !Self.hasEmptySegment($0.witness) }
        let candidates = plain.isEmpty ? meetings : plain
        let found = candidates.compactMap { meeting in meeting.rule.map { (witness: meeting.witness, rule: $0) } }
        return found.min { left, right in
            if left.witness.utf8.count != right.witness.utf8.count {
                return left.witness.utf8.count < right.witness.utf8.count
            }
            return Self.isInOrder(left.rule, right.rule)
        }
    }

    private static func hasEmptySegment(_ witness: String) -> Bool { WebURL(witness.utf8)?.hasEmptySegment ?? false }

    private static func isInOrder(_ left: Rule, _ right: Rule) -> Bool {
        (left.detail, left.component) < (right.detail, right.component)
    }
}

extension WebURL {
    /// Whether a segment within the path is empty, which is hardly ever meant.
    var hasEmptySegment: Bool {
        let slash = UInt8(ascii: "/")
        return zip(path, path.dropFirst()).contains { $0 == slash && $1 == slash }
    }
}

internal import Diagnostics
internal import JSONSyntax

/// The fault of a rule that an earlier one leaves nothing to decide, in an association file as in dynamic rules.
enum RuleOrderFault {
    case deadExclude
    case blockedInclude
    /// Both do the same.
    case unreachable(excludes: Bool)

    init(excludes: Bool, after earlierExcludes: Bool) {
        self =
            excludes == earlierExcludes ? .unreachable(excludes: excludes) : excludes ? .deadExclude : .blockedInclude
    }

    var rule: RuleDescription {
        switch self {
        case .deadExclude: DeadExcludeRule.description
        case .blockedInclude: BlockedIncludeRule.description
        case .unreachable: UnreachableRuleRule.description
        }
    }

    /// - Parameters:
    ///   - name: The rule: its conditions, or those as the subject of a sentence if it is unreachable.
    ///   - earlier: The earlier rule and its line.
    ///   - apps: The apps that this is so for, if not for all.
    func message(_ name: String, after earlier: String, forApps apps: String = "") -> String {
        switch self {
        case .deadExclude: "\(name) is never excluded\(apps): \(earlier) matches first"
        case .blockedInclude: "\(name) never matches\(apps): \(earlier) excludes these URLs first"
        case .unreachable: "\(name) has no effect: \(earlier) \(effect)"
        }
    }

    /// The effect of the earlier rule.
    var effect: String {
        switch self {
        case .deadExclude: "opens these URLs first"
        case .blockedInclude: "excludes these URLs first"
        case .unreachable(let excludes): excludes ? "already excludes these URLs" : "already opens these URLs"
        }
    }

    /// The words for what a link does, before the app; nil if that is the same without the rule.
    var example: String? {
        switch self {
        case .deadExclude: "still opens"
        case .blockedInclude: "does not open"
        case .unreachable: nil
        }
    }
}

/// An element of a list of rules, as fixes of their order change it.
struct ListedRule {
    /// The index in the list.
    let index: Int
    let line: Int
    /// The conditions.
    let name: String
    /// The name in what was done.
    let written: String

    /// Deletes the rule, with its comma.
    func deletion(in list: [JSONNode], _ source: SourceText) -> FixIt {
        FixIt(
            "delete this rule", .suggested, JSONEdits.delete(element: index, in: list, source: source),
            done: "deleted \(written)")
    }

    /// Moves the rule before an earlier one.
    func move(before earlier: ListedRule, in list: [JSONNode], _ source: SourceText) -> FixIt? {
        let edits = JSONEdits.move(element: index, before: earlier.index, in: list, source: source)
        guard !edits.isEmpty else { return nil }
        let target = earlier.line == line ? "before \(earlier.name)" : "above line \(earlier.line)"
        return FixIt("move this rule \(target)", .suggested, edits, done: "moved \(written) \(target)")
    }
}

internal import AppSiteAssociation
internal import Diagnostics

/// The rules that do not say what they were meant to say: what would be wrong about their order is not known yet.
struct FaultyRules {
    /// Where the errors begin and end, in the order of the text.
    private let errors: [SourceRange]

    init(_ findings: Findings) {
        let listed = findings.all.lazy.filter { $0.severity == .error }.map(\.range)
        errors = (listed + findings.unlistedErrors).sorted { $0.start < $1.start }
    }

    /// Whether there is an error inside a rule.
    func contain(_ rule: Rule) -> Bool {
        var low = 0
        var high = errors.count
        while low < high {
            let middle = (low + high) / 2
            if errors[middle].start < rule.range.start { low = middle + 1 } else { high = middle }
        }
        return low < errors.count && errors[low].end <= rule.range.end
    }
}

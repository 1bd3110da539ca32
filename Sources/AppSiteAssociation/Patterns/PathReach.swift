/// The places in a path that a path pattern can reach, with what is special about slashes.
///
/// A variable stands for one of its values, so the slashes at the ends of a pattern, and its tail `/*`, may come from a
/// variable. Therefore nothing is cut off a pattern. Instead there are, beside the usual places, three more.
struct PathReach {
    /// The path lost its slashes, so this never needs one at the beginning.
    private var reach: Reach
    /// At the beginning, behind nothing but slashes of the pattern, which do not count there.
    private var isBehindLeadingSlashes = true
    /// At the end, behind nothing but slashes of the pattern, which do not count there either.
    private var isBehindTrailingSlashes = false
    /// At the end, behind slashes, one star and again slashes: the tail that may be left out.
    private var isBehindOptionalTail = false

    init(_ reach: Reach, canOmitTail: Bool) {
        self.reach = reach.nowhere
        start = reach
        self.canOmitTail = canOmitTail
    }

    private let start: Reach
    private let canOmitTail: Bool

    /// Whether no place is left, so that nothing can match any more.
    var isLost: Bool { reach.isLost && !isBehindLeadingSlashes && !isBehindTrailingSlashes && !isBehindOptionalTail }

    var isAccepted: Bool { isAtEnd || isBehindTrailingSlashes || isBehindOptionalTail }

    private var isAtEnd: Bool { reach.isAtEnd || isBehindLeadingSlashes && start.isAtEnd }

    mutating func advance(_ element: PatternElement) {
        switch element {
        case .byte(UInt8(ascii: "/")):
            isBehindTrailingSlashes = isBehindTrailingSlashes || isAtEnd
            reach.advance(element)
        case .oneOf(let alternatives):
            var union = nowhere
            for alternative in alternatives where canBegin(alternative) {
                var next = self
                for element in alternative { next.advance(element) }
                union.formUnion(next)
            }
            self = union
        default:
            isBehindOptionalTail = canOmitTail && isBehindTrailingSlashes && element == .anyRun
            isBehindTrailingSlashes = false
            if isBehindLeadingSlashes { reach.formUnion(start) }
            isBehindLeadingSlashes = false
            reach.advance(element)
        }
    }

    /// Whether a value of a variable can lead anywhere.
    private func canBegin(_ value: [PatternElement]) -> Bool {
        value.first == .byte(UInt8(ascii: "/")) || reach.canBegin(value)
            || isBehindLeadingSlashes && start.canBegin(value)
    }

    private var nowhere: PathReach {
        var result = self
        result.reach = reach.nowhere
        result.isBehindLeadingSlashes = false
        result.isBehindTrailingSlashes = false
        result.isBehindOptionalTail = false
        return result
    }

    private mutating func formUnion(_ other: PathReach) {
        reach.formUnion(other.reach)
        isBehindLeadingSlashes = isBehindLeadingSlashes || other.isBehindLeadingSlashes
        isBehindTrailingSlashes = isBehindTrailingSlashes || other.isBehindTrailingSlashes
        isBehindOptionalTail = isBehindOptionalTail || other.isBehindOptionalTail
    }
}

/// What is left of the work that a comparison may take.
final class ComparisonBudget {
    private(set) var rest: Int

    init(_ work: Int) { rest = work }

    var isSpent: Bool { rest <= 0 }

    /// Takes some of it; what is too much only ends it.
    func spend(_ work: Int) { rest = work < rest ? rest - work : 0 }
}

/// A way to read texts, symbol by symbol.
protocol TextReader {
    var start: JointState { get }
    var symbols: [URLSymbol] { get }
    /// What matches a text that ends here, ascending; nil if none can, or none is wanted.
    func matched(_ state: JointState) -> [Int32]?
    /// The states behind one symbol more, each with its symbol, as far as they are wanted.
    mutating func successors(_ state: JointState) -> [(symbol: Int, state: JointState)]
}

/// Automata of several patterns that read the same text side by side.
struct ProductAutomaton {
    let alphabet: URLAlphabet
    let automata: [LazyDFA]
    private let budget: ComparisonBudget

    /// - Parameter spares: The number of further symbols that no pattern tells from another one.
    init(_ patterns: [PartPattern], _ part: URLPart, _ space: URLSpace, spares: Int = 0, _ budget: ComparisonBudget) {
        let alphabet = URLAlphabet(patterns, part, space, spares: spares, budget)
        var isPath = false
        if case .path = part { isPath = true }
        self.alphabet = alphabet
        self.budget = budget
        automata = patterns.map { LazyDFA($0, alphabet, isPath: isPath, budget) }
    }

    var symbols: [URLSymbol] { alphabet.symbols }

    subscript(number: Int32) -> LazyDFA { automata[Int(number)] }

    /// Whether a pattern matches the empty text.
    func takesNothing(_ number: Int) -> Bool { automata[number].isAccepting(automata[number].start) }

    /// The states in which all patterns begin.
    var start: ActiveStates { start(of: automata.indices) }

    func start(of numbers: some Sequence<Int>) -> ActiveStates {
        ActiveStates(numbers.map { (Int32($0), automata[$0].start) })
    }

    func step(_ states: ActiveStates, _ symbol: Int) -> ActiveStates {
        states.moved { automata[Int($0)].step($1, symbol) }
    }

    /// The patterns that match the text so far, ascending.
    func accepted(_ states: ActiveStates) -> [Int32] {
        var result: [Int32] = []
        for (number, state) in states where automata[Int(number)].isAccepting(state) { result.append(number) }
        return result
    }

    /// The symbols that have to be tried after a text: in Apple's space only those that lead to different states.
    func choices(_ states: ActiveStates...) -> [Int] {
        alphabet.space == .apple ? alphabet.choices(states, automata, budget) : Array(symbols.indices)
    }
}

/// The states of several patterns after a text: those of them that may still match.
struct ActiveStates: Hashable, Sequence {
    /// The numbers of patterns, ascending, each followed by its state.
    private var numbers: [Int32] = []

    init(_ states: [(number: Int32, state: Int32)] = []) {
        for (number, state) in states { append(number, state) }
    }

    private mutating func append(_ number: Int32, _ state: Int32) {
        guard state != LazyDFA.dead else { return }
        numbers.append(number)
        numbers.append(state)
    }

    var count: Int { numbers.count / 2 }

    /// Each pattern with its state.
    func makeIterator() -> Iterator { Iterator(numbers: numbers) }

    struct Iterator: IteratorProtocol {
        let numbers: [Int32]
        private var index = 0

        init(numbers: [Int32]) { self.numbers = numbers }

        mutating func next() -> (number: Int32, state: Int32)? {
            guard index < numbers.count else { return nil }
            index += 2
            return (numbers[index - 2], numbers[index - 1])
        }
    }

    /// The states after a step of each pattern, without those that cannot match any more.
    func moved(_ step: (_ number: Int32, _ state: Int32) -> Int32) -> ActiveStates {
        var next = ActiveStates()
        next.numbers.reserveCapacity(numbers.count)
        for (number, state) in self { next.append(number, step(number, state)) }
        return next
    }

    func keeping(_ isIncluded: (Int32) -> Bool) -> ActiveStates {
        moved { isIncluded($0) ? $1 : LazyDFA.dead }
    }
}

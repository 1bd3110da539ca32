/// Remarks that ask for the same to be done; or, where nothing is to be done, of the same code.
struct AdviceBlock {
    struct Statement {
        let weight: Remark.Weight
        let code: String
        let text: String
        /// What it is about, the most urgent first.
        var places: [String]
    }

    /// What to do; may be empty.
    let advice: String
    /// Each once, the most urgent first.
    private(set) var statements: [Statement] = []
    private var numbers: [Key: Int] = [:]

    private struct Key: Hashable {
        let weight: Remark.Weight
        let code: String
        let text: [UInt8]
    }

    private init(advice: String) {
        self.advice = advice
    }

    /// The blocks of a report, each where the most urgent of its remarks is.
    static func all(_ remarks: [Remark]) -> [AdviceBlock] {
        var blocks: [AdviceBlock] = []
        var numbers: [[UInt8]: Int] = [:]
        for remark in remarks {
            // Notes stay below what is more important, whatever they advise.
            let isNote = remark.weight == .note
            let key = Array((remark.advice.isEmpty || isNote ? remark.code + ";" + remark.advice : remark.advice).utf8)
            let number = numbers[key] ?? blocks.count
            if number == blocks.count {
                numbers[key] = number
                blocks.append(AdviceBlock(advice: remark.advice))
            }
            blocks[number].add(remark)
        }
        return blocks
    }

    private mutating func add(_ remark: Remark) {
        let key = Key(weight: remark.weight, code: remark.code, text: Array(remark.statement.utf8))
        if let number = numbers[key] {
            statements[number].places.append(remark.place)
        } else {
            numbers[key] = statements.count
            statements.append(
                Statement(weight: remark.weight, code: remark.code, text: remark.statement, places: [remark.place]))
        }
    }
}

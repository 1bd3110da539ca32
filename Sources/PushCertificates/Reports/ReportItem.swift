internal import Diagnostics

/// A finding or an error with its place, as a list of what to do has it.
struct Remark {
    enum Weight: Int {
        case critical, error, warning, note

        var word: String {
            switch self {
            case .critical: "critical"
            case .error: "error"
            case .warning: "warning"
            case .note: "note"
            }
        }
    }

    let weight: Weight
    let code: String
    /// What is the matter: the first clause of the message.
    let statement: String
    /// What to do: the other clauses; may be empty.
    let advice: String
    /// A path, with a certificate if it is about one.
    let place: String

    /// - Parameter message: What is the matter, then, after a semicolon, what to do.
    private init(_ weight: Weight, _ code: String, _ message: String, place: String) {
        self.weight = weight
        self.code = code
        self.place = place
        (statement, advice) = Self.clauses(VisibleText.escaped(message))
    }

    private init(_ finding: Finding, place: String) {
        let weight: Weight =
            switch finding.severity {
            case .critical: .critical
            case .warning: .warning
            case .note: .note
            }
        self.init(weight, finding.code.rawValue, finding.message, place: place)
    }

    /// All of a report, the most urgent first.
    ///
    /// - Parameter entries: Those of the report, in the order of their urgency.
    static func all(in report: CheckReport, _ entries: [ReportEntry]) -> [Remark] {
        var orders: [[Int?: Int]] = Array(repeating: [:], count: report.files.count)
        for (order, entry) in entries.enumerated() {
            orders[entry.fileNumber][entry.index] = order
            // What is about a file as a whole stands with the most urgent of its certificates.
            if orders[entry.fileNumber][nil] == nil { orders[entry.fileNumber][nil] = order }
        }
        var ranked: [(rank: (Int, Int), remark: Remark)] = []
        for (file, orders) in zip(report.files, orders) {
            let path = VisibleText.escaped(file.path)
            let error = file.error.map {
                Remark(.error, $0.code.description, "\(file.path): \($0.message)", place: path)
            }
            if let error { ranked.append(((error.weight.rawValue, orders[nil] ?? 0), error)) }
            for finding in file.findings {
                let order = orders[finding.certificate] ?? orders[nil] ?? 0
                let entry = finding.certificate == nil || !entries.indices.contains(order) ? nil : entries[order]
                if let check = entry?.check, check.isSuperseded, finding.isPast { continue }
                let remark = Remark(finding, place: entry.map(Self.place) ?? path)
                ranked.append(((remark.weight.rawValue, order), remark))
            }
        }
        return ranked.sorted { $0.rank < $1.rank }.map(\.remark)
    }

    private static func place(_ entry: ReportEntry) -> String {
        entry.check.map { "\(entry.label) (\($0.title))" } ?? entry.label
    }

    /// The first clause of a message, and the others; a semicolon in quotes is part of a value.
    private static func clauses(_ message: String) -> (first: String, others: String) {
        var isQuoted = false
        var previous = UInt8(ascii: " ")
        let bytes = message.utf8
        for index in bytes.indices {
            let byte = bytes[index]
            // An apostrophe within a word opens nothing.
            if byte == UInt8(ascii: "'") {
                isQuoted = !isQuoted && (previous == UInt8(ascii: " ") || previous == UInt8(ascii: "("))
            } else if previous == UInt8(ascii: ";"), byte == UInt8(ascii: " "), !isQuoted {
                let first = message[..<bytes.index(before: index)]
                return (String(first), String(message[bytes.index(after: index)...]))
            }
            previous = byte
        }
        return (message, "")
    }
}

extension Finding {
    /// Whether it says when something ends that has a successor already.
    fileprivate var isPast: Bool { severity == .note && (code == .expired || code == .expiresSoon) }
}

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

/// How many inputs each target had, and how long they took.
struct ServerFuzzTally {
    private struct Row {
        var count = 0
        var nanoseconds = 0
        var slowest = (nanoseconds: 0, number: 0)
    }

    private var rows: [ServerFuzzTarget: Row] = [:]

    mutating func add(_ target: ServerFuzzTarget, _ number: Int, _ nanoseconds: Int) {
        rows[target, default: Row()].count += 1
        rows[target, default: Row()].nanoseconds += nanoseconds
        if nanoseconds > rows[target, default: Row()].slowest.nanoseconds {
            rows[target, default: Row()].slowest = (nanoseconds, number)
        }
    }

    var lines: [String] {
        ServerFuzzTarget.allCases.compactMap { target in
            guard let row = rows[target] else { return nil }
            let speed = row.count * 1_000_000_000 / max(1, row.nanoseconds)
            let slowest = "input \(row.slowest.number) took \(row.slowest.nanoseconds / 1_000) µs"
            return "\(target.rawValue): \(row.count) inputs, \(speed) a second; \(slowest)"
        }
    }
}

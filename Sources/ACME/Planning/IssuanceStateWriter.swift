internal import Diagnostics
internal import SystemSupport

/// Writes `state.json` again and again: the text about a domain is made anew only if it has changed.
package struct IssuanceStateWriter: Sendable {
    private struct Entry {
        let domain: Domain
        var record: DomainRecord
        var text: [UInt8]

        init(_ domain: Domain, _ record: DomainRecord) {
            (self.domain, self.record) = (domain, record)
            text = Array(IssuanceState.element(domain, record).text.utf8)
        }
    }

    /// In the order of the file.
    private var entries: [Entry] = []
    private var orders: [Int64] = []
    /// Without the brackets.
    private var ordersText: [UInt8] = []
    /// Of the last text, from which the next one differs little.
    private var size = 0

    package init() {}

    /// The content of the file, the same as ``IssuanceState/json``.
    package mutating func bytes(_ state: IssuanceState) -> [UInt8] {
        if !update(state.domains) { rebuild(state.domains) }
        update(orders: state.orders)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size + 4_096)
        bytes += #"{"authority":"#.utf8
        bytes += (state.authority?.json ?? .null).text.utf8
        bytes += #","domains":["#.utf8
        for (number, entry) in entries.enumerated() {
            if number > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += entry.text
        }
        bytes += #"],"orders":["#.utf8
        bytes += ordersText
        bytes += #"],"version":1}"#.utf8
        bytes.append(UInt8(ascii: "\n"))
        size = bytes.count
        return bytes
    }

    /// - Returns: false if there are other domains than the last time.
    private mutating func update(_ domains: [Domain: DomainRecord]) -> Bool {
        guard entries.count == domains.count else { return false }
        for index in entries.indices {
            guard let record = domains[entries[index].domain] else { return false }
            if entries[index].record != record { entries[index] = Entry(entries[index].domain, record) }
        }
        return true
    }

    private mutating func rebuild(_ domains: [Domain: DomainRecord]) {
        let known = Dictionary(uniqueKeysWithValues: entries.map { ($0.domain, $0) })
        entries = domains.sorted { $0.key < $1.key }.map { domain, record in
            if let entry = known[domain], entry.record == record { entry } else { Entry(domain, record) }
        }
    }

    /// Most often some were added.
    private mutating func update(orders new: [Int64]) {
        if !new.starts(with: orders) {
            orders = []
            ordersText = []
        }
        for time in new[orders.count...] {
            if !ordersText.isEmpty { ordersText.append(UInt8(ascii: ",")) }
            ordersText += JSONOutput.string(InternetDate.string(time)).text.utf8
        }
        orders = new
    }
}

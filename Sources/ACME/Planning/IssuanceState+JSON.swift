internal import Diagnostics
internal import DomainNames
internal import SystemSupport

// `state.json`.

extension IssuanceState {
    /// A longer file is not read: it has room for all domains that a server can have.
    package static let maximumBytes = 64 << 20

    /// - Throws: `storage`, with what is wrong.
    package init(json bytes: [UInt8]) throws(IssuanceError) {
        do throws(IssuanceError) {
            let object = try ReceivedObject(bytes, subject: "state.json", limit: Self.maximumBytes)
            guard try object.integer("version") == 1 else {
                throw IssuanceError(.storage, "'version' of state.json is not 1")
            }
            orders = Array((try object.optionalTimes("orders") ?? []).sorted().suffix(Self.orderLimit))
            authority = try object.optionalObject("authority").map { object throws(IssuanceError) in
                try AuthorityFailure(object)
            }
            for element in try object.optionalObjects("domains", subject: "a domain of state.json") ?? [] {
                guard let domain = Domain(try element.string("domain")) else { continue }
                domains[domain] = try DomainRecord(element)
            }
        } catch {
            throw IssuanceError(.storage, error.message)
        }
    }

    /// The content of `state.json`. What writes it often has an ``IssuanceStateWriter``.
    package var json: String {
        let elements = domains.sorted { $0.key < $1.key }.map(Self.element)
        let object: [String: JSONOutput] = [
            "version": .number(1), "orders": .array(orders.map { .string(InternetDate.string($0)) }),
            "authority": authority?.json ?? .null, "domains": .array(elements),
        ]
        return JSONOutput.object(object).text + "\n"
    }

    /// The JSON object of a domain.
    static func element(_ domain: Domain, _ record: DomainRecord) -> JSONOutput {
        var members = record.members
        members["domain"] = .string(domain.folderName)
        return .object(members)
    }
}

extension AuthorityFailure {
    fileprivate init(_ object: ReceivedObject) throws(IssuanceError) {
        guard let error = try object.optionalError("lastError"), let pause = try object.optionalPause() else {
            throw IssuanceError(.storage, "\(object.subject) is not complete")
        }
        failures = try object.failures()
        self.error = error
        self.pause = pause
    }

    var json: JSONOutput {
        .object(["failures": .number(failures), "lastError": error.json].merging(pause.members) { own, _ in own })
    }
}

extension DomainRecord {
    fileprivate init(_ object: ReceivedObject) throws(IssuanceError) {
        state = try object.optionalString("state").flatMap(DomainState.init)
        failures = try object.failures()
        pause = try object.optionalPause()
        lastAttempt = try object.optionalTime("lastAttempt")
        lastError = try object.optionalError("lastError")
        order = try object.optionalURL("order")
        issuances = Array((try object.optionalTimes("issuances") ?? []).sorted().suffix(Self.issuanceLimit))
        if order != nil { isIssuing = try object.optionalTime("ongoingIssuance") != nil }
        failedChallenge = try object.optionalString("failedChallenge").flatMap(ChallengeType.init)
        renewal = try object.optionalObject("renewal").map { object throws(IssuanceError) in
            try RenewalSchedule(object)
        }
        txtRecord = try object.optionalString("txtRecord")
    }

    fileprivate var members: [String: JSONOutput] {
        var members: [String: JSONOutput] = pause?.members ?? [:]
        members["state"] = state.map { .string($0.rawValue) }
        members["failures"] = .number(failures)
        members["lastAttempt"] = lastAttempt.map { .string(InternetDate.string($0)) }
        members["lastError"] = lastError?.json
        members["order"] = order.map { .string($0.description) }
        if !issuances.isEmpty { members["issuances"] = .array(issuances.map { .string(InternetDate.string($0)) }) }
        if order != nil, isIssuing, let last = issuances.last {
            members["ongoingIssuance"] = .string(InternetDate.string(last))
        }
        members["failedChallenge"] = failedChallenge.map { .string($0.rawValue) }
        members["renewal"] = renewal?.json
        members["txtRecord"] = txtRecord.map(JSONOutput.string)
        return members
    }
}

extension RenewalSchedule {
    fileprivate init(_ object: ReceivedObject) throws(IssuanceError) {
        let start = try object.optionalTime("windowStart")
        let end = try object.optionalTime("windowEnd")
        var window: Range<Int64>?
        if let start, let end, start < end { window = start..<end }
        self.init(
            fingerprint: try object.string("certificate"), time: try object.time("time"), window: window,
            nextQuestion: try object.time("nextQuestion"),
            hasRefusedWindow: try object.optionalBoolean("hasRefusedWindow") ?? false)
    }

    fileprivate var json: JSONOutput {
        var members: [String: JSONOutput] = [
            "certificate": .string(fingerprint), "time": .string(InternetDate.string(time)),
            "nextQuestion": .string(InternetDate.string(nextQuestion)),
        ]
        members["windowStart"] = window.map { .string(InternetDate.string($0.lowerBound)) }
        if hasRefusedWindow { members["hasRefusedWindow"] = .boolean(true) }
        members["windowEnd"] = window.map { .string(InternetDate.string($0.upperBound)) }
        return .object(members)
    }
}

extension Pause {
    fileprivate var members: [String: JSONOutput] {
        ["notBefore": .string(InternetDate.string(end)), "pause": .number(Int(length))]
    }
}

extension ReceivedObject {
    fileprivate func failures() throws(IssuanceError) -> Int {
        Int(min(max(try optionalInteger("failures") ?? 0, 0), Int64(IssuanceState.failureLimit)))
    }

    fileprivate func optionalPause() throws(IssuanceError) -> Pause? {
        guard let end = try optionalTime("notBefore") else { return nil }
        // No pause is longer than the longest that a CA can ask for.
        let length = min(max(try optionalInteger("pause") ?? 0, 0), RetryAfter.longest)
        return Pause(end: end, length: length)
    }

    fileprivate func optionalError(_ name: String) throws(IssuanceError) -> RecordedError? {
        guard let object = try optionalObject(name) else { return nil }
        return RecordedError(
            at: try object.time("at"), type: IssuanceErrorType(rawValue: try object.string("type")) ?? .other,
            message: try object.string("message"))
    }
}

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

    /// The texts of the domains, in the order of the file.
    private var entries: [Entry] = []
    private var orders: [Int64] = []
    /// The elements of `orders` as text, without the brackets around them.
    private var ordersText: [UInt8] = []
    /// The size of the last text, from which the next one differs little.
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

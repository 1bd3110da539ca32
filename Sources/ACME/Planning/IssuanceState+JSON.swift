internal import Diagnostics
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
                try Setback(object)
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

    /// What there is to say about a domain.
    static func element(_ domain: Domain, _ record: DomainRecord) -> JSONOutput {
        var members = record.members
        members["domain"] = .string(domain.folderName)
        return .object(members)
    }
}

extension Setback {
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
            nextQuestion: try object.time("nextQuestion"))
    }

    fileprivate var json: JSONOutput {
        var members: [String: JSONOutput] = [
            "certificate": .string(fingerprint), "time": .string(InternetDate.string(time)),
            "nextQuestion": .string(InternetDate.string(nextQuestion)),
        ]
        members["windowStart"] = window.map { .string(InternetDate.string($0.lowerBound)) }
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

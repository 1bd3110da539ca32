/// How often something was read again with one result.
package struct ReloadReport: Equatable, Sendable {
    package enum Subject: String, CaseIterable, Sendable {
        case sites, certificates, configuration
    }

    package enum Result: String, CaseIterable, Sendable {
        case changed, unchanged, failed
    }

    package let subject: Subject
    package let result: Result
    package let count: UInt64

    package init(_ subject: Subject, _ result: Result, _ count: UInt64) {
        self.subject = subject
        self.result = result
        self.count = count
    }
}

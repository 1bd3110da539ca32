/// A format for findings.
package protocol ReportRenderer: Sendable {
    /// The report as text without a line end behind the last line; empty if the format has nothing to say.
    func render(_ report: Report) -> String
}

import ArgumentParser
import CommandLineSupport
import Diagnostics
import PushCertificates

/// How the result of a check is written.
enum CheckFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json, prometheus, nagios

    /// - Parameters:
    ///   - isToFile: Whether it goes to a file of its own, which is no terminal.
    ///   - isStrict: Whether findings that are warnings fail the command.
    func render(_ report: CheckReport, _ output: OutputOptions, isToFile: Bool, isStrict: Bool) -> String {
        switch self {
        case .text:
            TextReport(
                style: isToFile ? output.fileStyle : output.style, width: isToFile ? nil : output.width
            ).render(report)
        case .json: JSONReport(isStrict: isStrict).render(report)
        case .prometheus: PrometheusReport().render(report)
        case .nagios: NagiosReport(isStrict: isStrict).render(report)
        }
    }
}

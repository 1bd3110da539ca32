import Android
import CommandLineSupport
import Diagnostics

/// The text about a URL on Android: one line per app, and the components that were tried.
struct AndroidTextReport {
    let style: TextStyle
    let symbols: Symbols

    /// - Parameter explains: Whether the components that were tried are shown.
    func lines(_ answer: AndroidAnswer, explains: Bool) -> [String] {
        var lines = answer.apps.flatMap { app in
            [line(app, in: answer.path)] + (explains ? trace(app, in: answer.path) : [])
        }
        if answer.apps.isEmpty, !answer.hasInclude {
            lines.append(line(.noMatch, "\(VisibleText.escaped(answer.path)) lets no app handle links"))
        }
        if answer.hasInclude {
            lines.append(
                line(
                    answer.outcome == .open ? .open : .unknown,
                    "\(VisibleText.escaped(answer.path)) includes another file, which is not read"))
        }
        return lines
    }

    /// All apps on one line, for answers of one line each.
    func brief(_ answer: AndroidAnswer) -> String {
        let packages = VisibleText.escaped(answer.packages.joined(separator: ","))
        let locations = answer.apps.filter { $0.outcome == answer.outcome }.compactMap { $0.location(answer.path) }
        return (["android: \(answer.outcome.text)", packages] + locations.prefix(1).map { VisibleText.escaped($0) })
            .filter { !$0.isEmpty }.joined(separator: "  ")
    }

    /// The outcome in its color, as wide as the longest.
    func word(_ outcome: AndroidOutcome) -> String {
        let padded = TerminalWidth.padded(outcome.text, to: 16)
        return outcome == .open ? style.green(padded) : style.yellow(padded)
    }

    private func line(_ outcome: AndroidOutcome, _ text: String) -> String {
        "android   \(word(outcome))  \(text)"
    }

    private func line(_ app: AndroidAppAnswer, in path: String) -> String {
        let package = VisibleText.escaped(app.package)
        let location = app.location(path).map { "  \(style.cyan(VisibleText.escaped($0)))" } ?? ""
        let remark = app.remark.map { "  (\(VisibleText.escaped($0)))" } ?? ""
        return line(app.outcome, (app.outcome == .open ? style.green(package) : package) + location + remark)
    }

    private func trace(_ app: AndroidAppAnswer, in path: String) -> [String] {
        var lines = app.filters.map { filterLine($0.filter, $0.evaluation.decision == .yes, $0.reason) }
        if lines.isEmpty, let filter = app.filter {
            let name = "intent filter\(Self.activity(filter)) takes it"
            lines = ["  \(style.cyan("\(VisibleText.escaped(filter.path)):\(filter.line)"))  \(name)"]
        }
        lines += app.trace.map { evaluation in
            let component = evaluation.component
            let location = style.cyan("\(VisibleText.escaped(path)):\(component.position.line)")
            let verb = component.excludes ? "exclude" : "open   "
            let patterns = VisibleText.escaped(component.patterns)
            let reason = VisibleText.escaped(evaluation.reason)
            return "  \(mark(evaluation.isMatch)) \(location)  \(verb)  \(patterns)  \(reason)"
        }
        let hint = style.bold(style.cyan("hint:"))
        return lines + (app.nearMisses ?? []).map { "  \(hint) \(VisibleText.escaped($0.message))" }
    }

    private func mark(_ isMatch: Bool) -> String {
        let padded = TerminalWidth.padded(isMatch ? symbols.check : symbols.cross, to: symbols.width)
        return isMatch ? style.green(padded) : style.red(padded)
    }

    private func filterLine(_ filter: AndroidAppAnswer.Filter, _ isMatch: Bool, _ reason: String) -> String {
        let location = style.cyan("\(VisibleText.escaped(filter.path)):\(filter.line)")
        return "  \(mark(isMatch)) \(location)  intent filter\(Self.activity(filter))  \(VisibleText.escaped(reason))"
    }

    private static func activity(_ filter: AndroidAppAnswer.Filter) -> String {
        filter.activity.map { " of \(VisibleText.escaped($0))" } ?? ""
    }
}

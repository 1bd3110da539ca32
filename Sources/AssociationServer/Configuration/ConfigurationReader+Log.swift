internal import Diagnostics
internal import JSONSyntax

extension ConfigurationReader {
    private static let standardOutput = "stdout"
    private static let noLog = "none"

    mutating func logSink(_ value: ConfigurationValue?) -> ServerConfiguration.LogSink? {
        guard let value, let text = string(value) else { return nil }
        switch text {
        case Self.standardOutput: return .standardOutput
        case Self.noLog: return ServerConfiguration.LogSink.none
        default: break
        }
        guard !text.isEmpty, !text.utf8.contains(0), !text.hasSuffix("/") else {
            let expected = "expected \"stdout\", \"none\" or the path of a file"
            invalid(value, "'log.access' is \(quoted(text)); \(expected)")
            return nil
        }
        // A word that is nearly one of the two would otherwise become a file that nobody looks for.
        if let meant = meantSink(text) {
            let file = "./\(VisibleText.escaped(text))"
            invalid(
                value, "'log.access' is \(quoted(text)); did you mean \"\(meant)\"? A file of that name is \"\(file)\"",
                replace(value.node.range, with: "\"\(meant)\"", "write \"\(meant)\""))
            return nil
        }
        return .file(place(text))
    }

    private func meantSink(_ text: String) -> String? {
        guard text.utf8.count <= 16, !text.contains("/"), !text.contains(".") else { return nil }
        return switch text.lowercased() {
        case "-", "standardoutput", "stderr": Self.standardOutput
        case "off", "false", "null", "no": Self.noLog
        default: Spelling.closest(to: text, among: [Self.standardOutput, Self.noLog])
        }
    }

    /// One of a few words.
    mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(_ value: ConfigurationValue?) -> Choice? {
        guard let value, let text = string(value) else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        let known = Choice.allCases.map(\.rawValue)
        let expected = known.dropLast().map { "\"\($0)\"" }.joined(separator: ", ")
        let close = text.utf8.count > 64 ? nil : Spelling.closest(to: text, among: known)
        invalid(
            value, "'\(value.name)' is \(quoted(text)); expected \(expected) or \"\(known.last ?? "")\"",
            close.map { replace(value.node.range, with: "\"\($0)\"", "write \"\($0)\"") })
        return nil
    }
}

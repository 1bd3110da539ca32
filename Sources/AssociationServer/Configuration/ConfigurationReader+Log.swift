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

    mutating func logFormat(_ value: ConfigurationValue?) -> ServerConfiguration.LogFormat? {
        guard let value, let text = string(value) else { return nil }
        if let format = ServerConfiguration.LogFormat(rawValue: text) { return format }
        let known = ServerConfiguration.LogFormat.allCases.map(\.rawValue)
        let close = text.utf8.count > 64 ? nil : Spelling.closest(to: text, among: known)
        invalid(
            value, "'log.format' is \(quoted(text)); expected \"json\" or \"combined\"",
            close.map { replace(value.node.range, with: "\"\($0)\"", "write \"\($0)\"") })
        return nil
    }
}

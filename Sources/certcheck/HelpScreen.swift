import ArgumentParser

/// The help of `certcheck` itself.
enum HelpScreen {
    /// Puts what the help of the default command says about arguments and options into the help of the root, where they are
    /// looked for; other help screens stay as they are.
    static func withDefault(_ text: String, columns: Int) -> String {
        let root = Certcheck.helpMessage(columns: columns)
        guard text == root else { return text }
        let checking = Certcheck.helpMessage(for: Check.self, columns: columns)
        guard let overview = checking.firstRange(of: "\n\n"), let usage = checking.firstRange(of: "\nUSAGE: "),
            let arguments = checking.firstRange(of: "\nARGUMENTS:\n"),
            let options = root.firstRange(of: "\nOPTIONS:\n"),
            let commands = root.firstRange(of: "\nSUBCOMMANDS:\n"), options.lowerBound < commands.lowerBound,
            overview.upperBound <= usage.lowerBound
        else { return text }
        let parts = [
            root[..<options.lowerBound], "\n", checking[overview.upperBound..<usage.lowerBound],
            checking[arguments.lowerBound...], root[commands.lowerBound...],
        ]
        return parts.joined()
    }
}

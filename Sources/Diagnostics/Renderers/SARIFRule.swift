extension RuleDescription {
    /// The rule as a SARIF `reportingDescriptor`.
    var sarif: JSONOutput {
        var configuration: [String: JSONOutput] = ["level": .string(severity.sarifLevel)]
        if !isOnByDefault { configuration["enabled"] = .boolean(false) }
        return .object([
            "id": .string(code.rawValue),
            "shortDescription": .object(["text": .string(SARIFMessage.text(summary))]),
            "fullDescription": .object(["text": .string(SARIFMessage.text(reason))]),
            "help": .object(["text": .string(SARIFMessage.text(plainHelp)), "markdown": .string(markdownHelp)]),
            "defaultConfiguration": .object(configuration),
            "properties": .object(["basis": .array(basis.map { .string($0.rawValue) })]),
        ])
    }

    private var plainHelp: String {
        "\(reason)\n\nThis is reported:\n\n\(badShown)\n\nThis is not:\n\n\(goodShown)"
    }

    private var markdownHelp: String {
        """
        \(SARIFMessage.markdown(reason))

        This is reported:

        \(Self.fenced(badShown))

        This is not:

        \(Self.fenced(goodShown))
        """
    }

    /// A code block; its fence is longer than any that the text has.
    private static func fenced(_ text: String) -> String {
        let longest = text.utf8.split { $0 != UInt8(ascii: "`") }.map(\.count).max() ?? 0
        let fence = String(repeating: "`", count: max(3, longest + 1))
        return "\(fence)json\n\(text)\n\(fence)"
    }
}

internal import Diagnostics
internal import HTTPClient

// The association file as others get it.
extension DomainDiagnoser {
    mutating func compareAgents(_ bot: Answer, device: Answer?, browser: Answer?) {
        let all = [(Agent.appleBot, Optional(bot)), (.device, device), (.browser, browser)]
        let answers = all.compactMap { agent, answer in answer.map { (agent: agent, answer: $0) } }
        guard answers.count > 1 else {
            return steps.append(Step(.agents, skipped: "the file was asked for by AASA-Bot only"))
        }
        let evidence: [String: JSONOutput] = [
            "answers": .array(answers.map { $0.answer.evidence("agent", $0.agent.rawValue) })
        ]
        func step(_ summary: String, isLost: Bool = false) -> Step {
            isLost
                ? Step(.agents, skipped: summary, evidence: evidence)
                : Step(.agents, summary: summary, evidence: evidence)
        }
        let seenBy = answers.map { "\($0.agent.rawValue): \($0.answer.shown)" }
        guard let file = bot.file else {
            guard browser?.file != nil, !bot.isLostConnection else {
                let isSame = answers.allSatisfy { $0.answer.isLike(bot) }
                let names = Self.list(answers.map(\.agent.name))
                let summary = isSame ? "\(names) get the same answer" : seenBy.joined(separator: "; ")
                return steps.append(step(summary, isLost: bot.isLostConnection))
            }
            steps.append(step("a browser gets the file, AASA-Bot gets \(bot.answerShown)"))
            return report(
                .agents, .agentBlocked, subject: wellKnownURL,
                "a browser gets the file, Apple's fetcher does not (\(bot.shown)): a firewall, a bot protection or a "
                    + "geographic rule",
                evidence: seenBy, notes: bot.response.map(BotChallenge.notes) ?? [],
                help: "allow this path for every client, before all rules about robots and countries; Apple does not "
                    + "publish the addresses from which it asks")
        }
        let others = answers.dropFirst()
        if let device, device.file == nil, !device.isLostConnection {
            report(
                .agents, .deviceBlocked, subject: wellKnownURL,
                "Apple's fetcher gets the file, a device does not (\(device.shown))", evidence: seenBy,
                notes: ["devices ask the host itself in developer mode, and where Apple's CDN tells them to"]
                    + (device.response.map(BotChallenge.notes) ?? []),
                help: "allow this path for every user agent")
        }
        let differing = others.filter { reader.isOther($0.answer, than: file) }
        if !differing.isEmpty {
            report(
                .agents, .agentContentDiffers, subject: wellKnownURL,
                "\(Self.list(differing.map(\.agent.name))) \(differing.count == 1 ? "gets" : "get") another file than "
                    + "AASA-Bot",
                evidence: seenBy,
                help: "serve one file to all clients; where a CDN varies by user agent, exempt this path")
        }
        steps.append(
            step(
                Self.summary(file, others, differing.map(\.agent)),
                isLost: others.allSatisfy(\.answer.isLostConnection)))
    }

    /// The summary in words, where AASA-Bot gets a file.
    private static func summary(
        _ file: LiveFile, _ others: ArraySlice<(agent: Agent, answer: Answer)>, _ differing: [Agent]
    ) -> String {
        let same = others.filter { $0.answer.file != nil && !differing.contains($0.agent) }
        let isEqual = same.allSatisfy { $0.answer.file?.content.id == file.content.id }
        var parts: [String] = []
        if !same.isEmpty {
            parts.append(
                "\(list(["AASA-Bot"] + same.map(\.agent.name))) get the same \(isEqual ? "file" : "rules")")
        }
        parts += differing.map { "\($0.name) gets another file" }
        parts += others.filter { $0.answer.file == nil }.map { "\($0.agent.name) gets \($0.answer.answerShown)" }
        return parts.joined(separator: "; ")
    }

    /// Like `A, B and C`; of a longer list the first names, and how many more there are.
    static func list(_ names: [String], atMost most: Int = .max) -> String {
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        if names.count > most {
            return "\(names.prefix(most).joined(separator: ", ")) and \(grouped(names.count - most)) more"
        }
        return "\(names.dropLast().joined(separator: ", ")) and \(last)"
    }
}

extension Agent {
    /// The name of the agent in a sentence.
    fileprivate var name: String { self == .browser ? "a browser" : rawValue }
}

extension Answer {
    /// Whether there was no connection over which to ask.
    var isLostConnection: Bool { if case .failure(let failure) = self { failure.isBeforeRequest } else { false } }

    /// The answer in words that follow "gets".
    fileprivate var answerShown: String { if case .failure = self { "no answer (\(shown))" } else { shown } }
}

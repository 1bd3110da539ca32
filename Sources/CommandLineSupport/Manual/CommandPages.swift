package import ArgumentParser

/// The manual pages of a program, made from the definitions of its commands.
package struct CommandPages {
    /// Which commands have a page.
    package enum Layout: Sendable {
        /// The program, and each of its commands as `PROGRAM-COMMAND`.
        case pagePerCommand
        /// The program only, with all its commands.
        case onePage
    }

    private let root: CommandDescription
    private let types: [String: any ParsableCommand.Type]
    private let rootManual: CommandManual
    private let layout: Layout

    package init(of command: any ParsableCommand.Type, layout: Layout) {
        root = CommandDescription(of: command)
        let commands = command.configuration.subcommands
        // Those of a group have its name before their own.
        let grouped = commands.flatMap { group in
            group.configuration.subcommands.map { ("\(group._commandName) \($0._commandName)", $0) }
        }
        types = Dictionary(
            commands.map { ($0._commandName, $0) } + grouped, uniquingKeysWith: { first, _ in first })
        rootManual = (command as? any ManualCommand.Type)?.manual ?? CommandManual(examples: [], exits: [])
        self.layout = layout
    }

    package var pages: [ManualPage] {
        switch layout {
        case .pagePerCommand: [overview] + root.subcommands.map(page)
        case .onePage: [completePage]
        }
    }

    /// - Parameter group: The name of the group that it belongs to.
    private func manual(_ command: CommandDescription, in group: String? = nil) -> CommandManual {
        let name = group.map { "\($0) \(command.name)" } ?? command.name
        if let manual = (types[name] as? any ManualCommand.Type)?.manual { return manual }
        return CommandManual(examples: [], exits: [CommandManual.Exit(.done, "if the command succeeded")])
    }

    /// The discussion of a command without what has sections of its own.
    private func description(_ command: CommandDescription) -> String {
        (command.name == root.name ? rootManual : manual(command)).text(of: command.discussion)
    }

    /// The page of the program, which leads to those of its commands.
    private var overview: ManualPage {
        var page = ManualPage(root.name, section: 1, summary: UsageMessage.sentence(root.abstract))
        page.section("SYNOPSIS")
        page.macro("Nm \(Mdoc.argument(root.name))")
        page.macro("Ar command")
        page.macro("Op Ar argument ...")
        page.section("DESCRIPTION")
        page.prose(root.abstract)
        page.prose(description(root))
        page.prose("The commands are:")
        page.list(
            root.subcommands.map { ("Xr \(Mdoc.argument("\(root.name)-\($0.name)")) 1", $0.abstract) }, macro: "")
        addOptions(root.arguments, to: &page)
        addRest(rootManual, to: &page)
        page.seeAlso(rootManual.seeAlso + root.subcommands.map { "\(root.name)-\($0.name)(1)" })
        return page
    }

    private func page(_ command: CommandDescription) -> ManualPage {
        let manual = manual(command)
        var page = ManualPage(
            "\(root.name)-\(command.name)", section: 1, summary: UsageMessage.sentence(command.abstract))
        page.section("SYNOPSIS")
        let members = command.subcommands
        if members.isEmpty { addSynopsis(command, to: &page) }
        for member in members { addSynopsis(member, in: command.name, to: &page) }
        page.section("DESCRIPTION")
        page.prose(command.abstract)
        page.prose(description(command))
        for member in members {
            page.subsection("\(root.name) \(command.name) \(member.name)")
            page.prose(member.abstract)
            page.prose(self.manual(member, in: command.name).text(of: member.discussion))
        }
        addOptions(command.arguments, to: &page)
        for member in members {
            let own = member.arguments.filter { !$0.isStandard }
            guard !own.isEmpty else { continue }
            page.subsection("\(root.name) \(command.name) \(member.name)")
            page.list(own.map { (tag($0), Self.text($0)) }, macro: "")
        }
        addRest(manual, to: &page)
        page.seeAlso(manual.seeAlso + ["\(root.name)(1)"])
        return page
    }

    private var completePage: ManualPage {
        var page = ManualPage(root.name, section: 1, summary: UsageMessage.sentence(root.abstract))
        page.section("SYNOPSIS")
        for command in root.subcommands { addSynopsis(command, to: &page) }
        page.section("DESCRIPTION")
        page.prose(root.abstract)
        page.prose(description(root))
        for command in root.subcommands {
            page.subsection("\(root.name) \(command.name)")
            page.prose(command.abstract)
            page.prose(description(command))
        }
        page.section("OPTIONS")
        // Options that every command has are explained once.
        let common = root.subcommands.first?.arguments.map(\.names).filter { names in
            !names.isEmpty && root.subcommands.allSatisfy { $0.arguments.contains { $0.names == names } }
        }
        for command in root.subcommands {
            let own = command.arguments.filter { !(common ?? []).contains($0.names) }
            guard !own.isEmpty else { continue }
            page.subsection("\(root.name) \(command.name)")
            page.list(own.map { (tag($0), Self.text($0)) }, macro: "")
        }
        if let common, let first = root.subcommands.first {
            page.subsection("All commands")
            page.list(first.arguments.filter { common.contains($0.names) }.map { (tag($0), Self.text($0)) }, macro: "")
        }
        let manuals = root.subcommands.map { manual($0) }
        addFilesAndVariables([rootManual] + manuals, to: &page)
        page.section("EXIT STATUS")
        for (command, manual) in zip(root.subcommands, manuals) where !manual.exits.isEmpty {
            page.subsection("\(root.name) \(command.name)")
            addExits(manual, to: &page)
        }
        page.section("EXAMPLES")
        addExamples([rootManual] + manuals, to: &page)
        addDiagnostics([rootManual] + manuals, to: &page)
        page.seeAlso((([rootManual] + manuals).flatMap(\.seeAlso)))
        return page
    }

    private func addSynopsis(_ command: CommandDescription, in group: String? = nil, to page: inout ManualPage) {
        page.macro("Nm \"\(([root.name, group, command.name].compactMap { $0 }).joined(separator: " "))\"")
        let shown = command.arguments.filter { !$0.isStandard }
        for argument in shown.filter({ $0.kind != .positional }) + shown.filter({ $0.kind == .positional }) {
            let usage = usage(argument)
            page.macro(argument.isOptional ? "Op \(usage)" : usage)
        }
    }

    /// The argument as in the synopsis: `Fl -format Ar format`.
    private func usage(_ argument: ArgumentDescription) -> String {
        let value = "Ar \(Mdoc.argument(argument.valueName))" + (argument.isRepeating ? " ..." : "")
        let name = argument.preferredName.dropFirst()
        return switch argument.kind {
        case .positional: value
        case .flag: "Fl \(name)"
        case .option: "Fl \(name) \(value)"
        }
    }

    /// The argument as in the list of options, with all its names.
    private func tag(_ argument: ArgumentDescription) -> String {
        let value = "Ar \(Mdoc.argument(argument.valueName))"
        let names = argument.names.sorted { $0.utf8.count < $1.utf8.count }.map { "Fl \($0.dropFirst())" }
        return switch argument.kind {
        case .positional: value + (argument.isRepeating ? " ..." : "")
        case .flag: names.joined(separator: " , ")
        case .option: names.map { "\($0) \(value)" }.joined(separator: " , ")
        }
    }

    private func addOptions(_ arguments: [ArgumentDescription], to page: inout ManualPage) {
        page.section("OPTIONS")
        var groups: [(title: String, arguments: [ArgumentDescription])] = []
        for argument in arguments.filter({ $0.kind == .positional }) + arguments.filter({ $0.kind != .positional }) {
            if let index = groups.firstIndex(where: { $0.title == argument.group }) {
                groups[index].arguments.append(argument)
            } else {
                groups.append((argument.group, [argument]))
            }
        }
        for group in groups {
            if !group.title.isEmpty { page.subsection(group.title) }
            page.list(group.arguments.map { (tag($0), Self.text($0)) }, macro: "")
        }
    }

    /// The purpose of an argument, with its values and its default.
    private static func text(_ argument: ArgumentDescription) -> String {
        var text = argument.abstract
        if !text.isEmpty, !text.hasSuffix("."), !text.hasSuffix("?") { text += "." }
        var facts: [String] = []
        if !argument.values.isEmpty {
            facts.append("the values are \(argument.values.map { "`\($0)`" }.joined(separator: ", "))")
        }
        if !argument.defaultValue.isEmpty, !text.contains("(default:") {
            facts.append("the default is `\(argument.defaultValue)`")
        }
        guard let first = facts.first else { return text }
        let sentence =
            first.prefix(1).uppercased()
            + ([first.dropFirst()] + facts.dropFirst().map { $0[...] })
            .joined(separator: "; ")
        return "\(text) \(sentence)."
    }

    /// ENVIRONMENT, FILES, EXIT STATUS, EXAMPLES and DIAGNOSTICS.
    private func addRest(_ manual: CommandManual, to page: inout ManualPage) {
        addFilesAndVariables([manual], to: &page)
        page.section("EXIT STATUS")
        addExits(manual, to: &page)
        if !manual.examples.isEmpty {
            page.section("EXAMPLES")
            addExamples([manual], to: &page)
        }
        addDiagnostics([manual], to: &page)
    }

    private func addFilesAndVariables(_ manuals: [CommandManual], to page: inout ManualPage) {
        let environment = Self.unique(manuals.flatMap(\.environment))
        if !environment.isEmpty {
            page.section("ENVIRONMENT")
            page.list(environment, macro: "Ev")
        }
        let files = Self.unique(manuals.flatMap(\.files))
        if !files.isEmpty {
            page.section("FILES")
            page.list(files, macro: "Pa")
        }
    }

    /// The exit codes of a command, and those that every command has.
    private func addExits(_ manual: CommandManual, to page: inout ManualPage) {
        let own = Set(manual.exits.map(\.status))
        let exits = (manual.exits + rootManual.exits.filter { !own.contains($0.status) })
            .sorted { $0.status < $1.status }
        page.list(
            exits.map { exit in
                ("\(exit.status)", exit.condition.prefix(1).uppercased() + exit.condition.dropFirst() + ".")
            }, macro: "")
        if !manual.exitRemark.isEmpty { page.prose(manual.exitRemark) }
    }

    private func addExamples(_ manuals: [CommandManual], to page: inout ManualPage) {
        for (number, example) in manuals.flatMap(\.examples).enumerated() {
            if number > 0 { page.macro("Pp") }
            page.prose(example.purpose.prefix(1).uppercased() + example.purpose.dropFirst() + ":")
            page.display(example.command)
        }
    }

    private func addDiagnostics(_ manuals: [CommandManual], to page: inout ManualPage) {
        let entries = Self.unique(manuals.flatMap { $0.diagnostics() })
        guard !entries.isEmpty else { return }
        page.section("DIAGNOSTICS")
        page.prose("These are the codes of all findings:")
        page.list(entries, macro: "Cm")
    }

    private static func unique(_ entries: [CommandManual.Entry]) -> [(name: String, text: String)] {
        var names: Set<String> = []
        return entries.filter { names.insert($0.name).inserted }.map { ($0.name, $0.text) }
    }

}

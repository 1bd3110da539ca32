internal import ArgumentParser

/// The script with which a shell completes the arguments of a program: the parser's, and what that leaves out.
///
/// Added are the commands after `help`, the arguments of the default command where no command is typed, and in fish what
/// each value of an option means.
struct CompletionScript {
    /// The option that the parser answers with its script.
    static let option = "--generate-completion-script"

    private let command: any ParsableCommand.Type
    private let shell: CompletionShell
    /// The meanings of values that are not commands, such as the codes of findings.
    private let meanings: [String: String]

    /// - Parameter meanings: What values mean that are not commands, such as the codes of findings.
    init(_ command: any ParsableCommand.Type, _ shell: CompletionShell, meanings: [String: String]) {
        self.command = command
        self.shell = shell
        self.meanings = meanings.merging(Self.commonMeanings) { own, _ in own }
    }

    var text: String {
        let script = command.completionScript(for: shell)
        switch shell {
        case .bash: return script + bashHelp + (defaultName == nil ? "" : bashDefault(script))
        case .zsh: return zsh(script)
        case .fish: return fish(script)
        default: return script
        }
    }

    private var program: String { command._commandName }
    private var defaultName: String? { command.configuration.defaultSubcommand?._commandName }

    private var commands: [(name: String, abstract: String)] {
        command.configuration.subcommands.map { ($0._commandName, $0.configuration.abstract) }
    }

    private var names: [String] { commands.map(\.name) }

    /// The meanings of the values of options that several commands have.
    private static let commonMeanings = [
        "text": "for people", "json": "one JSON object", "jsonl": "a JSON object per line",
        "sarif": "SARIF 2.1.0, for code scanning", "github": "annotations for GitHub Actions",
        "markdown": "a page of the documentation", "junit": "JUnit XML", "nagios": "one line for Nagios",
        "prometheus": "metrics for a textfile collector", "auto": "on terminals", "always": "in files and pipes too",
        "never": "without colors", "aasa": "association file for Apple", "assetlinks": "statements for Android",
        "applinks": "universal links", "webcredentials": "shared passwords", "appclips": "App Clips",
        "activitycontinuation": "Handoff",
    ]
}

// bash and zsh.
extension CompletionScript {
    private var bashHelp: String {
        """


        _\(program)_help() {
            COMPREPLY=($(compgen -W '\(names.joined(separator: " "))' -- "${cur}"))
        }

        """
    }

    /// The function of the script, with another one around it that offers what the default command takes.
    private func bashDefault(_ script: String) -> String {
        guard let defaultName else { return "" }
        return """

            _\(program)_or_default() {
                local word
                for word in "${COMP_WORDS[@]:1:${COMP_CWORD}-1}"; do
                    case "${word}" in
                    \(names.joined(separator: "|"))|help)
                        _\(program) "${@}"
                        return
                        ;;
                    esac
                done
                local -a commands=()
                if [[ "${COMP_CWORD}" -eq 1 ]]; then
                    _\(program) "${@}"
                    commands=("${COMPREPLY[@]}")
                fi
                local -a typed=("${COMP_WORDS[@]:1}")
                COMP_WORDS=("${COMP_WORDS[0]}" \(defaultName) "${typed[@]}")
                COMP_CWORD=$((COMP_CWORD + 1))
                COMPREPLY=()
                _\(program) "${@}"
                COMPREPLY+=("${commands[@]}")
            }

            complete -o filenames -F _\(program)_or_default \(program)

            """
    }

    private func zsh(_ script: String) -> String {
        let offered = commands.map { name, abstract in
            "        '\(name):\(abstract.replacing(":", with: "\\:").replacing("'", with: "'\\''"))'"
        }
        let help = """
            _\(program)_help() {
                local -ar subcommands=(
            \(offered.joined(separator: "\n"))
                )
                _describe -V subcommand subcommands
            }


            """
        // The last lines of the script call its function, or register it.
        let end = "if [[ \"${funcstack[1]}\" = _\(program) ]]"
        guard let last = script.firstRange(of: end) else { return script }
        let functions = script[..<last.lowerBound]
        guard let defaultName else { return functions + help + script[last.lowerBound...] }
        let around = """
            _\(program)() {
                local -i ret=1
                if [[ -n "${(@M)words[2,CURRENT-1]:#(\(names.joined(separator: "|"))|help)}" ]]; then
                    _\(program)_commands "${@}"
                    return
                fi
                (( CURRENT == 2 )) && _\(program)_commands "${@}" && ret=0
                words=("${words[1]}" \(defaultName) "${(@)words[2,-1]}")
                (( CURRENT++ ))
                _\(program)_commands "${@}" && ret=0
                return "${ret}"
            }


            """
        let renamed = functions.replacing("\n_\(program)() {", with: "\n_\(program)_commands() {")
        return renamed + help + around + script[last.lowerBound...]
    }
}

// fish.
extension CompletionScript {
    private func fish(_ script: String) -> String {
        var lines = script.split(separator: "\n", omittingEmptySubsequences: false).map { explained(String($0)) }
        while lines.last?.isEmpty == true { lines.removeLast() }
        let start = "complete -c '\(program)' -n '__\(program)_should_offer_completions_for_"
        lines += commands.map { name, abstract in
            "\(start)positional \"\(program) help\" -ge 1' -fa '\(name)' -d '\(escaped(abstract))'"
        }
        if let defaultName {
            // Where no command is typed, what the default one takes is offered.
            lines += lines.filter { $0.contains("\"\(program) \(defaultName)\"") }.map {
                $0.replacing("\"\(program) \(defaultName)\"", with: "\"\(program)\"")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A line with the meaning of each of its values that has one.
    private func explained(_ line: String) -> String {
        guard let start = line.firstRange(of: "fka '"), line.hasSuffix("'") else { return line }
        let values = line[start.upperBound...].dropLast().split(separator: " ").map(String.init)
        guard values.contains(where: { meaning(of: $0) != nil }) else { return line }
        let explained = values.map { value in
            meaning(of: value).map { "\(value)\\t\"\(escaped($0))\"" } ?? value
        }
        return line[..<start.upperBound] + explained.joined(separator: " ") + "'"
    }

    /// The meaning of a value, or of what is before its `=`.
    private func meaning(of value: String) -> String? {
        meanings[value] ?? value.firstIndex(of: "=").flatMap { meanings[String(value[..<$0])] }
    }

    /// Text inside double quotation marks in a string in single ones.
    private func escaped(_ text: String) -> String {
        text.replacing("\"", with: "'").replacing("$", with: "").replacing("\\", with: "/").replacing("'", with: "\\'")
    }
}

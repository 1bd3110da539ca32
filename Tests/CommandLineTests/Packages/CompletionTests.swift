import Foundation
import TestSupport
import Testing

/// The scripts of `--generate-completion-script`, in their shells.
@Suite("Completions", .waiting)
struct CompletionTests {
    /// The words that are typed, some of those that are offered, and some that are not.
    private static let cases: [(typed: String, offered: [String], others: [String])] = [
        ("aasa ", ["validate", "route", "explain", "doctor", "serve", "certificates"], ["--format"]),
        ("aasa doctor --service ", ["applinks", "appclips"], ["authsrv"]),
        ("aasa explain missing-d", ["missing-details"], ["dead-exclude"]),
        ("aasa validate --fo", ["--format"], ["--fix"]),
        ("aasa serve --config fil", ["file.json"], ["folder"]),
        ("aasa validate --config fil", ["file.json"], ["folder"]),
        ("aasa certificates --sites fol", ["folder"], ["file.json"]),
        ("aasa serve --certs fol", ["folder"], ["file.json"]),
        ("aasa validate --disable dead-", ["dead-exclude"], ["empty-file"]),
        ("aasa doctor --disable unused-v", ["unused-variable"], ["empty-file"]),
        ("aasa validate --severity dead-exclude", ["dead-exclude=off", "dead-exclude=warning"], ["empty-file=off"]),
        ("aasa help ", ["validate", "serve", "certificates"], ["file.json"]),
        ("certcheck ", ["csr", "combine", "check", "file.json"], ["--old"]),
        ("certcheck fil", ["file.json"], ["csr"]),
        ("certcheck --", ["--help", "--version", "--warning", "--format"], ["--old"]),
        ("certcheck --format p", ["prometheus"], ["text", "csr"]),
        ("certcheck help ", ["check", "csr"], ["file.json"]),
        ("certcheck explain expires", ["expires-soon"], ["expired"]),
    ]

    /// A folder with the programs on a path, and with the scripts, named after the programs.
    private static func scripts(_ shell: String, prefix: String = "", suffix: String = "") throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: "\(folder.path)/bin", withIntermediateDirectories: true)
        for name in ["aasa", "certcheck"] {
            let tool = try BuiltTool(name)
            try folder.link("bin/\(name)", to: tool.executable)
            let outcome = try tool.run("--generate-completion-script", shell)
            #expect(outcome.status == 0)
            try folder.write(outcome.output, to: "scripts/\(prefix)\(name)\(suffix)")
        }
        try folder.write("{}", to: "file.json")
        try folder.write("", to: "folder/inner")
        return folder
    }

    private static func check(_ output: String) {
        // Each answer follows a line with what was typed.
        let answers = output.split(separator: #/(?m)^> /#).map { $0.split(separator: "\n") }
        #expect(answers.count == cases.count, "\(output)")
        for (answer, test) in zip(answers, cases) {
            #expect(answer.first.map(String.init) == test.typed)
            let words = Set(
                answer.dropFirst().compactMap { $0.split(whereSeparator: { " \t".contains($0) }).first }.map {
                    // Some shells show folders with a slash.
                    $0.hasSuffix("/") ? String($0.dropLast()) : String($0)
                })
            for word in test.offered { #expect(words.contains(word), "\(test.typed): \(word) of \(words)") }
            for word in test.others { #expect(!words.contains(word), "\(test.typed): \(word)") }
        }
    }

    private static func run(_ shell: [String], _ script: String, _ folder: TemporaryFolder) throws -> Shell.Outcome {
        let arguments = cases.map(\.typed)
        let variables = [
            "PATH=\(folder.path)/bin:/usr/bin:/bin", "HOME=\(folder.path)", "ZDOTDIR=\(folder.path)", "TERM=dumb",
            "LC_ALL=C.UTF-8",
        ]
        return try Shell.run(
            ["env", "-i"] + variables + shell + [script] + arguments, in: folder.url)
    }

    @Test("bash")
    func bash() throws {
        let folder = try Self.scripts("bash")
        let script = try folder.write(
            """
            for name in aasa certcheck; do source scripts/$name; done
            for line; do
                COMP_LINE=$line COMP_POINT=${#line} COMPREPLY=()
                COMP_WORDS=($line)
                [[ $line == *' ' ]] && COMP_WORDS+=('')
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                printf '> %s\\n' "$line"
                function=$(complete -p "${COMP_WORDS[0]}")
                function=${function##*-F }
                ${function%% *} "${COMP_WORDS[0]}" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
                printf '%s\\n' "${COMPREPLY[@]}"
            done
            """, to: "complete.bash")
        let outcome = try Self.run(["bash", "--norc"], script, folder)
        #expect(outcome.errors.isEmpty)
        Self.check(outcome.text)
    }

    @Test("zsh", .needs(ExternalProgram("zsh")))
    func zsh() throws {
        let folder = try Self.scripts("zsh", prefix: "_")
        let loading = try Self.run(
            ["zsh", "-f"],
            try folder.write(
                "fpath=(scripts $fpath); autoload -Uz compinit; compinit -u -D; autoload +X _aasa _certcheck",
                to: "load.zsh"), folder)
        #expect(loading.status == 0 && loading.errors.isEmpty && loading.text.isEmpty)
        // Completion needs a line editor, and that a terminal. What is offered is seen where the functions hand it over.
        try folder.write(
            #"""
            PS1= PROMPT_SP= PROMPT_CR=
            fpath=($PWD/scripts $fpath)
            autoload -Uz compinit
            compinit -u -D
            compadd() {
                local -a offered
                if [[ " ${(j: :)@[1,(i)(-|--)]}" == *' -'(O|A|D)' '* ]]; then builtin compadd "$@"; return; fi
                builtin compadd -A offered "$@"
                (( $#offered )) && print -rl -- $offered >>answers
                builtin compadd "$@"
            }
            zle-line-init() {
                local line
                while IFS= read -r line; do
                    print -r -- "> $line" >>answers
                    BUFFER=$line CURSOR=$#line
                    zle list-choices 2>>errors
                done <lines
                exit
            }
            zle -N zle-line-init
            """#, to: ".zshrc")
        let script = try folder.write(
            """
            print -rl -- $argv >lines
            : >errors
            zmodload zsh/zpty
            zpty shell zsh -i
            while zpty -r shell text; do :; done
            cat answers
            cat errors >&2
            """, to: "complete.zsh")
        let outcome = try Self.run(["zsh", "-f"], script, folder)
        #expect(outcome.errors.isEmpty)
        Self.check(outcome.text)
    }

    @Test("fish", .needs(ExternalProgram("fish")))
    func fish() throws {
        let folder = try Self.scripts("fish", suffix: ".fish")
        let script = try folder.write(
            """
            for name in aasa certcheck; source scripts/$name.fish; end
            for line in $argv
                echo "> $line"
                complete -C $line
            end
            """, to: "complete.fish")
        let outcome = try Self.run(["fish", "--no-config"], script, folder)
        #expect(outcome.errors.isEmpty)
        Self.check(outcome.text)
        // Each value has its own meaning beside it.
        for line in ["prometheus\tmetrics for a textfile collector", "dead-exclude\tan exclusion comes after a rule"] {
            #expect(outcome.text.contains("\n\(line)"), "\(line)")
        }
    }
}

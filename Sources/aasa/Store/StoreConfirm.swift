import ArgumentParser
import CommandLineSupport
import Diagnostics
import PostgreSQLStore
import SiteStore

struct StoreConfirm: ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "confirm",
        abstract: "Have servers take over a change that ends many sites.",
        discussion: manual.discussion(
            """
            A server that would lose more than 10 sites, and more than a tenth of all, by one change keeps them, and names the \
            generation to confirm in its message [store-mass-removal]. What the store removes up to GENERATION is confirmed; \
            what it removes later is not.
            """)
    )

    static let manual = CommandManual.ofStore(
        examples: [
            .init("aasa store confirm 812", "confirm what generation 812 removes"),
            .init("aasa store confirm 812 --wait 30", "and wait until all servers have taken it over"),
        ],
        exits: [
            .init(.done, "if it is confirmed"),
            .init(.failed, "if the store has no such generation yet, or not all servers have taken it over in time"),
        ],
        seeAlso: ["aasa-store-import(1)", "aasa-store-status(1)"])

    @Argument(help: ArgumentHelp("The generation that the message of the servers names.", valueName: "generation"))
    var generation: Int64

    @OptionGroup var waiting: WaitOptions
    @OptionGroup var options: StoreSelection

    func validate() throws {
        if generation < 0 { throw ValidationError("'\(generation)' is not a generation; expected a number from 0 on") }
    }

    func run() throws { try options.reporting("aasa store confirm", confirm) }

    private func confirm() throws {
        let connection = try options.connect()
        let (confirmation, held) = try StorePublishing.confirm(generation, over: connection)
        guard let confirmation else {
            throw CommandFailure.notInStore(
                "the store is at generation \(held), and has no generation \(generation) yet")
        }
        let nodes = waiting.progress(to: confirmation, over: connection)
        options.write(
            ["confirmed generation \(generation), generation \(confirmation)" + (nodes.map { "; \($0.text)" } ?? "")],
            json: [
                "confirmed": .number(Int(generation)), "generation": .number(Int(confirmation)),
                "nodes": nodes?.json ?? .null,
            ])
        if let failure = nodes?.failure(generation: confirmation, least: waiting.nodes ?? 0) {
            StandardError.write("error: \(failure)")
            throw ExitStatus.failed.code
        }
    }
}

import ArgumentParser
import CommandLineSupport
import Diagnostics
import LinkPages
import SystemSupport
import URLPatterns

struct LinksQR: ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "qr",
        abstract: "Draw the QR code of a link, as SVG or for the terminal.",
        discussion: manual.discussion("The code has the quiet zone around it that readers need, on white.")
    )

    static let manual = CommandManual(
        examples: [
            .init("aasa links qr https://go.example.com/summer", "write an SVG image"),
            .init("aasa links qr --format text https://go.example.com/summer", "show the code in the terminal"),
        ],
        exits: [
            .init(.done, "if it succeeded"),
            .init(.usage, "if it is not an http or https URL with a host, or longer than 1,000 bytes"),
            .init(.unavailable, "if libqrencode is missing"),
        ],
        seeAlso: ["aasa-links-resolve(1)"])

    /// The formats of a code.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case svg, text
    }

    @Argument(help: ArgumentHelp("The link.", valueName: "url"))
    var url: String

    @Option(help: "Set how much of the code may be damaged: about 7, 15, 25 or 30 percent.")
    var level = QRCode.Level.medium

    @Option(help: "Set the output format; text is for a dark terminal.")
    var format = Format.svg

    func validate() throws {
        guard WebURL(url.utf8) != nil else { throw ValidationError("\(quoted(url)) is \(WebURL.refusal(of: url))") }
    }

    func run() throws {
        let bytes = Array((EncodedURL.text(of: url) ?? url).utf8)
        let code: QRCode?
        do throws(MissingLibrary) {
            code = try QRCode(bytes, level: level)
        } catch {
            throw ExitStatus.unavailable.failure("error: \(error)\nhelp: \(error.help)")
        }
        guard let code else {
            throw ValidationError(
                "the URL has \(grouped(bytes.count)) bytes; a QR code takes at most \(grouped(QRCode.maxURLBytes))")
        }
        StandardOutput.print(bytes: Array((format == .svg ? code.svg : code.text).utf8))
    }
}

extension QRCode.Level: ExpressibleByArgument {}

public import ArgumentParser
internal import Glibc

/// How results are shown.
public struct OutputOptions: ParsableArguments {
    /// When to use colours.
    public enum Color: String, ExpressibleByArgument, CaseIterable, Sendable {
        case auto, always, never
    }

    @Option(help: "Colours: auto, always or never; auto honours NO_COLOR and colours only a terminal.")
    public var color = Color.auto

    public init() {}

    /// The style for standard output.
    public var style: TextStyle {
        switch color {
        case .always: TextStyle(isColored: true)
        case .never: TextStyle(isColored: false)
        case .auto: TextStyle(isColored: Self.isTerminalWithColors)
        }
    }

    private static var isTerminalWithColors: Bool {
        func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
        return isatty(STDOUT_FILENO) == 1 && variable("NO_COLOR").isEmpty && variable("TERM") != "dumb"
    }
}

public import ArgumentParser
package import Diagnostics
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
    package var style: TextStyle { style(of: STDOUT_FILENO) }
    /// The style for standard error.
    package var errorStyle: TextStyle { style(of: STDERR_FILENO) }
    /// The style for a file.
    package var fileStyle: TextStyle { TextStyle(isColored: color == .always) }
    /// The columns of the terminal that standard output is; nil if it is none.
    package var width: Int? { Self.width(of: STDOUT_FILENO) }
    /// The columns of the terminal that standard error is; nil if it is none.
    package var errorWidth: Int? { Self.width(of: STDERR_FILENO) }

    private func style(of descriptor: Int32) -> TextStyle {
        switch color {
        case .always: TextStyle(isColored: true)
        case .never: TextStyle(isColored: false)
        case .auto: TextStyle(isColored: Self.isTerminalWithColors(descriptor))
        }
    }

    private static func isTerminalWithColors(_ descriptor: Int32) -> Bool {
        func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
        return isatty(descriptor) == 1 && variable("NO_COLOR").isEmpty && variable("TERM") != "dumb"
    }

    private static func width(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard isatty(descriptor) == 1, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }
}

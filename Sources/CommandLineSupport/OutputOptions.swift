public import ArgumentParser
package import Diagnostics
internal import Glibc

/// How results are shown.
public struct OutputOptions: ParsableArguments {
    /// When to use colors.
    public enum Color: String, ExpressibleByArgument, CaseIterable, Sendable {
        case auto, always, never
    }

    @Option(help: "When to use colors; auto is for terminals, and honors NO_COLOR and FORCE_COLOR.")
    public var color = Color.auto

    public init() {}

    /// The style for standard output.
    package var style: TextStyle { style(of: STDOUT_FILENO) }
    /// The style for standard error.
    package var errorStyle: TextStyle { style(of: STDERR_FILENO) }
    /// The style for a file.
    package var fileStyle: TextStyle { TextStyle(isColored: color == .always) }
    /// The columns of the terminal that standard output is; nil if it is none.
    package var width: Int? { Terminal.columns(of: STDOUT_FILENO) }
    /// The columns of the terminal that standard error is; nil if it is none.
    package var errorWidth: Int? { Terminal.columns(of: STDERR_FILENO) }

    /// Whether standard output and standard error are the same, a terminal or the log of a CI system, so that one person sees
    /// both.
    package var showsBoth: Bool {
        var (output, error) = (stat(), stat())
        guard fstat(STDOUT_FILENO, &output) == 0, fstat(STDERR_FILENO, &error) == 0 else { return false }
        return output.st_dev == error.st_dev && output.st_ino == error.st_ino
    }

    private func style(of descriptor: Int32) -> TextStyle {
        switch color {
        case .always: TextStyle(isColored: true)
        case .never: TextStyle(isColored: false)
        case .auto: TextStyle(isColored: Terminal.isColored(descriptor))
        }
    }
}

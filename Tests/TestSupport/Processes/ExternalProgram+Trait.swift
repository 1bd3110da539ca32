public import Testing

extension Trait where Self == ConditionTrait {
    /// Skips what cannot run without a program, with one line that names its package; with CI=true it runs, and fails.
    public static func needs(_ programs: ExternalProgram...) -> Self {
        let missing = programs.compactMap(\.reasonToSkip)
        return .enabled(if: missing.isEmpty, "\(missing.joined(separator: ", "))")
    }
}

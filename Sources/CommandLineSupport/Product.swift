/// What both programs say of themselves.
public enum Product {
    /// The version of everything that is built from this package, as in CHANGELOG.md.
    public static let version = "0.3.0"

    /// The line that `--version` prints.
    ///
    /// - Parameter openSSL: The version of the library in use, such as `3.0.17`.
    public static func versionLine(_ program: String, openSSL: String) -> String {
        "\(program) \(version) (OpenSSL \(openSSL))"
    }
}

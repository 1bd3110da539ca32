internal import Diagnostics

extension TextStyle {
    /// A text in the colour of a status.
    func colored(_ text: String, _ status: CheckStatus) -> String {
        switch status {
        case .critical, .unknown: red(text)
        case .warning: yellow(text)
        case .ok: green(text)
        }
    }
}

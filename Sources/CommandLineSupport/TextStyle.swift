/// Colours for text on a terminal, or none.
public struct TextStyle: Sendable {
    private let isColored: Bool

    public init(isColored: Bool) {
        self.isColored = isColored
    }

    public func bold(_ text: String) -> String { with("1", text) }
    public func dim(_ text: String) -> String { with("2", text) }
    public func red(_ text: String) -> String { with("31", text) }
    public func green(_ text: String) -> String { with("32", text) }
    public func yellow(_ text: String) -> String { with("33", text) }
    public func cyan(_ text: String) -> String { with("36", text) }

    private func with(_ code: String, _ text: String) -> String {
        isColored && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

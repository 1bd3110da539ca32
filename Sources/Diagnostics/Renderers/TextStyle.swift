/// Colors for text on a terminal, or none.
package struct TextStyle: Sendable {
    private let isColored: Bool

    package init(isColored: Bool) {
        self.isColored = isColored
    }

    package var hasColors: Bool { isColored }

    package func bold(_ text: String) -> String { with("1", text) }
    package func dim(_ text: String) -> String { with("2", text) }
    package func red(_ text: String) -> String { with("31", text) }
    package func green(_ text: String) -> String { with("32", text) }
    package func yellow(_ text: String) -> String { with("33", text) }
    package func cyan(_ text: String) -> String { with("36", text) }

    private func with(_ code: String, _ text: String) -> String {
        isColored && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

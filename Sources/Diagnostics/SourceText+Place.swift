extension SourceText {
    /// Where an offset is, as notes say it about another one: its line, and its column too where both are in one line.
    package func place(of offset: Int, from other: Int) -> String {
        let position = position(at: offset)
        let line = "line \(position.line)"
        return position.line == self.position(at: other).line ? "\(line), column \(position.column)" : line
    }
}

import Foundation

/// Answers of one version of macOS, as `Tests/Fidelity/record` writes them.
struct Recording {
    struct Answer {
        let name: String
        let file: String
        let url: String
        let status: String
        /// The text that swcutil printed.
        let output: String

        /// Nil for an answer that says something else.
        var verdict: FidelityVerdict? {
            var apps: [String] = []
            var isExcluded = false
            for line in output.split(separator: "\n") {
                guard let app = line.firstMatch(of: #/\{ s = applinks, a = ([^,]+), d = [^}]*\}: /#)?.1 else {
                    continue
                }
                if line.hasSuffix(" matched.") {
                    if !apps.contains(String(app)) { apps.append(String(app)) }
                } else if line.hasSuffix(" blocked match.") {
                    isExcluded = true
                } else {
                    return nil
                }
            }
            if !apps.isEmpty { return .open(apps) }
            if isExcluded { return .excluded }
            return output.contains("did not match input URL") ? FidelityVerdict.none : nil
        }
    }

    let name: String
    let answers: [Answer]

    init(_ url: URL) throws {
        name = url.lastPathComponent
        answers = try FidelityCase.lines(of: url).compactMap { fields in
            guard fields.count == 5 else { return nil }
            return Answer(
                name: fields[0], file: fields[1], url: fields[2], status: fields[3], output: Self.unescaped(fields[4]))
        }
    }

    /// All in a folder.
    static func all(in folder: URL) throws -> [Recording] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "tsv" }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
            .map(Recording.init)
    }

    /// Where macOS and this project differ, a line each.
    func differences() throws -> [String] {
        try answers.compactMap { answer in
            let place = "\(name): \(answer.name): \(answer.url)"
            guard let recorded = answer.verdict else { return "\(place): unknown answer '\(answer.output)'" }
            let decided = try FidelityVerdict.ofReference(answer.file, answer.url)
            return recorded == decided ? nil : "\(place): macOS says '\(recorded)', we say '\(decided)'"
        }
    }

    private static func unescaped(_ text: String) -> String {
        var result = ""
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if isEscaped {
                result.unicodeScalars.append(scalar == "n" ? "\n" : scalar == "t" ? "\t" : scalar)
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

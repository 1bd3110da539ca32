/// What is to be said about a file as a whole, from how it was read (push-certificates.md, sections 1 and 5).
enum FileNotes {
    static func findings(_ notes: [FileContents.Note]) -> [Finding] { notes.map(finding) }

    private static func finding(_ note: FileContents.Note) -> Finding {
        switch note {
        case .base64Text:
            Finding(
                .base64Text, .note,
                "the file is base64 text, which is decoded here; other programs want it decoded before: 'base64 -d'")
        case .trailingBytes(let count):
            Finding(
                .trailingBytes, .note,
                "\(count == 1 ? "1 byte follows" : "\(count) bytes follow") the end of the content and "
                    + "\(count == 1 ? "is" : "are") ignored; an editor may have added a line break")
        case .noMAC:
            Finding(
                .noMAC, .note,
                "the file has no checksum (MAC), so nobody can tell whether it was changed; export it again if it did not come "
                    + "straight from you")
        case .bagSkipped(let what):
            Finding(.bagSkipped, .note, "the file also has \(what) in it, which is not looked at")
        }
    }
}

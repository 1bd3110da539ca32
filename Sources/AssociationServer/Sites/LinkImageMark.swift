internal import AssociationFiles
internal import LinkPages
internal import SystemSupport

/// The file that was found where a `links.json` names an image: as long as it stays, so does the judgement.
struct LinkImageMark: Equatable, Sendable {
    let name: String
    /// The most bytes that it may have.
    let limit: Int
    /// The SHA-256 of an image, or why there is none.
    private let finding: Finding
    /// The stamp of the file on disk before it was read; nil if its bytes can change without changing it.
    fileprivate(set) var stamp: FileStamp?

    private enum Finding: Equatable {
        case digest([UInt8])
        case missing, outside, tooLarge
        case unreadable(String)
    }

    init(_ name: String, _ file: LinkImageFile, _ limit: Int) {
        (self.name, self.limit) = (name, limit)
        finding =
            switch file {
            case .found(_, let digest): .digest(digest)
            case .missing: .missing
            case .outside: .outside
            case .tooLarge: .tooLarge
            case .unreadable(let reason): .unreadable(reason)
            }
    }

    /// Whether the file on disk looks as it did, so that it need not be read again.
    func isUnchanged(in folder: String) -> Bool {
        let present = FileStatus(at: "\(folder)/\(name)")?.stamp
        return finding == .missing ? present == nil : stamp != nil && present == stamp
    }

    /// Whether the same was found, whatever the file on disk looks like.
    static func == (left: LinkImageMark, right: LinkImageMark) -> Bool {
        left.name == right.name && left.finding == right.finding
    }
}

/// Notes the images that are asked for while a `links.json` is judged.
final class LinkImageMarks {
    private(set) var marks: [LinkImageMark] = []
    private let source: SourceFile
    private let now: Int64

    /// - Parameter now: seconds since 1970.
    init(_ source: SourceFile, now: Int64) { (self.source, self.now) = (source, now) }

    func find(_ name: String, _ limit: Int) -> LinkImageFile {
        var stamp: FileStamp?
        if case .nearest(let folder) = source.configuration { stamp = FileStatus(at: "\(folder)/\(name)")?.stamp }
        let file = source.images(name, limit)
        var mark = LinkImageMark(name, file, limit)
        mark.stamp = stamp.flatMap { $0.isConclusive(at: now) ? $0 : nil }
        marks.append(mark)
        return file
    }
}

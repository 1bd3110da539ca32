internal import HTTP1

/// The paths of the files that are served below `/.well-known/` only, ready for requests.
final class WellKnownPaths: @unchecked Sendable {
    static let folder: StaticString = "/.well-known/"

    /// What the path of a request looks into; valid as long as the paths are.
    struct View: BitwiseCopyable {
        fileprivate let paths: UnsafeBufferPointer<UnsafeBufferPointer<UInt8>>

        var count: Int { paths.count }

        /// The place of the name that a path ends in; `nil` if it is none of them.
        func find(_ path: RequestHead.Slice, in bytes: Span<UInt8>) -> Int? {
            for place in 0..<paths.count where KnownPath.matches(path, of: bytes, paths[place]) { return place }
            return nil
        }
    }

    let view: View
    private let paths: UnsafeMutableBufferPointer<UnsafeBufferPointer<UInt8>>

    init(_ names: [String]) {
        paths = .allocate(capacity: names.count)
        for (place, name) in names.enumerated() {
            let path = Array("\(Self.folder)\(name)".utf8)
            let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: path.count)
            _ = memory.initialize(from: path)
            paths.initializeElement(at: place, to: UnsafeBufferPointer(memory))
        }
        view = View(paths: UnsafeBufferPointer(paths))
    }

    deinit {
        for path in paths { path.deallocate() }
        paths.deallocate()
    }
}

internal import EventLoops
internal import Glibc

/// One of the two files of a pair, read.
struct PairFile {
    let path: String
    let bytes: [UInt8]
    let stamp: FileStamp
    /// Whether nobody seems to have written it meanwhile.
    let isSettled: Bool
    /// Permission bits.
    let mode: UInt32

    static func read(
        _ path: String, _ what: String, of folder: String, _ limit: Int
    ) throws(PairProblem) -> PairFile {
        let contents: FileAccess.Contents
        do throws(SystemError) {
            contents = try FileAccess.read(path, limit: limit)
        } catch {
            throw PairProblem(
                folder: folder, path: path, message: "\(what) cannot be read: \(error.reason)",
                isHalf: error.number == ENOENT)
        }
        guard contents.bytes.count <= limit else {
            throw PairProblem(folder: folder, path: path, message: "\(what) is larger than \(limit) bytes")
        }
        return PairFile(
            path: path, bytes: contents.bytes, stamp: contents.stamp, isSettled: contents.isSettled,
            mode: contents.mode)
    }
}

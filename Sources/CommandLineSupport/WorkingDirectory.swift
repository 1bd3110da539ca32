internal import Glibc

/// Where relative paths start.
public enum WorkingDirectory {
    /// The absolute path; `/` if it is gone.
    public static var path: String {
        guard let path = getcwd(nil, 0) else { return "/" }
        defer { free(path) }
        return String(cString: path)
    }

    /// The root of the Git repository around the working directory, or the working directory itself.
    public static var repositoryRoot: String {
        let start = path
        var folder = start
        while !folder.isEmpty {
            if access("\(folder)/.git", F_OK) == 0 { return folder }
            folder = folder.lastIndex(of: "/").map { String(folder[..<$0]) } ?? ""
        }
        return start
    }
}

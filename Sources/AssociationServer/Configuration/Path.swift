/// Paths as text.
package enum Path {
    /// `path`, or where it leads from `folder` if it is relative.
    package static func join(_ folder: String, _ path: String) -> String {
        if path.hasPrefix("/") || folder.isEmpty || folder == "." { return path }
        if folder == "/" { return "/\(path)" }
        // "Config/../certs" reads better as "certs"; a folder that could be a link is left alone.
        let rest = path.dropFirst(3)
        if path.hasPrefix("../"), !rest.isEmpty, !rest.hasPrefix("/"), !folder.contains("/"), folder != ".." {
            return String(rest)
        }
        return "\(folder)/\(path)"
    }

    /// The folder that a file is in.
    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}

internal import EventLoops

/// A site as it is on disk.
struct LoadedSite {
    /// `example.com`, or `*.example.com` for a wildcard.
    let domain: String
    /// `nil` if its file cannot be published.
    let document: AssociationDocument?
}

/// Reads the folder of sites (server.md, section 1).
enum SiteLoader {
    static let fileName = "apple-app-site-association"

    /// - Throws: `ServerError.Code.unreadable` if the folder itself cannot be read; what is wrong with one site is a
    ///   finding.
    static func load(
        _ folder: String, fileBytes: Int, cacheMaxAge: Int
    ) throws(ServerError) -> (sites: [LoadedSite], findings: [Finding]) {
        let names: [String]
        do throws(SystemError) {
            names = try FileAccess.folders(in: folder)
        } catch {
            let help = "expected a folder with a folder for each domain, like '\(folder)/example.com'"
            throw ServerError(.unreadable, "cannot read the sites folder '\(folder)': \(error.reason); \(help)")
        }
        var sites: [LoadedSite] = []
        var findings: [Finding] = []
        for name in names {
            let path = Path.join(folder, name)
            guard let domain = domain(of: name) else {
                findings.append(.error(path, nameProblem(name)))
                continue
            }
            let file = "\(path)/\(fileName)"
            let result = document(file, fileBytes: fileBytes, cacheMaxAge: cacheMaxAge)
            if case .failure(let problem) = result { findings.append(.error(file, problem.message)) }
            sites.append(LoadedSite(domain: domain, document: try? result.get()))
        }
        return (sites, findings)
    }

    private struct Problem: Error { let message: String }

    private static func domain(of folder: String) -> String? {
        let isWildcard = folder.hasPrefix(HostName.wildcardPrefix)
        let name = isWildcard ? String(folder.dropFirst(HostName.wildcardPrefix.count)) : folder
        guard HostName.isValid(name), name == name.lowercased() else { return nil }
        return isWildcard ? "*.\(name)" : name
    }

    private static func nameProblem(_ folder: String) -> String {
        let lower = folder.lowercased()
        if folder != lower, domain(of: lower) != nil {
            return "the folder's name is not in lower case; name it '\(lower)'"
        }
        return "the folder's name is not a host name; expected one like 'example.com' or '_wildcard.example.com'"
    }

    private static func document(
        _ path: String, fileBytes: Int, cacheMaxAge: Int
    ) -> Result<AssociationDocument, Problem> {
        let contents: FileAccess.Contents
        do throws(SystemError) {
            contents = try FileAccess.read(path, limit: fileBytes)
        } catch {
            return .failure(Problem(message: "the file cannot be read: \(error.reason)"))
        }
        if contents.bytes.isEmpty { return .failure(Problem(message: "the file is empty; expected a JSON object")) }
        if contents.bytes.count > fileBytes {
            return .failure(
                Problem(message: "the file is larger than \(fileBytes) bytes, so no Apple system would read it"))
        }
        guard case .object? = JSONValue.parse(contents.bytes) else {
            return .failure(Problem(message: "the file is not a JSON object, so no Apple system would read it"))
        }
        return .success(
            AssociationDocument(
                // Never later than the answer's date (RFC 9110, section 8.8.2.1).
                bytes: contents.bytes, lastModified: min(contents.modified, Clock.wallSeconds()),
                cacheMaxAge: cacheMaxAge))
    }
}

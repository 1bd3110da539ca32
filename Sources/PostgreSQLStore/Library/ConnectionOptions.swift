internal import BoundedText
internal import CPostgreSQL
internal import Glibc

/// Options of a connection by their names in libpq, such as `host` and `sslmode`.
struct ConnectionOptions: Sendable {
    private(set) var values: [String: String]

    init(_ values: [String: String] = [:]) { self.values = values }

    /// The options that a URL or keyword string names; nil if libpq cannot read it.
    init?(parsing text: String, _ library: c_pq_table) {
        // C would see the part before it alone.
        guard !text.utf8.contains(0), let options = c_pq_parse(library, text) else { return nil }
        defer { c_pq_free_options(library, options) }
        self.init(options)
    }

    private init(_ options: UnsafeMutablePointer<PQconninfoOption>) {
        values = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { values[String(cText: keyword)] = String(cText: value) }
            option += 1
        }
    }

    /// The value of an option; nil for one that is not there, or empty, which libpq takes for the same.
    subscript(_ keyword: String) -> String? {
        get { values[keyword].flatMap { $0.isEmpty ? nil : $0 } }
        set { values[keyword] = newValue }
    }

    /// These options with those that the environment and service files add; nil if libpq refuses them.
    func effective(_ library: c_pq_table) -> ConnectionOptions? {
        // Only an object of a connection knows them. It is made with a value that libpq refuses once it has all others, so
        // that it never connects.
        var refused = self
        refused["channel_binding"] = "none of them"
        return refused.withCStrings { keywords, values in
            guard let connection = c_pq_connect_start(library, keywords, values) else { return nil }
            defer { c_pq_finish(library, connection) }
            guard let options = c_pq_options(library, connection) else { return nil }
            defer { c_pq_free_options(library, options) }
            var result = ConnectionOptions(options)
            // Without it they were never filled in.
            guard result["channel_binding"] != nil else { return nil }
            result["channel_binding"] = self["channel_binding"]
            return result
        }
    }

    /// Lends two arrays that end in NULL, as libpq takes them.
    func withCStrings<Result>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<UnsafePointer<CChar>?>) -> Result
    ) -> Result {
        let list = Array(values)
        let keywords = list.map { UnsafePointer(strdup($0.key)) } + [nil]
        let texts = list.map { UnsafePointer(strdup($0.value)) } + [nil]
        defer {
            for text in texts {
                guard let text else { continue }
                // One of them may be a password.
                explicit_bzero(UnsafeMutablePointer(mutating: text), strlen(text))
                free(UnsafeMutablePointer(mutating: text))
            }
            for keyword in keywords { free(UnsafeMutablePointer(mutating: keyword)) }
        }
        return body(keywords, texts)
    }
}

extension AppleFailure {
    /// The meaning of the reason of Apple's CDN, a clause, and the remedy, in the imperative; nil for a code that is not
    /// known. The list is open: codes are seen in practice, and Apple does not publish them.
    var meaning: (cause: String, remedy: String)? {
        switch code {
        case "SWCERR00101": badAnswer
        case "SWCERR00202":
            (
                "for Apple the host resolves to a private or reserved address",
                "give the name public addresses only, also where DNS differs by network or country"
            )
        case "SWCERR00301":
            (
                "Apple got no answer in time: dropped packets, a geographic rule, a broken IPv6 address or a slow back "
                    + "end", "let every address of the host answer at once, from every country"
            )
        case "SWCERR00401":
            (
                "what Apple got seems not to be JSON (this code is not documented)",
                "find out what the host sends to 'AASA-Bot'"
            )
        default: nil
        }
    }

    /// `Bad HTTP Response: N …`
    private var badAnswer: (cause: String, remedy: String) {
        let answered = "the host answered Apple's fetcher with"
        let status = reason.split { !("0"..."9" ~= $0) }.compactMap { Int($0) }.first { 100..<600 ~= $0 }
        return switch status {
        case .some(let status) where [401, 403, 429].contains(status):
            (
                "\(answered) \(status): a firewall or a bot protection",
                "allow 'AASA-Bot' in the firewall or bot protection, or this path for everybody; Apple does not "
                    + "publish address ranges"
            )
        case .some(let status) where status == 404 || status == 410:
            (
                "the file was not there when Apple asked (\(status))",
                "put it there, and wait until Apple asks again"
            )
        case .some(let status) where 300..<400 ~= status:
            ("\(answered) a redirect (\(status))", "answer this path without one")
        case .some(let status) where status >= 500:
            ("the host failed when Apple asked (\(status))", "look at the log of the web server of that time")
        case .some(let status): ("\(answered) \(status)", "answer this path with status 200")
        case nil:
            (
                "\(answered) a status other than 200",
                "look for 'AASA-Bot' in the access log of the web server"
            )
        }
    }
}

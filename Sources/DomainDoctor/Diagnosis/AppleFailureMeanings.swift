extension AppleFailure {
    /// The meaning of a reason of Apple's CDN, and the remedy. The list is open: codes are seen in practice, and Apple
    /// does not publish them.
    struct Meaning {
        /// A clause.
        let cause: String
        /// The remedy, in the imperative.
        let remedy: String

        private init(_ cause: String, _ remedy: String) { (self.cause, self.remedy) = (cause, remedy) }

        /// Nil for a code that is not known.
        init?(_ failure: AppleFailure) {
            switch failure.code {
            case "SWCERR00101": self = Self.badAnswer(failure.reason)
            case "SWCERR00202":
                self.init(
                    "for Apple the host resolves to a private or reserved address",
                    "give the name public addresses only, also where DNS differs by network or country")
            case "SWCERR00301":
                self.init(
                    "Apple got no answer in time: dropped packets, a geographic rule, a broken IPv6 address or a slow "
                        + "back end",
                    "let every address of the host answer at once, from every country")
            case "SWCERR00401":
                self.init(
                    "what Apple got seems not to be JSON (this code is not documented)",
                    "find out what the host sends to 'AASA-Bot'")
            default: return nil
            }
        }

        /// `Bad HTTP Response: N …`
        private static func badAnswer(_ reason: String) -> Meaning {
            let status = reason.split { !("0"..."9" ~= $0) }.compactMap { Int($0) }.first { 100..<600 ~= $0 }
            switch status {
            case let status? where [401, 403, 429].contains(status):
                return Meaning(
                    "the host answered Apple's fetcher with \(status): a firewall or a bot protection",
                    "allow 'AASA-Bot' in the firewall or bot protection, or this path for everybody; Apple does not "
                        + "publish address ranges")
            case let status? where status == 404 || status == 410:
                return Meaning(
                    "the file was not there when Apple asked (\(status))",
                    "put it there, and wait until Apple asks again")
            case let status? where 300..<400 ~= status:
                return Meaning(
                    "the host answered Apple's fetcher with a redirect (\(status))", "answer this path without one")
            case let status? where status >= 500:
                return Meaning(
                    "the host failed when Apple asked (\(status))", "look at the log of the web server of that time")
            case let status?:
                return Meaning(
                    "the host answered Apple's fetcher with \(status)", "answer this path with status 200")
            case nil:
                return Meaning(
                    "the host answered Apple's fetcher with a status other than 200",
                    "look for 'AASA-Bot' in the access log of the web server")
            }
        }
    }
}

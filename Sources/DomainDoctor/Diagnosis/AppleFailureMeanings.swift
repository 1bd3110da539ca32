extension AppleFailure {
    /// What a reason of Apple's CDN means, and what helps. The list is open: codes are seen in practice, and Apple does not
    /// publish them.
    struct Meaning {
        let cause: String
        let remedy: String

        private init(_ cause: String, _ remedy: String) { (self.cause, self.remedy) = (cause, remedy) }

        /// Nil for a code that is not known.
        init?(_ failure: AppleFailure) {
            switch failure.code {
            case "SWCERR00101": self = Self.badAnswer(failure.reason)
            case "SWCERR00202":
                self.init(
                    "the host resolves to a private or reserved address for Apple",
                    "give the name a public address for everybody")
            case "SWCERR00301":
                self.init(
                    "no answer in time: dropped packets, a geographic rule, a broken IPv6 address or a slow back end",
                    "let every address of the host answer at once, from everywhere")
            case "SWCERR00401":
                self.init("what Apple got is not JSON", "look at what the host sends to 'AASA-Bot'")
            default: return nil
            }
        }

        /// `Bad HTTP Response: N …`
        private static func badAnswer(_ reason: String) -> Meaning {
            let status = reason.split { $0 < "0" || $0 > "9" }.compactMap { Int($0) }.first { 100..<600 ~= $0 }
            switch status {
            case 401, 403, 429:
                return Meaning(
                    "a firewall or bot protection refused Apple's fetcher",
                    "allow the path, or the user agent 'AASA-Bot'; Apple does not publish address ranges")
            case 404, 410:
                return Meaning(
                    "the file was not there when Apple asked", "put it there, and wait for Apple to ask again")
            case let status? where 300..<400 ~= status:
                return Meaning("the host answered with a redirect", "answer the path without a redirect")
            case let status? where status >= 500:
                return Meaning("the host failed when Apple asked", "look at its log of that time")
            default:
                return Meaning(
                    "the host answered Apple's fetcher with another status than 200", "look at its access log")
            }
        }
    }
}

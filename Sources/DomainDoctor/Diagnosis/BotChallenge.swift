internal import HTTPClient

/// A page that asks a visitor to prove that it is not a robot, in place of an answer.
enum BotChallenge {
    /// The texts that only such pages have, and the product that writes them.
    private static let marks: [(text: String, product: String)] = [
        ("/cdn-cgi/challenge-platform/", "Cloudflare"), ("_cf_chl_opt", "Cloudflare"),
        ("Attention Required! | Cloudflare", "Cloudflare"), ("_Incapsula_Resource", "Imperva"),
        ("captcha-delivery.com", "DataDome"), ("px-captcha", "HUMAN"), ("awsWafCookieDomainList", "AWS WAF"),
        ("errors.edgesuite.net", "Akamai"), ("Sucuri WebSite Firewall", "Sucuri"),
    ]
    /// They are at the beginning of a page.
    private static let maxBytes = 16_384

    /// The product that sent it; nil if it is nothing that is known.
    static func product(_ response: Response) -> String? {
        let head = response.head
        if head.text("CF-Mitigated")?.lowercased() == "challenge" { return "Cloudflare" }
        if head["X-Amzn-Waf-Action"] != nil { return "AWS WAF" }
        if head.text("X-Vercel-Mitigated") != nil { return "Vercel" }
        if head["X-DataDome"] != nil, response.status == 403 { return "DataDome" }
        let page = response.body.prefix(maxBytes)
        return marks.first { page.contains(Array($0.text.utf8)) }?.product
    }

    /// The notes of a finding about an answer that looks like a challenge for robots.
    static func notes(_ response: Response) -> [String] {
        product(response).map { ["the answer is a page of the bot protection of \($0), not of the website"] } ?? []
    }
}

import Foundation
import TestSupport

extension HTTPAnswer {
    var members: [String: Any] { (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:] }

    /// The last part of the type of a problem.
    var problem: String? {
        (members["type"] as? String).flatMap { $0.split(separator: ":").last.map(String.init) }
    }

    subscript(member name: String) -> String? { members[name] as? String }
}

// Whole orders.
extension AuthorityClient {
    struct Challenge {
        let type: String
        let url: String
        let token: String
    }

    /// Starts an order.
    ///
    /// - Returns: its URL.
    func order(_ domain: String, more: String = "") throws -> String {
        let answer = try newOrder(domain, more: more)
        guard answer.status == 201, let url = answer["Location"] else { throw TestFailure("\(answer.text)") }
        return url
    }

    /// The challenges that are offered for an order.
    func challenges(_ order: String) throws -> [Challenge] {
        let list = try post(authorizationURL(order)).members["challenges"] as? [[String: Any]] ?? []
        return list.map { challenge in
            Challenge(
                type: challenge["type"] as? String ?? "", url: challenge["url"] as? String ?? "",
                token: challenge["token"] as? String ?? "")
        }
    }

    private func authorizationURL(_ order: String) throws -> String {
        guard let url = (try post(order).members["authorizations"] as? [String])?.first else {
            throw TestFailure("the order has no authorization")
        }
        return url
    }

    func challenge(_ type: String, of order: String) throws -> Challenge {
        guard let challenge = try challenges(order).first(where: { $0.type == type }) else {
            throw TestFailure("'\(type)' is not offered")
        }
        return challenge
    }

    /// Answers a challenge and waits for the validation.
    ///
    /// - Returns: the authorization, at its end.
    @discardableResult
    func validate(_ challenge: Challenge, of order: String) throws -> HTTPAnswer {
        try post(challenge.url, "{}")
        let url = try authorizationURL(order)
        var last: HTTPAnswer?
        _ = try Waiting.until {
            last = try post(url)
            return last?[member: "status"] != "pending"
        }
        guard let last else { throw TestFailure("there is no authorization") }
        return last
    }
}

internal import Diagnostics
internal import DomainNames
internal import HTTPClient

// The association file as the other addresses of the name send it.
extension DomainDiagnoser {
    mutating func examineAddresses() {
        if let unreachable { return steps.append(Step(.addresses, skipped: unreachable)) }
        let failed = seen.handshakes.compactMap { handshake -> (address: IPAddress, error: String)? in
            switch handshake.result {
            case .success(let chain):
                return chain.verdict.isGood ? nil : (handshake.address, chain.verdict.clause)
            case .failure(let failure):
                return handshake.saysNothing ? nil : (handshake.address, failure.description)
            }
        }
        guard !failed.isEmpty || !seen.others.isEmpty else {
            return steps.append(Step(.addresses, skipped: "there is only one address"))
        }
        guard let exchange = seen.wellKnown else {
            return steps.append(Step(.addresses, skipped: reasonForNoFile))
        }
        let first = reader.answer(exchange)
        var answers = [(address: exchange.address, answer: first)]
        for other in seen.others { answers.append((other.address, reader.answer(other.exchange))) }
        guard let good = answers.first(where: { $0.answer.file != nil }), let file = good.answer.file else {
            return steps.append(Step(.addresses, skipped: "the file cannot be fetched"))
        }
        let bad =
            answers.filter { $0.answer.file == nil }.map { ($0.address, $0.answer.fault) }
            + failed.map { ($0.address, $0.error) }
        for (address, error) in bad {
            report(
                .addresses, .addressFailed, "\(address) fails (\(error)), while \(good.address) sends the file",
                help: "fix the server at \(address), or remove the address from DNS")
        }
        let differing = answers.filter { reader.isOther($0.answer, than: file) }
        if !differing.isEmpty {
            let addresses = Self.list(differing.map(\.address.description))
            report(
                .addresses, .addressContentDiffers,
                "\(addresses) \(differing.count == 1 ? "sends" : "send") another file than \(good.address)",
                evidence: answers.map { "\($0.address): \($0.answer.shown)" },
                help: "deploy the file to every server, and purge the caches in front of them")
        }
        let same = answers.count - differing.count - answers.count { $0.answer.file == nil }
        let parts =
            [same > 1 ? "\(counted(same, "address", "addresses")) send the same file" : nil]
            + differing.map { "\($0.address) sends another file" } + bad.map { "\($0): \($1)" }
        steps.append(
            Step(
                .addresses, summary: parts.compactMap { $0 }.joined(separator: "; "),
                evidence: [
                    "answers": .array(
                        answers.map { $0.answer.evidence("address", $0.address.description) }
                            + failed.map(Self.evidence))
                ]))
    }

    private static func evidence(_ address: IPAddress, _ error: String) -> JSONOutput {
        .object([
            "address": .string(address.description), "status": .null, "sha256": .null, "error": .string(error),
        ])
    }
}

extension Answer {
    /// The fault of an answer that has no file.
    fileprivate var fault: String {
        if case .status(let response) = self { "status \(response.status)" } else { shown }
    }
}

import CertificateHealth
import CommandLineSupport
import Diagnostics

/// The lines that say what to do about the certificates of sites, one for each advice.
struct CertificatesHelp {
    private static let mostNames = 3

    /// By domain, in the order in which they are named.
    let sites: [(domain: String, judgement: CertificateJudgement)]
    /// The columns of the terminal; nil if it is none.
    let width: Int?

    /// Like `help: a.example, b.example and 2 more: renew it now`.
    var lines: [String] {
        var advices: [String] = []
        var domains: [String: [String]] = [:]
        for (domain, judgement) in sites {
            guard let advice = judgement.advice else { continue }
            if domains[advice] == nil { advices.append(advice) }
            domains[advice, default: []].append(domain)
        }
        return advices.flatMap { advice in
            let all = domains[advice] ?? []
            let rest = all.count > Self.mostNames ? " and \(all.count - Self.mostNames) more" : ""
            let names = all.prefix(Self.mostNames).joined(separator: ", ") + rest
            let text = VisibleText.escaped("help: \(names): \(advice)")
            guard let width, width > 20 else { return [text] }
            return WrappedText.lines(text, columns: width, indent: 6)
        }
    }
}

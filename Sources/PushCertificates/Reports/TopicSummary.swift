/// A topic, and the most urgent of the certificates that it can be served with.
struct TopicSummary {
    let name: String
    let team: String?
    let check: CertificateCheck
    let place: CertificatePlace

    /// A topic of every team once, by the bytes of its name, then of its team; those of certificates that count.
    static func all(in report: CheckReport) -> [TopicSummary] {
        var numbers = TopicNumbers()
        var summaries: [TopicSummary] = []
        for entry in ReportEntry.all(in: report) {
            guard let check = entry.check, let place = entry.place, check.counts else { continue }
            let certificate = check.certificate
            for topic in certificate.topics {
                // Entries come by urgency, and numbers in their order: what has one already is more urgent.
                guard numbers.number(of: topic, team: certificate.team) == summaries.count else { continue }
                summaries.append(TopicSummary(name: topic.name, team: certificate.team, check: check, place: place))
            }
        }
        return summaries.sorted { left, right in
            if !left.name.utf8.elementsEqual(right.name.utf8) {
                return left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
            }
            return (left.team ?? "").utf8.lexicographicallyPrecedes((right.team ?? "").utf8)
        }
    }
}

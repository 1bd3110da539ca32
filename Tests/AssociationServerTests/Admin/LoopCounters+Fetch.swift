import AssociationServer

extension LoopCounters {
    func countFetch(site: Int, _ agent: AppleAgent, _ fetch: AppleFetches.Fetch) {
        Array(fetch.userAgent.utf8).withUnsafeBufferPointer {
            countFetch(site: site, agent, $0, fetch.status, at: fetch.at)
        }
    }
}

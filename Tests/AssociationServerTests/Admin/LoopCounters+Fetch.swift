import AssociationServer
import HTTP1

extension LoopCounters {
    func countFetch(site: Int, _ agent: AppleAgent, _ userAgent: String, _ status: Status, at: Int64) {
        Array(userAgent.utf8).withUnsafeBufferPointer {
            countFetch(site: site, agent, $0, status, at: at)
        }
    }
}

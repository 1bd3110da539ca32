import AssociationConsole
import AssociationServer
import Diagnostics
import Dispatch
import FindingCatalogue
import ServiceHealth
import SystemSupport

/// A server that is as a test says.
final class FakeAdminSource: AdminSource {
    struct State: Sendable {
        var servingState = ServingState.ready
        var sites: [SiteFacts] = []
        var served: [ServedSite] = []
        var certificates: [CertificateFacts] = []
        var pairs: [PairFacts] = []
        /// The other facts that decide about health.
        var others = HealthFacts()
        var reloads = ReloadCounts()
        var droppedLogLines: UInt64 = 0
        var issuance: IssuanceReport?
        var store: StoreReport?
        var documents: [String: SiteDocuments] = [:]
        var features = ConsoleFeatures()
        var configuration = ServerConfiguration()
        /// The loops wait for it before they answer.
        var gate: DispatchSemaphore?
        /// `nil` for loops that do not answer.
        var loops: [LoopReport]? = []
        /// The number of times that the loops were asked.
        var questions = 0
    }

    let state = Locked(State())

    init(_ change: (inout State) -> Void = { _ in }) { state.withLock { change(&$0) } }

    var programVersion: String { "1.2.3" }
    var servingState: ServingState { state.withLock { $0.servingState } }
    func facts(eachSite body: (SiteFacts) -> Void) -> HealthFacts {
        let (state, sites) = state.withLock { ($0, $0.sites) }
        for site in sites { body(site) }
        var facts = state.others
        (facts.serving, facts.sites, facts.pairs) = (state.servingState, [], state.pairs)
        facts.directory = state.issuance?.directory ?? ""
        return facts
    }
    var certificates: [CertificateFacts] { state.withLock { $0.certificates } }
    var reloadCounts: ReloadCounts { state.withLock { $0.reloads } }
    var droppedLogLines: UInt64 { state.withLock { $0.droppedLogLines } }

    var issuanceReport: IssuanceReport? { state.withLock { $0.issuance } }

    var storeReport: StoreReport? { state.withLock { $0.store } }

    func ask(milliseconds: Int) -> [LoopReport]? {
        let (loops, gate) = state.withLock { state in
            state.questions += 1
            return (state.loops, state.gate)
        }
        gate?.wait()
        return loops
    }

    var consoleFeatures: ConsoleFeatures { state.withLock { $0.features } }
    var rules: RuleCatalogue { AllRules.catalogue }
    var configuration: ServerConfiguration { state.withLock { $0.configuration } }

    func siteDocuments(of domain: String) -> SiteDocuments? { state.withLock { $0.documents[domain] } }

    func servedSite(forHost host: String) -> ServedSite? {
        let served = state.withLock { $0.served }
        let table = HostTable(served.enumerated().map { ($0.element.domain, $0.offset) })
        return table.find(host).map { served[$0] }
    }
}

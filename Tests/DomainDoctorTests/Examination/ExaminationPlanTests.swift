import DomainDoctor
import DomainNames
import HTTPClient
import OpenSSL
import PushSamples
import TLSSamples
import TestSupport
import Testing

@Suite("The plan of an examination")
struct ExaminationPlanTests {
    /// The request that is not answered, and the steps that are not finished for it.
    private static let cases: [(hanging: String, steps: [Step.ID])] = [
        ("", []), ("lookup", [.dns, .tls, .http, .agents, .addresses, .file, .assetlinks, .google]),
        ("198.105.1.1 handshake", [.tls, .http, .agents, .addresses, .file, .assetlinks, .google]),
        ("198.105.1.2 handshake", [.tls, .addresses]), ("version", [.tls]), ("wellKnown", [.http, .file]),
        ("root", [.http]), ("device", [.agents]), ("browser", [.agents]), ("other", [.addresses]),
        ("assetLinks", [.assetlinks, .google]), ("apple", [.cdn]), ("google", [.google]),
    ]

    @Test(
        "steps that wait for something when the time is over are named, with those that depend on them",
        arguments: cases)
    func unfinished(hanging: String, steps: [Step.ID]) throws {
        var settings = ExaminationSettings(version: "1")
        settings.appleCopies = try RequestURL("https://cdn.example.net/")
        settings.googleViews = try RequestURL("https://google.example.net/")
        let leaf = try PresentedChain(pem: Array(SampleSite.root.certificate.pem().utf8)).leaf
        var plan = ExaminationPlan(try Target.of("shop.example.com"), settings, checkedAt: 0)
        var actions = plan.begin()
        while !actions.isEmpty {
            let action = actions.removeFirst()
            let (name, event) = Self.answer(action, leaf)
            if hanging.isEmpty || !name.contains(hanging) { actions += plan.take(event) }
        }
        #expect(plan.isFinished == hanging.isEmpty)
        #expect(plan.take(.timeIsOver).isEmpty)
        #expect(plan.isFinished && plan.observation.unfinished == steps.sorted())
    }

    @Test("without Android neither assetlinks.json nor Google is asked for, or waited for")
    func withoutAndroid() throws {
        var settings = ExaminationSettings(version: "1")
        settings.googleViews = try RequestURL("https://google.example.net/")
        settings.leavesOutAndroid = true
        let leaf = try PresentedChain(pem: Array(SampleSite.root.certificate.pem().utf8)).leaf
        for hanging in ["", "handshake"] {
            var plan = ExaminationPlan(try Target.of("shop.example.com"), settings, checkedAt: 0)
            var actions = plan.begin()
            var names: [String] = []
            while !actions.isEmpty {
                let (name, event) = Self.answer(actions.removeFirst(), leaf)
                names.append(name)
                if hanging.isEmpty || !name.contains(hanging) { actions += plan.take(event) }
            }
            #expect(names.contains("wellKnown") == hanging.isEmpty && plan.isFinished == hanging.isEmpty)
            #expect(!names.contains("assetLinks") && !names.contains("google"))
            _ = plan.take(.timeIsOver)
            #expect(
                !plan.observation.unfinished.contains(.assetlinks) && !plan.observation.unfinished.contains(.google))
        }
    }

    private static func answer(
        _ action: ExaminationPlan.Action, _ leaf: PresentedChain.LeafFacts
    ) -> (String, ExaminationPlan.Event) {
        let addresses = [IPAddress(ipv4: 0xC669_0101), IPAddress(ipv4: 0xC669_0102)]
        func response(_ address: IPAddress) -> Response {
            Response(head: ResponseHead(status: 200, statusLine: [], fields: []), address: address)
        }
        switch action {
        case .lookUp(let family):
            return ("lookup", .lookedUp(family, .success(family == .ipv4 ? addresses : [])))
        case .startHandshake(let probe):
            return ("\(probe.address) handshake", .handshakeEnded(probe.address, .success(.init(.good, leaf))))
        case .tryVersion(let probe): return ("version", .triedVersion(probe.versions.lowerBound, nil))
        case .request(let part, let request): return ("\(part)", .answered(part, .success(response(request.address))))
        case .ask(let service, _): return ("\(service)", .asked(service, .success(response(addresses[0]))))
        }
    }
}

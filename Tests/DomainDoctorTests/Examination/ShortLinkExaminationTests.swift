import DomainDoctor
import DomainNames
import HTTPClient
import LinkImport
import Testing

/// Asking short links where they lead.
struct ShortLinkExaminationTests {
    private static func answers(_ links: [String], _ world: FakeWorld) async -> [ShortLinkAnswer] {
        let list = ShortLinkList(Array(links.joined(separator: "\n").utf8), path: "list.txt")
        let examination = ShortLinkExamination(
            ExaminationSettings(version: "1.2.3"), transport: world, resolver: world)
        return await examination.answers(to: list)
    }

    private static func response(_ request: Request, _ status: Int, location: String?) -> Response {
        let fields = location.map { [HeaderField("Location", $0)] } ?? []
        return Response(
            head: ResponseHead(status: status, statusLine: Array("HTTP/1.1 \(status)".utf8), fields: fields),
            address: request.address)
    }

    @Test("each link is asked once, by GET, with nothing of a visitor, and the answers are in order")
    func requests() async throws {
        let world = FakeWorld(answer: { request in
            .success(Self.response(request, 302, location: "https://www.example.com\(request.url.target)"))
        })
        let links = (0..<20).map { "https://go.example.com/\($0)" }
        let found = await Self.answers(links, world)
        #expect(found == (0..<20).map { .leads(to: "https://www.example.com/\($0)") })
        let requests = world.record.requests
        #expect(requests.count == 20 && requests.allSatisfy { $0.method == .get && !$0.keepsConnection })
        #expect(requests.allSatisfy { $0.limits.body == 65_536 && $0.timeLimit == .seconds(10) })
        let fields = requests.first?.fields.map { "\(String(decoding: $0.name, as: UTF8.self))" }
        #expect(fields == ["User-Agent", "Accept", "Accept-Encoding"])
    }

    @Test("redirects of the host itself are followed, and no other")
    func redirects() async {
        let world = FakeWorld(answer: { request in
            let isFirst = request.url.scheme == .http
            let next = isFirst ? "https://go.example.com/a" : "https://www.example.com/sale"
            return .success(Self.response(request, 301, location: next))
        })
        #expect(
            await Self.answers(["http://go.example.com/a"], world) == [.leads(to: "https://www.example.com/sale")])
        #expect(world.record.requests.map { "\($0.url)" } == ["http://go.example.com/a", "https://go.example.com/a"])
    }

    @Test("addresses that are not public are never contacted, also where a redirect names one")
    func privateAddresses() async {
        let world = FakeWorld(addresses: ["127.0.0.1", "10.0.0.1", "::1"])
        let found = await Self.answers(
            ["https://go.example.com/a", "https://127.0.0.1/a", "https://[::1]/a", "https://169.254.169.254/a"], world)
        #expect(world.record.contacted.isEmpty)
        for answer in found {
            guard case .unknown(let reason) = answer else {
                Issue.record("\(answer)")
                continue
            }
            #expect(reason.contains("not a public address"), "\(reason)")
        }
    }

    @Test("a link that fails has the reason, and the others are answered")
    func failures() async {
        let world = FakeWorld(
            answer: { request in
                request.url.target == "/bad"
                    ? .failure(Failure(.reset, phase: .waiting, address: request.address))
                    : .success(Self.response(request, 404, location: nil))
            },
            resolve: { name, _ in
                name == "none.example.com"
                    ? .failure(.noSuchName) : .success([IPAddress("198.105.1.1")].compactMap { $0 })
            })
        let found = await Self.answers(
            ["https://go.example.com/bad", "https://none.example.com/a", "https://go.example.com/a", "shop://a"], world)
        #expect(
            found == [
                .unknown("connection reset"), .unknown("the name 'none.example.com' does not exist"),
                .unknown("the host answers with status 404"),
                .unknown("it is not an http or https URL with a host"),
            ])
    }
}

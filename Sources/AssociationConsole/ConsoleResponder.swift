package import AssociationLint
package import Diagnostics
internal import HTTP1

/// Answers the requests that `RequestGuard` lets through: pages, their assets, and the API.
///
/// It keeps nothing between requests, and may be used from any thread.
package struct ConsoleResponder: Sendable {
    private let rules: RuleCatalogue
    private let version: String
    private let unwrap: @Sendable ([UInt8]) -> SignedFile?
    private let refusal: Refusal

    /// The report of a file that is published nowhere, whatever else is in it; nil for any other.
    package typealias Refusal = @Sendable (_ bytes: [UInt8], _ kind: FileKind, _ name: String) -> FileReport?

    /// - Parameters:
    ///   - rules: All whose codes a request may name.
    ///   - version: Of the program, for the footer of pages.
    ///   - unwrap: As of `Linter`.
    package init(
        rules: RuleCatalogue, version: String, unwrap: @escaping @Sendable ([UInt8]) -> SignedFile?,
        refusal: @escaping Refusal
    ) {
        self.refusal = refusal
        self.rules = rules
        self.version = version
        self.unwrap = unwrap
    }

    /// - Parameters:
    ///   - request: With its body.
    ///   - now: In seconds since 1970.
    package func answer(_ request: ConsoleRequest, _ content: ConsoleContent, now: Int64) -> ConsoleAnswer {
        switch ConsoleRoute(path: request.path, isServer: content.isServer) {
        case .asset(let name)?:
            return ConsoleAsset.named(name)?.answer(ifNoneMatch: request.ifNoneMatch) ?? .text(.notFound, "not found")
        case .api(let endpoint)?:
            do throws(APIError) {
                return try answer(endpoint, request, content, now)
            } catch {
                return error.answer
            }
        case .page(let page)?:
            let frame = PageFrame(
                path: request.path, isServer: content.isServer, hasStore: content.hasStore,
                // Whatever else has led here, nothing begins before a person asks for it.
                isReachedFromHere: request.fetchSite == "same-origin", version: version, rules: rules)
            return Pages(frame: frame, unwrap: unwrap, now: now).answer(page, request.query, content)
        case nil: return .text(.notFound, "not found")
        }
    }

    private func answer(
        _ endpoint: ConsoleRoute.Endpoint, _ request: ConsoleRequest, _ content: ConsoleContent, _ now: Int64
    ) throws(APIError) -> ConsoleAnswer {
        let reader = RequestFileReader(unwrap: unwrap, manifests: content.manifests)
        let files = FileAPI(rules: rules, unwrap: unwrap, refusal: refusal, files: reader)
        switch endpoint {
        case .validate: return try files.validate(request.body)
        case .route: return try LinkAPI(files: reader).route(request.body)
        case .test: return try LinkAPI(files: reader).test(request.body)
        case .diff: return try files.diff(request.body)
        case .fix: return try files.fix(request.body)
        default: break
        }
        guard case .server(let source) = content else {
            guard case .doctor = endpoint, case .files(let files) = content else { throw .notFound("not found") }
            return try DoctorAPI.answer(request.body) { target throws(APIError) in files.doctor(target) }
        }
        let server = ServerAPI(source: source, now: now)
        switch endpoint {
        case .sites: return try server.sites(request.query)
        case .site(let name): return try server.site(name)
        case .certificates: return try server.certificates(request.query)
        case .metricsHistory: return try server.metricsHistory(request.query)
        case .status: return try server.status(request.query)
        case .doctor:
            return try DoctorAPI.answer(request.body) { name throws(APIError) in try server.doctor(name) }
        case .validate, .route, .test, .diff, .fix: throw .notFound("not found")
        }
    }
}

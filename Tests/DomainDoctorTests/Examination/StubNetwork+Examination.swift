import DomainDoctor
import Foundation
import HTTPClient
import OpenSSL
import PushSamples
import SystemSupport
import TLSSamples
import TestSupport

extension StubNetwork {
    /// Examines with libcurl and the system's resolver, as the command does.
    ///
    /// - Parameter seconds: the time limit of a request, for those that do not end.
    func examination(
        seconds: Double? = nil, services: Bool = true, _ change: (inout ExaminationSettings) throws -> Void = { _ in }
    ) throws -> Examination {
        var settings = ExaminationSettings(version: "1.2.3")
        settings.timeLimit = .seconds(seconds ?? Double(Patience.seconds))
        settings.allowsPrivateAddresses = true
        for text in overrides { try settings.overrides.add(text) { $0 } }
        if services {
            settings.appleCopies = try RequestURL(cdn)
            settings.googleViews = try RequestURL(googlePrefix)
        }
        try change(&settings)
        return try Examination(
            settings, trust: try TrustStore(includesSystem: false, additional: Array(Self.roots.get().utf8)),
            now: { SampleSite.now })
    }

    private static let roots = Result { try SampleSite.root.certificate.pem() }

    /// The same for one host.
    func observe(
        _ site: StubSite, seconds: Double? = nil, services: Bool = false,
        _ change: (inout ExaminationSettings) throws -> Void = { _ in }
    ) async throws -> Observation {
        try await examination(seconds: seconds, services: services, change).observe(.of(site.authority))
    }
}

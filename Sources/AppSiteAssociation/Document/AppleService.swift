/// A service of Apple's systems for which a domain names apps; the only list of them.
///
/// `applinks`, `webcredentials`, `appclips` and `activitycontinuation`: "Supporting associated domains"; `authsrv`: single
/// sign-on by an extension ("Associated Domains Entitlement"); `messagefilter` and `classificationreport`: the network
/// services of IdentityLookup ("SMS and MMS Message Filtering", "SMS and Call Spam Reporting"). The others are in files of
/// Apple's own domains.
package enum AppleService: String, CaseIterable, Sendable {
    case applinks, webcredentials, appclips, activitycontinuation
    case authsrv, messagefilter, classificationreport
    case spotlightSuggestions = "spotlight-suggestions"
    case musicassociations, appsharedcontent

    /// The services whose apps ``AssociationDocument`` has.
    package static let modelled: [AppleService] = [.applinks, .webcredentials, .appclips, .activitycontinuation]
    /// The services that an app asks for by an associated domain.
    package static let ofDomains: [AppleService] = modelled + [.authsrv, .messagefilter, .classificationreport]
}

extension AssociationDocument {
    /// The IDs of the apps that the file gives a service to, in its order; nil if it does not have the service, or the
    /// service is not modelled.
    package func appIDs(of service: AppleService) -> [String]? {
        switch service {
        case .applinks: appLinks?.details.flatMap { $0.appIDs.map(\.value) }
        case .webcredentials: webCredentials?.apps.map(\.value)
        case .appclips: appClips?.apps.map(\.value)
        case .activitycontinuation: activityContinuation?.apps.map(\.value)
        default: nil
        }
    }
}

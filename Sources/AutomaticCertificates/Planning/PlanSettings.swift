package import ACME
package import AssociationServer

extension IssuancePlan.Settings {
    /// What server.json says, as the plan needs it; nil if the directory is not a usable URL.
    package init?(_ input: IssuanceInput) {
        let configuration = input.configuration
        guard let directory = SecureURL(configuration.directory.url) else { return nil }
        self.init(directory: directory)
        isForPublicNamesOnly = configuration.directory.isPublic
        // Names of folders, and no other spelling.
        excluded = Set(
            configuration.exclude.compactMap { name in Domain(name).flatMap { $0.folderName == name ? $0 : nil } })
        challenges = configuration.challenges.compactMap(ChallengeType.init)
        answerable = Set(input.answerable.compactMap(ChallengeType.init))
        profile = configuration.profile
        preferredChain = configuration.preferredChain
        parallelOrders = configuration.limits.parallelOrders
        ordersPer3Hours = configuration.limits.ordersPer3Hours
    }
}

extension ChallengeType {
    fileprivate init?(_ type: ACMEConfiguration.ChallengeType) { self.init(rawValue: type.rawValue) }
}

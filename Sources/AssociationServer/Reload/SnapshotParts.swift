/// What a snapshot is made of.
struct SnapshotParts {
    var configuration: ServerConfiguration
    let numbers: SiteNumbers
    var sites: SiteLoad
    var certificates: LoadedCertificates
    /// What is wrong with the certificates beside each other.
    var choiceFindings: [Finding] = []
}

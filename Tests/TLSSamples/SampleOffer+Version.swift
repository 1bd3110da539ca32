extension SampleOffer {
    /// Those that are spoken today.
    public static let versions: [Version] = [.tls12, .tls13]

    /// Offers one version only.
    public init(_ version: Version) {
        self.init {
            $0.oldest = version
            $0.newest = version
        }
    }
}

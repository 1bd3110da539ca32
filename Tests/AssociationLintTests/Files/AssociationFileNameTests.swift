import AssociationLint
import Testing

struct AssociationFileNameTests {
    @Test(
        "A name that is nearly right is known",
        arguments: [
            "apple-app-site-assocation", "apple-app-site-association.txt", "Apple-App-Site-Association",
            "apple_app_site_association", "apple-app-site-association (1)", "apple-app-site-association copy",
            "apple-app-site-association.json.bak", "apple app site association", "appl-app-site-asociation",
            "apple-app-site-associations", "apple-app-site-association.JSON",
        ])
    func near(name: String) { #expect(AssociationFileName.isNearMiss(name)) }

    @Test(
        "The right name and other names are not near misses",
        arguments: [
            "apple-app-site-association", "assetlinks.json", "package.json", "", ".", "apple-touch-icon.png",
            "association",
            String(repeating: "apple-app-site-association", count: 100),
        ])
    func far(name: String) { #expect(!AssociationFileName.isNearMiss(name)) }
}

import AssociationFiles
import SystemSupport
import TestSupport
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

struct AssociationFileSearchTests {
    @Test("the files that a system or an Android device asks for are found, and near misses told apart")
    func search() throws {
        let folder = try TemporaryFolder()
        for name in [
            "b/apple-app-site-association", "a/assetlinks.json", "a/apple-app-site-association.json", "a/package.json",
            "c/apple_app_site_association", ".git/apple-app-site-association",
            "node_modules/x/apple-app-site-association",
        ] { try folder.write("{}", to: name) }
        try folder.link("a/apple-app-site-association", to: "nowhere")
        try folder.link("d", to: "b")
        let found = AssociationFileSearch(in: RawPath(folder.path))
        #expect(
            found.files.map(\.shown)
                == [
                    "a/apple-app-site-association", "a/apple-app-site-association.json", "a/assetlinks.json",
                    "b/apple-app-site-association",
                ].map { "\(folder.path)/\($0)" })
        #expect(found.nearMisses.map(\.shown) == ["\(folder.path)/c/apple_app_site_association"])
        #expect(found.unreadable.isEmpty)
        #expect(
            AssociationFileSearch(in: RawPath("\(folder.path)/none")).unreadable.map(\.path.shown) == [
                "\(folder.path)/none"
            ])
    }

    @Test("the nearest of several names is suggested for a missing file, and nothing for other names")
    func help() throws {
        let folder = try TemporaryFolder()
        try folder.write("{}", to: "readme")
        #expect(AssociationFileSearch.help(forMissingFileIn: folder.path) == nil)
        try folder.write("{}", to: "appl-app-site-asociation")
        try folder.write("{}", to: "apple-app-site-association.txt")
        let rename = "rename 'apple-app-site-association.txt' to 'apple-app-site-association'"
        #expect(AssociationFileSearch.help(forMissingFileIn: folder.path) == rename)
        try folder.write("{}", to: ".well-known/apple-app-site-association")
        let file = "\(folder.path)/.well-known/apple-app-site-association"
        #expect(AssociationFileSearch.help(forMissingFileIn: folder.path) == "move '\(file)' up into '\(folder.path)'")
    }
}

import ArgumentParser
import CommandLineSupport

/// `aasa android`: the commands that are about Android apps alone.
struct AndroidCommands: ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "android",
        abstract: "Prepare the links of an Android app: the fingerprints and the dynamic rules for assetlinks.json.",
        discussion: manual.discussion(
            """
            Everything else works for both platforms: 'aasa validate' checks assetlinks.json too, 'aasa route --android' decides \
            by it, and 'aasa serve' serves it.
            """),
        subcommands: [AndroidFingerprint.self, AndroidComponents.self])

    static let manual = CommandManual(
        examples: [
            .init("aasa android fingerprint app-release.apk", "show the certificate that an app is signed with"),
            .init(
                "aasa android components apple-app-site-association --app ABCDE12345.com.example.app",
                "write an app's rules for Android"),
        ],
        exits: [.init(.done, "if it succeeded")] + AndroidFingerprint.exits + AndroidComponents.exits,
        seeAlso: ["aasa-diff(1)", "aasa-validate(1)", "aasa-serve(1)"])
}

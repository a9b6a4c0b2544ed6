import ArgumentParser
import CardeaHTTP

/// In which apps the links on tags open.
struct AppLinkOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "An iOS app that opens the links on tags: TEAM.bundle.id. Can be repeated.", valueName: "id"))
    var iosApp: [String] = []

    @Option(
        help: ArgumentHelp(
            "An Android app that opens the links on tags, with the SHA-256 fingerprint of its certificate. Can be repeated.",
            valueName: "package=fingerprint"))
    var androidApp: [String] = []

    func validate() throws {
        if let wrong = iosApp.first(where: { !AppLinks.isAppleID($0) }) {
            throw ValidationError("--ios-app needs a team and a bundle, such as ABCDE12345.org.example.door; \(wrong) is not one.")
        }
        if let wrong = androidApp.first(where: { AppLinks.AndroidApp($0) == nil }) {
            throw ValidationError(
                "--android-app needs a package and a fingerprint, such as org.example.door=AB:CD:… (32 octets); \(wrong) is not one.")
        }
    }

    var links: AppLinks { AppLinks(appleIDs: iosApp, androidApps: androidApp.compactMap(AppLinks.AndroidApp.init)) }
}

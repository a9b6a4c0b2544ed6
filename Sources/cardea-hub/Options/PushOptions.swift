import ArgumentParser
import CardeaHub
import CardeaPush
import CardeaSecurity
import Foundation
import Logging
import ServiceLifecycle

/// Options for push notifications.
struct PushOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A push service of your own, at any address and port. Without it only public addresses are used. May be given several times.",
            valueName: "origin"))
    var pushService: [String] = []

    @Option(
        name: .customLong("push-ca"),
        help: ArgumentHelp("Certificates that are trusted beside the system's, for a push service of your own, PEM.", valueName: "file"))
    var pushAuthorities: String?

    @Option(
        help: ArgumentHelp(
            "How whoever runs a push service reaches you, mailto: or https:. Default: the address of --public-url.", valueName: "address"))
    var pushContact: String?

    @Option(name: .customLong("apns-key"), help: ArgumentHelp("Apple's key for notices to your own app, .p8.", valueName: "file"))
    var apnsKey: String?

    @Option(name: .customLong("apns-key-id"), help: ArgumentHelp("The name of that key, 10 characters.", valueName: "id"))
    var apnsKeyID: String?

    @Option(name: .customLong("apns-team"), help: ArgumentHelp("The developer team that it belongs to, 10 characters.", valueName: "id"))
    var apnsTeam: String?

    @Option(name: .customLong("apns-topic"), help: ArgumentHelp("The app's bundle identifier.", valueName: "name"))
    var apnsTopic: String?

    @Option(
        name: .customLong("apns-url"),
        help: ArgumentHelp("Where Apple's push service is; for an app in development, that of the sandbox.", valueName: "url"))
    var apnsURL = APNsSender.productionURL

    func validate() throws {
        for origin in pushService where !PushServicePolicy.isOrigin(origin) {
            throw ValidationError("--push-service needs an origin, such as https://push.example.org; \(origin) is none.")
        }
        if let pushContact, !pushContact.hasPrefix("mailto:"), !pushContact.hasPrefix("https://") {
            throw ValidationError("--push-contact begins with mailto: or https://")
        }
        let given = [apnsKey, apnsKeyID, apnsTeam, apnsTopic].filter { $0 != nil }.count
        guard given == 0 || given == 4 else {
            throw ValidationError("--apns-key, --apns-key-id, --apns-team and --apns-topic belong together.")
        }
        guard let url = URL(string: apnsURL), let scheme = url.scheme, let host = url.host(), url.path.isEmpty,
            scheme == "https" || (scheme == "http" && ["127.0.0.1", "localhost", "[::1]", "::1"].contains(host))
        else { throw ValidationError("--apns-url needs scheme and host, such as \(APNsSender.productionURL)") }
    }

    /// Installs all available push services in `hub`.
    ///
    /// - Returns: the client, which must live as long as the hub.
    func install(for hub: Hub, publicURL: String?, logger: Logger) async throws -> PushClient {
        let now = hub.environment.now
        let provider = try await provider()
        // Some services refuse senders without any contact.
        let contact = pushContact ?? publicURL.flatMap { $0.hasPrefix("https://") ? $0 : nil } ?? "https://cardea.invalid"
        let identity = try await VAPIDTokenProvider(key: hub.pushSubscriptions.identity, contact: contact)
        let client: PushClient
        do { client = try PushClient(authorities: pushAuthorities.map { URL(filePath: $0) }, logger: logger) } catch {
            throw ValidationError("--push-ca names no file with certificates in PEM.")
        }
        hub.notificationDispatcher.register(.browser, with: WebPushSender(client: client, identity: identity, now: now))
        if let provider, let apnsTopic {
            hub.notificationDispatcher.register(
                .apple, with: APNsSender(client: client, provider: provider, topic: apnsTopic, url: apnsURL, now: now))
        }
        return client
    }

    private func provider() async throws -> APNsTokenProvider? {
        guard let apnsKey, let apnsKeyID, let apnsTeam else { return nil }
        let key = Secret(try String(contentsOf: URL(filePath: apnsKey), encoding: .utf8))
        return try await APNsTokenProvider(key: key, keyID: apnsKeyID, teamID: apnsTeam)
    }
}

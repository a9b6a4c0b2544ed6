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
            "The origin of your own push service, at any address and port. Other push services need a public address. Can be repeated.",
            valueName: "origin"))
    var pushService: [String] = []

    @Option(
        name: .customLong("push-ca"),
        help: ArgumentHelp("Additional CA certificates for your own push service, PEM.", valueName: "file"))
    var pushAuthorities: String?

    @Option(
        help: ArgumentHelp(
            "Your contact for operators of push services, mailto: or https:. Default: the address of --public-url.", valueName: "address"))
    var pushContact: String?

    @Option(
        name: .customLong("apns-key"),
        help: ArgumentHelp("The APNs key for notifications to your own iOS app, a .p8 file.", valueName: "file"))
    var apnsKey: String?

    @Option(name: .customLong("apns-key-id"), help: ArgumentHelp("The key id of --apns-key, 10 characters.", valueName: "id"))
    var apnsKeyID: String?

    @Option(name: .customLong("apns-team"), help: ArgumentHelp("The developer team id of --apns-key, 10 characters.", valueName: "id"))
    var apnsTeam: String?

    @Option(name: .customLong("apns-topic"), help: ArgumentHelp("The bundle identifier of the app.", valueName: "name"))
    var apnsTopic: String?

    @Option(
        name: .customLong("apns-url"),
        help: ArgumentHelp("The address of Apple's push service. For an app in development, use the sandbox.", valueName: "url"))
    var apnsURL = APNsSender.productionURL

    func validate() throws {
        for origin in pushService where !PushServicePolicy.isOrigin(origin) {
            throw ValidationError("--push-service needs an origin, such as https://push.example.org; \(origin) is not one.")
        }
        if let pushContact, !pushContact.hasPrefix("mailto:"), !pushContact.hasPrefix("https://") {
            throw ValidationError("--push-contact must begin with mailto: or https://")
        }
        let given = [apnsKey, apnsKeyID, apnsTeam, apnsTopic].filter { $0 != nil }.count
        guard given == 0 || given == 4 else {
            throw ValidationError("--apns-key, --apns-key-id, --apns-team and --apns-topic need each other.")
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
            throw ValidationError("--push-ca needs a file with certificates in PEM.")
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

import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel

struct WebhookAddCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a webhook for a doorbell or camera, and print its URL once.",
        discussion: """
            Enter the URL in the device's settings; the device calls it when the bell rings or something moves. The URL can do nothing
            else. Needs `cardea step-up` first, unless you have just signed in. Most devices need a hub that was started with
            --webhook-listen.

              cardea webhooks add "Front door bell" --make doorbird
              cardea webhooks add Yard --make hikvision --camera Yard --type motion
            """)

    @Argument(help: "The name of the webhook.")
    var name: String
    @Option(
        help: "The make of the device: axis, dahua (also Amcrest), doorbird, hikvision, reolink, shelly, unifi, or generic for any other.")
    var make: IncomingWebhookVendor = .generic
    @Option(help: "The camera or device of the events, by id or name.")
    var camera: String?
    @Option(help: "The event type if the report has none: ring, motion, person, …")
    var type: String?
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let place = if let camera { try await Self.resolveSource(camera, client) } else { String?.none }
        let made = try await client.webhooks.create(MakeWebhookBody(name: name, make: make, cameraID: place, type: type))
        try await context.output.show(made) {
            """
            \(made.name) reports to: \(made.url ?? "")
            It is not shown again. If the device has one URL for each event, append /ring, /motion or another type.
            """
        }
    }

    private static func resolveSource(_ wanted: String, _ client: CardeaClient) async throws -> String {
        let cameras = try await client.cameras.list().cameras.map { ($0.cameraID, $0.name) }
        let devices = try await client.devices.list().devices.map { ($0.deviceID, $0.name) }
        return try NameResolver.resolve(wanted, among: cameras + devices, what: "camera or device", ids: { [$0.0] }, name: \.1).0
    }
}

extension IncomingWebhookVendor: ExpressibleByArgument {}

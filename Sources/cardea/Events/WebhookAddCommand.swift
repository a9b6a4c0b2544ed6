import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel

struct WebhookAddCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Make a URL for a doorbell or camera, and print it this once.",
        discussion: """
            The URL is entered at the device, which reports to it when somebody rings or something moves. It is good for that alone. Making one
            asks for a step-up, unless you signed in just now. Most such devices need a hub that was started with --webhook-listen.

              cardea webhooks add "Front door bell" --make doorbird
              cardea webhooks add Yard --make hikvision --camera Yard --type motion
            """)

    @Argument(help: "Who reports.")
    var name: String
    @Option(help: "axis, dahua (Amcrest too), doorbird, hikvision, reolink, shelly, unifi, or generic for any other.")
    var make: WebhookVendor = .generic
    @Option(help: "The camera or device for which it reports, by id or name.")
    var camera: String?
    @Option(help: "The type of an event whose report does not say it: ring, motion, person, …")
    var type: String?
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let place = if let camera { try await Self.resolveSource(camera, client) } else { String?.none }
        let made = try await client.webhooks.create(MakeWebhookBody(name: name, make: make, cameraID: place, type: type))
        try await context.output.show(made) {
            """
            \(made.name) reports to: \(made.url ?? "")
            It is shown this once. Where the device has one URL for each event, put /ring, /motion or another type behind it.
            """
        }
    }

    private static func resolveSource(_ wanted: String, _ client: CardeaClient) async throws -> String {
        let cameras = try await client.cameras.list().cameras.map { ($0.cameraID, $0.name) }
        let devices = try await client.devices.list().devices.map { ($0.deviceID, $0.name) }
        return try NameResolver.resolve(wanted, among: cameras + devices, what: "camera or device", ids: { [$0.0] }, name: \.1).0
    }
}

extension WebhookVendor: ExpressibleByArgument {}

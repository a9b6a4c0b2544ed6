import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity

struct ButtonChangeCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "change", abstract: "Give a button another title, have it do something else, or switch it off.",
        discussion: """
            What you do not name stays as it is. Where it does something else, its tags do nothing until you say for each that it still
            shall: cardea tags renew.

              cardea buttons change Garage --title "Big garage" --countdown 5
              cardea buttons change "Reading light" living-lamp:set_brightness=60
              cardea buttons change Gate --message '{"command":2}' --no-tags
              cardea buttons change Gate --no-enabled
            """)

    @Argument(help: "The button, by id or whole title.", completion: .buttons)
    var button: String
    @Argument(help: ArgumentHelp("What it asks a device of the house from now on.", valueName: "device:action"))
    var action: ParsedDeviceAction?
    @Option(help: "What stands on it from now on.")
    var title: String?
    @OptionGroup(title: "To a broker") var publish: PublishChanges
    @Option(help: ArgumentHelp("Seconds in which a tap may be taken back, 0 to 30.", valueName: "seconds"))
    var countdown: Int?
    @Flag(inversion: .prefixedNo, help: "Whether anything presses it at all.")
    var enabled: Bool?
    @Flag(inversion: .prefixedNo, help: "Whether tags and links press it.")
    var tags: Bool?
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard action != nil || publish.hasChanges || title != nil || countdown != nil || enabled != nil || tags != nil else {
            throw ValidationError("Say what to change: device:action, --title, --message, --countdown, --enabled, --tags …")
        }
        guard countdown.map(Button.countdowns.contains) ?? true else { throw ValidationError("--countdown is 0 to 30.") }
        guard action == nil || !publish.hasChanges else {
            throw ValidationError("It does one thing: device:action, or what it says to a broker.")
        }
    }

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let before = try await context.button(button, for: "buttons change")
        var body = ButtonBody(
            title: title ?? before.title, enabled: enabled ?? before.enabled, tagsEnabled: tags ?? before.tagsEnabled,
            countdown: countdown ?? before.countdown)
        if let action {
            let device = try NameResolver.device(action.device, among: try await client.devices.list().devices)
            body.action = DeviceActionBody(deviceID: device.deviceID, action: action.action, value: action.value?.json)
        } else if before.publish != nil || publish.hasChanges {
            body.publish = try publish.body(from: before.publish, context.prompt)
        } else {
            body.action = before.action
        }
        let changed = try await client.buttons.replace(before.buttonID, body, seen: before.version)
        let isOutdated = await Self.hasOutdatedTags(changed, client)
        try await context.output.show(changed) {
            let tags = isOutdated ? " A tag that was written for something else does nothing until you renew it: cardea tags renew TAG" : ""
            return "\(changed.title) is changed.\(tags)"
        }
    }

    /// Returns whether a resident must confirm a tag of the button again after the change. The house decides which changes matter. If it
    /// cannot be asked now, the result is false: the change is made all the same, and `cardea tags` reports it later.
    private static func hasOutdatedTags(_ button: ButtonAnswer, _ client: CardeaClient) async -> Bool {
        let tags = try? await client.tags.list().tags
        return tags?.contains { $0.buttonID == button.buttonID && $0.outdated } ?? false
    }
}

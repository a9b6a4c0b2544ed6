import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity

struct ButtonChangeCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "change", abstract: "Change a button's title, action or options, or disable it.",
        discussion: """
            Options that you leave out stay as they are. After the action changes, its tags do nothing until you renew each of them:
            cardea tags renew.

              cardea buttons change Garage --title "Big garage" --countdown 5
              cardea buttons change "Reading light" living-lamp:set_brightness=60
              cardea buttons change Gate --message '{"command":2}' --no-tags
              cardea buttons change Gate --no-enabled
            """)

    @Argument(help: "The button, by id or full title.", completion: .buttons)
    var button: String
    @Argument(help: ArgumentHelp("The device and the action that the button is to perform.", valueName: "device:action"))
    var action: ParsedDeviceAction?
    @Option(help: "The new title.")
    var title: String?
    @OptionGroup(title: "MQTT message") var publish: PublishChanges
    @Option(help: ArgumentHelp("Seconds in which a tap can be canceled, 0 to 30.", valueName: "seconds"))
    var countdown: Int?
    @Flag(inversion: .prefixedNo, help: "Enable or disable the button.")
    var enabled: Bool?
    @Flag(inversion: .prefixedNo, help: "Allow tags and links to press it.")
    var tags: Bool?
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard action != nil || publish.hasChanges || title != nil || countdown != nil || enabled != nil || tags != nil else {
            throw ValidationError("Nothing to change. Add DEVICE:ACTION, --title, --message, --countdown, --enabled, --tags …")
        }
        guard countdown.map(Button.countdowns.contains) ?? true else { throw ValidationError("--countdown needs 0 to 30 seconds.") }
        guard action == nil || !publish.hasChanges else {
            throw ValidationError("A button has one action: DEVICE:ACTION, or --topic with --message.")
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
            let tags = isOutdated ? " Its tags do nothing until you renew them: cardea tags renew TAG" : ""
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

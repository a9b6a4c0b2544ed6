import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity

struct ButtonAddCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a button that controls a device or publishes an MQTT message.",
        discussion: """
            The action is DEVICE:ACTION or DEVICE:ACTION=VALUE; you need permission for it yourself.
            With --topic, the button publishes a message instead. It then counts as opening a door, unless you add --control.

              cardea buttons add Garage garage:open --countdown 3
              cardea buttons add "Reading light" living-lamp:set_brightness=40
              cardea buttons add Gate --topic home/gate --message '{"command":1}' --signed --state-topic home/gate/state
            """)

    @Argument(help: "The title of the button.")
    var title: String
    @Argument(help: ArgumentHelp("The action of a device.", valueName: "device:action"))
    var action: ParsedDeviceAction?
    @OptionGroup(title: "MQTT message") var publish: PublishOptions
    @Option(help: ArgumentHelp("Seconds in which a tap can be canceled, 0 to 30.", valueName: "seconds"))
    var countdown: Int = 0
    @Flag(inversion: .prefixedNo, help: "Allow tags and links to press it.")
    var tags = true
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard Button.countdowns.contains(countdown) else { throw ValidationError("--countdown needs 0 to 30 seconds.") }
        guard (action == nil) != (publish.topic == nil) else {
            throw ValidationError("Add an action: DEVICE:ACTION, or --topic with --message.")
        }
    }

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        var body = ButtonBody(title: title, publish: try publish.body(context.prompt), tagsEnabled: tags, countdown: countdown)
        if let action {
            let device = try NameResolver.device(action.device, among: try await client.devices.list().devices)
            body.action = DeviceActionBody(deviceID: device.deviceID, action: action.action, value: action.value?.json)
        }
        let made = try await client.buttons.create(body)
        try await context.output.show(made) { "\(made.title) is added. Press it: cardea buttons press \(made.buttonID)" }
    }
}

/// Options for the message that a button publishes to a broker.
struct PublishOptions: ParsableArguments {
    @Option(help: "The MQTT topic to publish to.")
    var topic: String?
    @Option(help: "The message to publish. The first %T becomes the encrypted time.")
    var message: String?
    @Flag(help: "Publish to the buttons' own broker (integration `endpoint`) instead of the house's broker.")
    var endpoint = false
    @Flag(help: "The button opens no door, so fewer checks apply before a press.")
    var control = false
    @Option(help: "The MQTT topic on which the device confirms.")
    var stateTopic: String?
    @Option(help: "The confirmation to expect. Default: any message.")
    var stateMessage: String?
    @Flag(help: "Sign the message so that the device can verify it. See `cardea buttons key`.")
    var signed = false
    @Flag(help: "Encrypt %T with a key that you are asked for: 32 hexadecimal digits.")
    var timestamped = false

    func validate() throws {
        guard (topic == nil) == (message == nil) else { throw ValidationError("--topic and --message need each other.") }
        let isMore = endpoint || control || stateTopic != nil || stateMessage != nil || signed || timestamped
        guard topic != nil || !isMore else { throw ValidationError("Add --topic and --message for the message to publish.") }
    }

    /// Nil if no message is given.
    func body(_ prompt: Prompt) throws -> PublishBody? {
        guard let topic, let message else { return nil }
        var body = PublishBody(via: endpoint ? .endpoint : .mqtt, topic: topic, message: message, risk: control ? .control : .open)
        body.stateTopic = stateTopic
        body.stateMessage = stateMessage
        body.signed = signed
        if timestamped { body.timestampKey = try prompt.secret("Key for %T").reveal() }
        return body
    }
}

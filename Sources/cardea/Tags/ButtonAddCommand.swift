import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity

struct ButtonAddCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "A new button, for a device of the house or for one that listens to a broker.",
        discussion: """
            What it does is a device, a colon, and what it is asked; a value follows an equals sign. You need the right to it yourself.
            Or it says a message to a topic: then it may open something, unless you say --control.

              cardea buttons add Garage garage:open --countdown 3
              cardea buttons add "Reading light" living-lamp:set_brightness=40
              cardea buttons add Gate --topic home/gate --message '{"command":1}' --signed --state-topic home/gate/state
            """)

    @Argument(help: "What stands on it.")
    var title: String
    @Argument(help: ArgumentHelp("What it asks a device of the house.", valueName: "device:action"))
    var action: ParsedDeviceAction?
    @OptionGroup(title: "To a broker") var publish: PublishOptions
    @Option(help: ArgumentHelp("Seconds in which a tap may be taken back, 0 to 30.", valueName: "seconds"))
    var countdown: Int = 0
    @Flag(inversion: .prefixedNo, help: "Whether tags and links press it.")
    var tags = true
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard Button.countdowns.contains(countdown) else { throw ValidationError("--countdown is 0 to 30.") }
        guard (action == nil) != (publish.topic == nil) else {
            throw ValidationError("Say what it does: device:action, or --topic with --message.")
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
        try await context.output.show(made) { "\(made.title) is made. Press it: cardea buttons press \(made.buttonID)" }
    }
}

/// Options for the message that a button publishes to a broker.
struct PublishOptions: ParsableArguments {
    @Option(help: "Where it says it.")
    var topic: String?
    @Option(help: "What it says. The first %T becomes the encrypted moment.")
    var message: String?
    @Flag(help: "At the buttons' own broker (the integration `endpoint`), not at the house's.")
    var endpoint = false
    @Flag(help: "It lets nobody in, so that less is asked before it is pressed.")
    var control = false
    @Option(help: "Where the device says that it has done it.")
    var stateTopic: String?
    @Option(help: "What it says there; else anything will do.")
    var stateMessage: String?
    @Flag(help: "In an envelope that the device can check: cardea buttons key.")
    var signed = false
    @Flag(help: "With a key for %T, which is asked for: 32 hexadecimal digits.")
    var timestamped = false

    func validate() throws {
        guard (topic == nil) == (message == nil) else { throw ValidationError("--topic and --message go together.") }
        let isMore = endpoint || control || stateTopic != nil || stateMessage != nil || signed || timestamped
        guard topic != nil || !isMore else { throw ValidationError("Say with --topic and --message what it publishes.") }
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

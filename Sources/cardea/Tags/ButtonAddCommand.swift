import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel

struct ButtonAddCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "A new button.",
        discussion: """
            What it does is a device, a colon, and what it is asked; a value follows an equals sign. You need the right to it yourself.

              cardea buttons add Garage garage:open --countdown 3
              cardea buttons add "Reading light" living-lamp:set_brightness=40
            """)

    @Argument(help: "What stands on it.")
    var title: String
    @Argument(help: ArgumentHelp("What it does.", valueName: "device:action"))
    var action: SceneAction
    @Option(help: ArgumentHelp("Seconds in which a tap may be taken back, 0 to 30.", valueName: "seconds"))
    var countdown: Int = 0
    @Flag(inversion: .prefixedNo, help: "Whether tags and links press it.")
    var tags = true
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard Button.countdowns.contains(countdown) else { throw ValidationError("--countdown is 0 to 30.") }
    }

    func run(in sitting: Sitting) async throws {
        let client = try sitting.client()
        let device = try Named.device(action.device, among: try await client.devices.list().devices)
        let body = ButtonBody(
            title: title, action: DeviceActionBody(deviceID: device.deviceID, action: action.action, value: action.value?.json),
            tagsEnabled: tags, countdown: countdown)
        let made = try await client.buttons.make(body)
        try await sitting.output.show(made) { "\(made.title) is made. Press it: cardea buttons press \(made.buttonID)" }
    }
}

import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity
import Foundation

struct CameraChangeCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "change", abstract: "Rename a camera, switch it off, look for motion in it, or say where it is now.",
        discussion: """
            What you do not name stays as it is. Where in the picture motion is looked for is drawn in the browser.

              cardea cameras change porch --name "Front porch"
              cardea cameras change porch --motion --sensitivity 70
              cardea cameras change porch --no-enabled
              cardea cameras change porch --address rtsp://192.168.1.21:554/stream1 --user cardea
            """)

    @Argument(help: "The camera, by id or name.", completion: .cameras)
    var camera: String
    @Option(help: "What it is called from now on.")
    var name: String?
    @Flag(inversion: .prefixedNo, help: "Whether the house looks through it at all.")
    var enabled: Bool?
    @Flag(inversion: .prefixedNo, help: "Whether motion is looked for in it.")
    var motion: Bool?
    @Option(help: "How small a movement is found, 1 to 100.")
    var sensitivity: Int?
    @Option(help: "Where it is now, without a user name and a password.")
    var address: String?
    @Option(help: ArgumentHelp("The user it is signed in to as at that address; the password is asked for.", valueName: "name"))
    var user: String?
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard name != nil || enabled != nil || motion != nil || sensitivity != nil || address != nil else {
            throw ValidationError("Say what to change: --name, --enabled, --motion, --sensitivity or --address.")
        }
        guard sensitivity.map((1...100).contains) ?? true else { throw ValidationError("--sensitivity is 1 to 100.") }
        guard user == nil || address != nil else { throw ValidationError("--user goes with --address.") }
        if let address { try CameraAddCommand.check(address) }
    }

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let meant = try NameResolver.resolve(
            camera, among: await client.cameras.list().cameras, what: "camera", ids: { [$0.cameraID] }, name: \.name)
        var body = ChangeCameraBody(name: name, isEnabled: enabled)
        if motion != nil || sensitivity != nil {
            body.detection = meant.detection
            body.detection?.motion = motion ?? meant.detection.motion
            body.detection?.sensitivity = sensitivity ?? meant.detection.sensitivity
        }
        if let address {
            guard let kind = CameraKind(rawValue: meant.source.kind), kind == .rtsp || kind == .http else {
                throw CommandLineError.usage("\(meant.name) is seen through \(meant.source.kind). Take it out, and add it anew.")
            }
            let password = try user.map { _ in try context.prompt.secret("Password of the camera").reveal() }
            body.source = CameraSourceBody(kind: kind, url: address, username: user, password: password)
        }
        let changed = try await client.cameras.change(meant.cameraID, body, seen: meant.version)
        try await context.output.show(changed) { "\(changed.name) is changed: cardea cameras show \(changed.cameraID)" }
    }
}

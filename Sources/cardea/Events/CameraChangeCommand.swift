import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity
import Foundation

struct CameraChangeCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "change", abstract: "Change a camera's name, address or motion detection, or disable it.",
        discussion: """
            Options that you leave out stay as they are. Motion zones are drawn in the web app.

              cardea cameras change porch --name "Front porch"
              cardea cameras change porch --motion --sensitivity 70
              cardea cameras change porch --no-enabled
              cardea cameras change porch --address rtsp://192.168.1.21:554/stream1 --user cardea
            """)

    @Argument(help: "The camera, by id or name.", completion: .cameras)
    var camera: String
    @Option(help: "The new name.")
    var name: String?
    @Flag(inversion: .prefixedNo, help: "Enable or disable the camera.")
    var enabled: Bool?
    @Flag(inversion: .prefixedNo, help: "Detect motion in its picture or not.")
    var motion: Bool?
    @Option(help: "The motion sensitivity, 1 to 100. Higher finds smaller movements.")
    var sensitivity: Int?
    @Option(help: "The new URL, without user name and password.")
    var address: String?
    @Option(help: ArgumentHelp("The user name at the new URL. The terminal asks for the password.", valueName: "name"))
    var user: String?
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard name != nil || enabled != nil || motion != nil || sensitivity != nil || address != nil else {
            throw ValidationError("Nothing to change. Add --name, --enabled, --motion, --sensitivity or --address.")
        }
        guard sensitivity.map((1...100).contains) ?? true else { throw ValidationError("--sensitivity needs 1 to 100.") }
        guard user == nil || address != nil else { throw ValidationError("--user needs --address.") }
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
            guard let kind = CameraSourceKind(rawValue: meant.source.kind), kind == .rtsp || kind == .http else {
                throw CommandLineError.usage(
                    "\(meant.name) is a camera of \(meant.source.kind), and its address cannot be changed. Remove it, and add it again.")
            }
            let password = try user.map { _ in try context.prompt.secret("Password of the camera").reveal() }
            body.source = CameraSourceBody(kind: kind, url: address, username: user, password: password)
        }
        let changed = try await client.cameras.change(meant.cameraID, body, seen: meant.version)
        try await context.output.show(changed) { "\(changed.name) is changed. See it: cardea cameras show \(changed.cameraID)" }
    }
}

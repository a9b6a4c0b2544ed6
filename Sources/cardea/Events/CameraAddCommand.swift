import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity
import Foundation

struct CameraAddCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a camera by URL.",
        discussion: """
            The terminal asks for the camera's password or token, or reads it from standard input. It is stored encrypted and not shown
            again.

              cardea cameras add Porch rtsp://192.168.1.20:554/stream1 --user cardea --motion
              cardea cameras add Yard http://192.168.1.5:5000 --kind frigate --camera yard
              cardea cameras add Hall http://homeassistant.local:8123 --kind home_assistant --camera camera.hall
            """)

    @Argument(help: "The name of the camera.")
    var name: String
    @Argument(help: "The URL of the camera, without user name and password.")
    var address: String
    @Option(help: "The kind: rtsp, http, frigate or home_assistant. Default: from the URL.")
    var kind: String?
    @Option(help: ArgumentHelp("The user name at the camera. The terminal asks for the password.", valueName: "name"))
    var user: String?
    @Option(help: "The camera's name in Frigate, or its entity id in Home Assistant.")
    var camera: String?
    @Flag(help: "Detect motion in its picture.")
    var motion = false
    @Option(help: "The motion sensitivity, 1 to 100. Higher finds smaller movements.")
    var sensitivity: Int = 50
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...100).contains(sensitivity) else { throw ValidationError("--sensitivity needs 1 to 100.") }
        guard kind.map({ CameraSourceKind(rawValue: $0) != nil }) ?? true else {
            throw ValidationError("--kind needs one of \(CameraSourceKind.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        try Self.check(address)
    }

    static func check(_ address: String) throws {
        guard URLComponents(string: address).map({ $0.user == nil && $0.password == nil }) ?? false else {
            throw ValidationError(
                "Write the URL without user name and password. Add --user; the terminal then asks for the password.")
        }
    }

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let isStream = address.lowercased().hasPrefix("rtsp")
        let kind = kind.flatMap(CameraSourceKind.init(rawValue:)) ?? (isStream ? .rtsp : .http)
        let password = try user.map { _ in try context.prompt.secret("Password of the camera").reveal() }
        let token = kind == .homeAssistant ? try context.prompt.secret("Access token of Home Assistant").reveal() : nil
        let source = CameraSourceBody(kind: kind, url: address, username: user, password: password, camera: camera, token: token)
        let detection = CameraDetectionBody(motion: motion, sensitivity: sensitivity)
        let made = try await client.cameras.add(AddCameraBody(name: name, source: source, detection: detection))
        try await context.output.show(made) { "\(made.name) is added. See it: cardea cameras show \(made.cameraID)" }
    }
}

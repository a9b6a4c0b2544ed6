import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity
import Foundation

struct CameraAddCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "A camera more, by its address.",
        discussion: """
            What signs in to it is asked for, or read from standard input; it is sealed in the house and never shown again.

              cardea cameras add Porch rtsp://192.168.1.20:554/stream1 --user cardea --motion
              cardea cameras add Yard http://192.168.1.5:5000 --kind frigate --camera yard
              cardea cameras add Hall http://homeassistant.local:8123 --kind home_assistant --camera camera.hall
            """)

    @Argument(help: "What it is called.")
    var name: String
    @Argument(help: "Where it is, without a user name and a password.")
    var address: String
    @Option(help: "rtsp, http, frigate or home_assistant; else what the address says.")
    var kind: String?
    @Option(help: ArgumentHelp("The user it is signed in to as; the password is asked for.", valueName: "name"))
    var user: String?
    @Option(help: "What Frigate or Home Assistant call it.")
    var camera: String?
    @Flag(help: "Look for motion in it.")
    var motion = false
    @Option(help: "How small a movement is found, 1 to 100.")
    var sensitivity: Int = 50
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...100).contains(sensitivity) else { throw ValidationError("--sensitivity is 1 to 100.") }
        guard kind.map({ CameraKind(rawValue: $0) != nil }) ?? true else {
            throw ValidationError("--kind is one of \(CameraKind.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        try Self.check(address)
    }

    static func check(_ address: String) throws {
        guard URLComponents(string: address).map({ $0.user == nil && $0.password == nil }) ?? false else {
            throw ValidationError(
                "Write the address without who signs in: with --user the password is asked for, and stands in no history.")
        }
    }

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let isStream = address.lowercased().hasPrefix("rtsp")
        let kind = kind.flatMap(CameraKind.init(rawValue:)) ?? (isStream ? .rtsp : .http)
        let password = try user.map { _ in try context.prompt.secret("Password of the camera").reveal() }
        let token = kind == .homeAssistant ? try context.prompt.secret("Access token of Home Assistant").reveal() : nil
        let source = CameraSourceBody(kind: kind, url: address, username: user, password: password, camera: camera, token: token)
        let detection = CameraDetectionBody(motion: motion, sensitivity: sensitivity)
        let made = try await client.cameras.add(AddCameraBody(name: name, source: source, detection: detection))
        try await context.output.show(made) { "\(made.name) is added: cardea cameras show \(made.cameraID)" }
    }
}

import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync

struct CamerasListCommand: HouseCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the cameras and their states.")

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let look = try await context.query(.cameras)
        try await context.output.show(look) {
            guard !look.answer.cameras.isEmpty else { return "There are no cameras yet." }
            let clock = try await context.clock(look)
            let rows = look.answer.cameras.map { camera in
                [
                    camera.name, CameraText.status(camera), camera.source.kind, camera.detection.motion ? "detected" : "",
                    camera.lastEventAt.map(clock.short) ?? "", camera.cameraID,
                ]
            }
            return Table("CAMERA", "STATE", "KIND", "MOTION", "LAST EVENT", "ID", rows: rows).text(context.output)
        }
    }
}

/// Cameras as text.
enum CameraText {
    static func status(_ camera: CameraAnswer) -> String {
        guard camera.isEnabled else { return "disabled" }
        if camera.isOnline { return "online" }
        return camera.reason.map { "offline: \($0)" } ?? "not checked yet"
    }
}

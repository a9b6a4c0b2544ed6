import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync

struct CamerasListCommand: HouseCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "The cameras, and which are in reach.")

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let look = try await context.query(.cameras)
        try await context.output.show(look) {
            guard !look.answer.cameras.isEmpty else { return "The house has no cameras." }
            let clock = try await context.clock(look)
            let rows = look.answer.cameras.map { camera in
                [
                    camera.name, CameraText.status(camera), camera.source.kind, camera.detection.motion ? "looked for" : "",
                    camera.lastEventAt.map(clock.short) ?? "", camera.cameraID,
                ]
            }
            return Table("CAMERA", "STATE", "KIND", "MOTION", "SAW LAST", "ID", rows: rows).text(context.output)
        }
    }
}

/// Cameras as text.
enum CameraText {
    static func status(_ camera: CameraAnswer) -> String {
        guard camera.isEnabled else { return "switched off" }
        if camera.isOnline { return "in reach" }
        return camera.reason.map { "not in reach: \($0)" } ?? "not looked at yet"
    }
}

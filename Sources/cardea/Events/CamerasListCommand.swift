import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync

struct CamerasListCommand: HouseCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "The cameras, and which are in reach.")

    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        let look = try await sitting.look(.cameras)
        try await sitting.output.show(look) {
            guard !look.answer.cameras.isEmpty else { return "The house has no cameras." }
            let clock = try await sitting.clock(look)
            let rows = look.answer.cameras.map { camera in
                [
                    camera.name, CameraWords.standing(camera), camera.source.kind, camera.detection.motion ? "looked for" : "",
                    camera.lastEventAt.map(clock.short) ?? "", camera.cameraID,
                ]
            }
            return Table("CAMERA", "STATE", "KIND", "MOTION", "SAW LAST", "ID", rows: rows).text(sitting.output)
        }
    }
}

/// Cameras as people say it.
enum CameraWords {
    static func standing(_ camera: CameraAnswer) -> String {
        guard camera.isEnabled else { return "switched off" }
        if camera.isOnline { return "in reach" }
        return camera.reason.map { "not in reach: \($0)" } ?? "not looked at yet"
    }
}

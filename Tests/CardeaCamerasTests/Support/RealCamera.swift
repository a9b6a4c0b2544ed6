import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import Foundation

/// A film of a camera's scene, drawn by ffmpeg.
enum TestFilm: String {
    /// A box crosses the picture from second 6 to 9 and from 18 to 20; noise throughout, 26 seconds.
    case visited
    /// Noise, and a lamp that goes on at second 8; 20 seconds.
    case still

    func draw(into folder: URL) async throws -> URL {
        let file = folder.appending(path: rawValue + ".mp4")
        let (seconds, filter) =
            switch self {
            case .visited:
                (
                    26,
                    "[0][1]overlay=x='if(between(t,6,9),(t-6)*190,if(between(t,18,20),(t-18)*280,-200))':y=130:eval=frame,noise=alls=8:allf=t"
                )
            case .still: (20, "[0][1]overlay=x=-200:y=0,eq=brightness='if(gte(t,8),0.15,0)':eval=frame,noise=alls=8:allf=t")
            }
        try await ChildProcess.run(
            "ffmpeg",
            [
                "-y", "-loglevel", "error", "-nostdin", "-f", "lavfi", "-i", "testsrc2=s=640x360:r=1:d=1,loop=-1:1,fps=15,format=gray",
                "-f", "lavfi", "-i", "color=c=white:s=90x130:r=15", "-t", "\(seconds)", "-filter_complex", filter, "-c:v", "libx264",
                "-preset", "ultrafast", "-g", "15", "-pix_fmt", "yuv420p", file.path,
            ])
        return file
    }
}

/// GStreamer's RTSP server as a camera that plays a film to clients with the password.
struct RealCamera: Sendable {
    static let password = "s3cret-w0rd"
    let port: Int

    static func play<Result: Sendable>(
        _ film: TestFilm, scheme: String = "digest", _ body: @escaping @Sendable (RealCamera) async throws -> Result
    ) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cardea-camera-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = try await film.draw(into: folder)
        let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "PeerTests/rtsp_camera.py")
        // In a file, so that the password is not in the process list.
        let secret = folder.appending(path: "password")
        try password.write(to: secret, atomically: true, encoding: .utf8)
        // Debian's own Python has GStreamer's bindings.
        let server = try ChildProcess("/usr/bin/python3", [script.path, file.path, scheme, secret.path])
        let lines = try await server.lines.waitUntil("a camera listens") { $0.contains { $0.hasPrefix("port ") } }
        guard let port = lines.compactMap({ Int($0.dropFirst(5)) }).first else { throw CameraUnavailableError.unreachable }
        do {
            let result = try await body(RealCamera(port: port))
            try await server.killAndWait()
            return result
        } catch {
            try await server.killAndWait()
            throw error
        }
    }

    func plan(
        _ detection: CameraDetection = CameraDetection(), path: String = "/door", password: String = password
    ) throws -> CameraConfiguration {
        CameraConfiguration(
            id: "porch", version: 1,
            source: CameraSource(
                kind: .rtsp, address: try CameraAddress("rtsp://127.0.0.1:\(port)\(path)", schemes: ["rtsp"]), user: "cam",
                password: Secret(password)), detection: detection)
    }
}

/// A camera sink that records the reports it receives.
final class RecordingCameraSink: CameraSink, Sendable {
    let wanted: [CameraConfiguration]
    let standings = AwaitableValue<[CameraStatus]>([])
    let sightings = AwaitableValue<[CameraEvent]>([])
    /// The events seen until the camera first became unreachable after it was reachable.
    let firstFilm = AwaitableValue<[CameraEvent]?>(nil)

    init(_ wanted: [CameraConfiguration]) {
        self.wanted = wanted
    }

    func configurations() async -> AsyncStream<[CameraConfiguration]> {
        let (stream, continuation) = AsyncStream<[CameraConfiguration]>.makeStream()
        continuation.yield(wanted)
        return stream
    }

    func reportStatus(_ cameraID: String, _ standing: CameraStatus) async {
        standings.change { $0.append(standing) }
        guard !standing.isOnline, standings.now.contains(where: \.isOnline), firstFilm.now == nil else { return }
        firstFilm.change { [sightings] in $0 = sightings.now }
    }

    func report(_ sighting: CameraEvent) async {
        sightings.change { $0.append(sighting) }
    }
}

import CardeaHub
import CardeaModel
import CardeaTestSupport
import Foundation
import Logging
import ServiceLifecycle
import Testing

@testable import CardeaCameras

/// A real RTSP server plays a film for a real ffmpeg. In real time, and one after the other, because the seconds are checked.
@Suite("Real camera", .serialized, .timeLimit(.minutes(5)))
struct RealCameraTests {
    private func monitor(allowsLoopback: Bool = true, _ sink: RecordingCameraSink) -> CameraMonitor {
        var pace = CameraMonitor.Timing()
        (pace.pictureTimeout, pace.silenceTimeout) = (.seconds(120), .seconds(120))
        return CameraMonitor(sink: sink, allowsLoopback: allowsLoopback, pace: pace, logger: .silent)
    }

    /// Runs the monitor until `body` has seen enough.
    private func running<Result: Sendable>(_ watch: CameraMonitor, _ body: @escaping @Sendable () async throws -> Result) async throws
        -> Result
    {
        let group = ServiceGroup(configuration: .init(services: [watch], logger: .silent))
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            let result = try await body()
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            return result
        }
    }

    @Test("Each staged motion is detected with its pre-roll, and no process list shows the password")
    func visited() async throws {
        let isClean = try await RealCamera.play(.visited) { camera in
            let sink = RecordingCameraSink([try camera.plan(CameraDetection(motion: true))])
            let watch = monitor(sink)
            return try await running(watch) {
                var shown: [ChildProcesses.Info] = []
                // ffmpeg runs for as long as the film.
                try await waitUntil("ffmpeg looks") {
                    shown = try ChildProcesses.children(named: "ffmpeg")
                    return shown.contains { $0.words.contains("concat") }
                }
                let isClean = shown.map { child in
                    !child.words.contains(RealCamera.password) && !child.words.contains("\(camera.port)")
                }
                // The film ends, and the stream with it.
                let sightings = try #require(try await sink.firstFilm.waitUntil("it has ended") { $0 != nil })

                #expect(sightings.count == 2)
                for sighting in sightings {
                    #expect(sighting.kind == .motion && sighting.zones == [])
                    let moments = sighting.preRoll.map(\.takenAt)
                    #expect((2...5).contains(moments.count) && moments == moments.sorted())
                    let before = try await Self.grey(try #require(sighting.preRoll.first).jpeg)
                    let meanwhile = try await Self.grey(try #require(sighting.picture))
                    // The box covers 22 × 32 pixels of such a picture, and exists only while something moves.
                    let changed = zip(before.pixels, meanwhile.pixels).count { abs(Int($0) - Int($1)) > 40 }
                    #expect((400...900).contains(changed), "\(changed) places differ")
                }
                return isClean
            }
        }
        // Other callers' pictures are made at the same time.
        #expect(!isClean.isEmpty && isClean.allSatisfy { $0 })
        // ffmpeg ends with the stream.
        try await waitUntil { try ChildProcesses.children(named: "ffmpeg").isEmpty }
    }

    /// A picture in the detector's format.
    private static func grey(_ jpeg: Data) async throws -> GreyFrame {
        try await withFolder { folder in
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let (picture, raw) = (folder.appending(path: "picture.jpg"), folder.appending(path: "raw"))
            try jpeg.write(to: picture)
            let size = "scale=\(GreyFrame.width):\(GreyFrame.height),format=gray"
            try await ChildProcess.run(
                "ffmpeg", ["-loglevel", "error", "-nostdin", "-i", picture.path, "-vf", size, "-f", "rawvideo", raw.path])
            return try #require(GreyFrame([UInt8](try Data(contentsOf: raw))))
        }
    }

    @Test("A still scene has no motion although a lamp turns on")
    func still() async throws {
        try await RealCamera.play(.still, scheme: "basic") { camera in
            let sink = RecordingCameraSink([try camera.plan(CameraDetection(motion: true, sensitivity: 80))])
            let sightings = try await running(monitor(sink)) { try await sink.firstFilm.waitUntil("it has ended") { $0 != nil } }
            let ending = sink.standings.now.drop { !$0.isOnline }.first { !$0.isOnline }
            #expect(sightings?.isEmpty == true && ending?.error == .stalled)
        }
    }

    @Test("A picture is fetched with the right password, and each fault has its own error")
    func pictures() async throws {
        for scheme in ["basic", "digest"] {
            try await RealCamera.play(.still, scheme: scheme) { camera in
                let watch = monitor(RecordingCameraSink([]))

                let picture = try await watch.picture(of: try camera.plan())

                #expect(picture.jpeg.count > 5000 && picture.jpeg.prefix(2) == Data([0xFF, 0xD8]))
                await #expect(throws: CameraUnavailableError.unauthorized) {
                    try await watch.picture(of: try camera.plan(password: "wrong"))
                }
                await #expect(throws: CameraUnavailableError.notFound) { try await watch.picture(of: try camera.plan(path: "/cellar")) }
                let careful = self.monitor(allowsLoopback: false, RecordingCameraSink([]))
                await #expect(throws: CameraUnavailableError.refusedAddress(.loopback)) { try await careful.picture(of: try camera.plan()) }
            }
        }
    }

    @Test("A live view gets successive newer pictures")
    func preview() async throws {
        try await RealCamera.play(.still) { camera in
            let plan = try camera.plan(CameraDetection(motion: true))
            let sink = RecordingCameraSink([plan])
            let watch = monitor(sink)
            try await running(watch) {
                _ = try await sink.standings.waitUntil("it is in reach") { $0.contains(where: \.isOnline) }
                var moments: [Date] = []
                for try await picture in watch.pictures(of: plan) {
                    moments.append(picture.takenAt)
                    if moments.count == 5 { break }
                }
                #expect(moments == moments.sorted() && Set(moments).count == 5)
            }
        }
    }
}

/// Reads the command line and the environment of child processes, as `ps` would show them.
enum ChildProcesses {
    struct Info {
        let words: String
    }

    static func children(named name: String) throws -> [Info] {
        let own = ProcessInfo.processInfo.processIdentifier
        return try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }.compactMap { id in
            guard let status = read("/proc/\(id)/status"), status.hasPrefix("Name:\t\(name)\n"), status.contains("\nPPid:\t\(own)\n"),
                !status.contains("\nState:\tZ"), let words = read("/proc/\(id)/cmdline")
            else { return nil }
            return Info(words: words + (read("/proc/\(id)/environ") ?? ""))
        }
    }

    /// Nil for a process that has ended meanwhile.
    private static func read(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }
}

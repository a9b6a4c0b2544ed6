import CardeaHub
import CardeaModel
import CardeaTestSupport
import Foundation
import Logging
import ServiceLifecycle
import Testing

@testable import CardeaCameras

/// A real RTSP server plays, and a real ffmpeg looks. In real time, and one after the other: the second is what is looked at.
@Suite("A real camera", .serialized, .timeLimit(.minutes(5)))
struct RealCameraTests {
    private func watch(allowsLoopback: Bool = true, _ desk: RecordingCameraDesk) -> CameraWatch {
        var pace = CameraWatch.Pace()
        pace.picture = .seconds(20)
        return CameraWatch(desk: desk, allowsLoopback: allowsLoopback, pace: pace, logger: .silent)
    }

    /// Runs the watch until `body` has seen enough.
    private func running<Result: Sendable>(_ watch: CameraWatch, _ body: @escaping @Sendable () async throws -> Result) async throws
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

    @Test("Every staged motion is found, at its second, with what was before it; and the password is in no list of processes meanwhile")
    func visited() async throws {
        let isClean = try await RealCamera.play(.visited) { camera in
            let desk = RecordingCameraDesk([try camera.plan(CameraDetection(motion: true))])
            let watch = watch(desk)
            return try await running(watch) {
                _ = try await desk.standings.until("it is in reach") { $0.contains(where: \.isOnline) }
                let began = Date()
                let isClean = try Processes.children(named: "ffmpeg").map { child in
                    !child.words.contains(RealCamera.password) && !child.words.contains("\(camera.port)")
                }
                // The film ends, and with it the stream.
                _ = try await desk.standings.until("it has ended") { $0.last?.isOnline == false }

                let sightings = desk.sightings.now
                #expect(sightings.count == 2, "\(sightings.map { $0.at.timeIntervalSince(began) })")
                // The first picture is shown within a second or so of the film's beginning.
                for (sighting, second) in zip(sightings, [6.0, 18.0]) {
                    let at = sighting.at.timeIntervalSince(began)
                    #expect((second - 3.0..<second + 2.5).contains(at), "\(at), staged at \(second)")
                    #expect(sighting.picture?.prefix(2) == Data([0xFF, 0xD8]) && sighting.kind == .motion && sighting.zones == [])
                    #expect((2...5).contains(sighting.preRoll.count) && sighting.preRoll.allSatisfy { $0.takenAt <= sighting.at })
                }
                return isClean
            }
        }
        // Others' pictures are made beside it.
        #expect(!isClean.isEmpty && isClean.allSatisfy { $0 })
        // Whoever looked has gone with the stream.
        try await until { try Processes.children(named: "ffmpeg").isEmpty }
    }

    @Test("In a still scene nothing is found, though a lamp goes on")
    func still() async throws {
        try await RealCamera.play(.still, scheme: "basic") { camera in
            let desk = RecordingCameraDesk([try camera.plan(CameraDetection(motion: true, sensitivity: 80))])
            try await running(watch(desk)) {
                _ = try await desk.standings.until("it is in reach") { $0.contains(where: \.isOnline) }
                _ = try await desk.standings.until("it has ended") { $0.last?.isOnline == false }
            }
            #expect(desk.sightings.now.isEmpty && desk.standings.now.last?.trouble == .silent)
        }
    }

    @Test("A picture is taken with the right password, and what is wrong is told apart")
    func pictures() async throws {
        for scheme in ["basic", "digest"] {
            try await RealCamera.play(.still, scheme: scheme) { camera in
                let watch = watch(RecordingCameraDesk([]))

                let picture = try await watch.picture(of: try camera.plan())

                #expect(picture.jpeg.count > 5000 && picture.jpeg.prefix(2) == Data([0xFF, 0xD8]))
                await #expect(throws: CameraTrouble.unauthorized) { try await watch.picture(of: try camera.plan(password: "wrong")) }
                await #expect(throws: CameraTrouble.notThere) { try await watch.picture(of: try camera.plan(path: "/cellar")) }
                let careful = self.watch(allowsLoopback: false, RecordingCameraDesk([]))
                await #expect(throws: CameraTrouble.refusedAddress(.loopback)) { try await careful.picture(of: try camera.plan()) }
            }
        }
    }

    @Test("Who looks on gets one picture after the other, each a newer one")
    func preview() async throws {
        try await RealCamera.play(.still) { camera in
            let plan = try camera.plan(CameraDetection(motion: true))
            let desk = RecordingCameraDesk([plan])
            let watch = watch(desk)
            try await running(watch) {
                _ = try await desk.standings.until("it is in reach") { $0.contains(where: \.isOnline) }
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

/// What `ps` would show, and more: the words a process was started with and what its environment holds.
enum Processes {
    struct Shown {
        let words: String
    }

    static func children(named name: String) throws -> [Shown] {
        let own = ProcessInfo.processInfo.processIdentifier
        return try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }.compactMap { id in
            guard let status = read("/proc/\(id)/status"), status.hasPrefix("Name:\t\(name)\n"), status.contains("\nPPid:\t\(own)\n"),
                !status.contains("\nState:\tZ"), let words = read("/proc/\(id)/cmdline")
            else { return nil }
            return Shown(words: words + (read("/proc/\(id)/environ") ?? ""))
        }
    }

    /// Nil for a process that has gone meanwhile.
    private static func read(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }
}

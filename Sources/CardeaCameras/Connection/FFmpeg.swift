import CardeaHub
import Foundation
import Subprocess

/// ffmpeg in a process of its own, so that untrusted bytes can only harm that decoder. It gets no credentials, may open only its pipes and
/// the hub's relay, and is killed when its result is not needed any more.
struct FFmpeg: Sendable {
    /// Pictures a second when a camera is watched.
    static let rate = 5
    /// The largest width; wider pictures are scaled down.
    static let width = 1280
    /// ITU-T T.81's quality 75, as near as ffmpeg's scale has it.
    private static let quality = "4"
    private static let pictureLimit = 8 << 20
    /// Whole frames and packets included; a decoder that wants more is refused it.
    private static let commonArguments = [
        "-hide_banner", "-loglevel", "quiet", "-nostats", "-max_alloc", "\(256 << 20)", "-threads", "1", "-protocol_whitelist",
        "pipe,rtsp,tcp",
    ]
    private static let scaleFilter = "scale='min(\(width),iw)':-2,format=yuvj420p"

    /// An environment that contains only the search path.
    private static var environment: Environment {
        .custom(["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"])
    }

    private static var options: PlatformOptions {
        var options = PlatformOptions()
        // Without earlier steps, a cancelled process is killed at once.
        options.teardownSequence = []
        return options
    }

    /// A playlist of one stream. It is passed through the pipe, so that even the relay's address is not in the list of processes.
    private static func playList(_ url: String) -> [UInt8] {
        Array(
            """
            ffconcat version 1.0
            file '\(url)'
            option rtsp_transport tcp
            option timeout 8000000
            option analyzeduration 1000000
            option probesize 1000000

            """.utf8)
    }

    /// The first picture of a stream.
    func picture(url: String) async throws -> [UInt8] {
        let arguments =
            Self.commonArguments + [
                "-f", "concat", "-safe", "0", "-i", "pipe:0", "-map", "0:v:0", "-frames:v", "1", "-vf", Self.scaleFilter,
            ]
            + Self.asJPEG
        return try await runOnce(arguments, Self.playList(url))
    }

    /// Encodes the picture again: no wider than is shown, and without metadata.
    func picture(from bytes: [UInt8]) async throws -> [UInt8] {
        let arguments =
            Self.commonArguments + [
                "-f", "image2pipe", "-c:v", "mjpeg", "-i", "pipe:0", "-map", "0:v:0", "-frames:v", "1", "-vf", Self.scaleFilter,
            ]
            + Self.asJPEG
        return try await runOnce(arguments, bytes)
    }

    private static var asJPEG: [String] { ["-c:v", "mjpeg", "-q:v", quality, "-f", "mjpeg", "pipe:1"] }

    private func runOnce(_ arguments: [String], _ input: [UInt8]) async throws -> [UInt8] {
        let bytes = try await Self.withStartError {
            try await run(
                .name("ffmpeg"), arguments: Arguments(arguments), environment: Self.environment, platformOptions: Self.options,
                input: .array(input), output: .bytes(limit: Self.pictureLimit), error: .discarded
            ).standardOutput
        }
        var splitter = JPEGSplitter()
        guard let picture = splitter.append(bytes).first else { throw CameraUnavailableError.invalidPicture }
        return picture
    }

    /// The output of a watched stream.
    enum StreamOutput: Sendable {
        case grey(GreyFrame)
        case picture([UInt8])
    }

    /// Passes every picture of a stream to `handler`, small and grey for motion detection, and whole; returns when it ends.
    ///
    /// ffmpeg has two outputs, and so has a child process: the whole pictures come on its standard error, on which it writes nothing else.
    func watch(url: String, _ handler: @escaping @Sendable (StreamOutput) async -> Void) async throws {
        let filter =
            "[0:v:0]fps=\(Self.rate),split[a][b];[a]scale=\(GreyFrame.width):\(GreyFrame.height),format=gray[grey];[b]\(Self.scaleFilter)[shown]"
        let arguments =
            Self.commonArguments + ["-f", "concat", "-safe", "0", "-i", "pipe:0", "-filter_complex", filter]
            + ["-map", "[grey]", "-c:v", "rawvideo", "-flush_packets", "1", "-f", "rawvideo", "pipe:1"]
            + ["-map", "[shown]", "-c:v", "mjpeg", "-q:v", Self.quality, "-flush_packets", "1", "-f", "mjpeg", "pipe:2"]
        _ = try await Self.withStartError {
            try await run(
                .name("ffmpeg"), arguments: Arguments(arguments), environment: Self.environment, platformOptions: Self.options,
                input: .array(Self.playList(url)), output: .sequence, error: .sequence
            ) { child in
                let (grey, decoded) = (child.standardOutput, child.standardError)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        var rest: [UInt8] = []
                        for try await buffer in grey {
                            buffer.withUnsafeBytes { rest.append(contentsOf: $0) }
                            while rest.count >= GreyFrame.size {
                                if let frame = GreyFrame(Array(rest.prefix(GreyFrame.size))) { await handler(.grey(frame)) }
                                rest.removeFirst(GreyFrame.size)
                            }
                        }
                    }
                    group.addTask {
                        var splitter = JPEGSplitter()
                        for try await buffer in decoded {
                            for picture in buffer.withUnsafeBytes({ splitter.append($0) }) { await handler(.picture(picture)) }
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }
    }

    /// A failed start of the program is an error of the hub, and not of the camera.
    private static func withStartError<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as SubprocessError where error.code == .executableNotFound || error.code == .spawnFailed {
            throw CameraUnavailableError.decoderMissing
        } catch is SubprocessError {
            throw CameraUnavailableError.invalidPicture
        }
    }
}

/// Runs `body`, and gives it up when it takes longer.
func withTimeout<Value: Sendable>(_ limit: Duration, _ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask(operation: body)
        group.addTask {
            try await Task.sleep(for: limit)
            throw CameraUnavailableError.stalled
        }
        defer { group.cancelAll() }
        guard let value = try await group.next() else { throw CameraUnavailableError.stalled }
        return value
    }
}

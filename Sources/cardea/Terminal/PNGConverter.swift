import Foundation
import Subprocess

/// Converts a JPEG to PNG for a terminal that supports nothing else, with ffmpeg if it is installed: a separate process that receives only
/// the bytes, with a time limit.
///
/// The house re-encodes these pictures before it stores them, so this is never the first decoder of a camera's own bytes.
struct PNGConverter: Sendable {
    private let path: String

    private static let timeoutSeconds = 10
    private static let maxOutputSize = 8 << 20

    /// nil if ffmpeg is not installed.
    init?(_ environment: [String: String]) {
        // Absolute paths only: never from the current folder.
        let folders = (environment["PATH"] ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
        guard folders.contains(where: { FileManager.default.isExecutableFile(atPath: "\($0)/ffmpeg") }) else { return nil }
        path = folders.joined(separator: ":")
    }

    /// In its own size, or scaled down to fit; nil if the conversion fails.
    func png(of jpeg: Data, within pixels: (width: Int, height: Int)) async -> Data? {
        let fit = "scale=w='min(\(pixels.width),iw)':h='min(\(pixels.height),ih)':force_original_aspect_ratio=decrease:flags=bicubic"
        let arguments = [
            "-hide_banner", "-loglevel", "quiet", "-protocol_whitelist", "pipe", "-threads", "1", "-f", "jpeg_pipe", "-c:v", "mjpeg", "-i",
            "pipe:0", "-frames:v", "1", "-map_metadata", "-1", "-vf", fit, "-pix_fmt", "rgb24", "-c:v", "png", "-f", "image2pipe", "pipe:1",
        ]
        var options = PlatformOptions()
        // Without earlier steps, a process that takes too long is killed at once.
        options.teardownSequence = []
        return try? await withThrowingTaskGroup(of: Data?.self) { group in
            group.addTask { [path, options] in
                let result = try await Subprocess.run(
                    .name("ffmpeg"), arguments: Arguments(arguments), environment: .custom(["PATH": path]), platformOptions: options,
                    input: .array([UInt8](jpeg)), output: .bytes(limit: Self.maxOutputSize), error: .discarded)
                guard result.terminationStatus.isSuccess, !result.standardOutput.isEmpty else { return nil }
                return Data(result.standardOutput)
            }
            group.addTask {
                try await Task.sleep(for: .seconds(Self.timeoutSeconds))
                return nil
            }
            let png = try await group.next()
            group.cancelAll()
            return png ?? nil
        }
    }
}

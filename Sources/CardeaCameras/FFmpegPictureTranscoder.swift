import CardeaHub
import CardeaModel
import Foundation
import Subprocess

/// Encodes pictures again with ffmpeg: a process of its own for each, which gets the bytes and nothing else, and has a time limit.
///
/// It decodes JPEG only, may open no file and no connection, and has limits of memory and time.
public struct FFmpegPictureTranscoder: PictureTranscoder {
    /// The search path for programs; their environment contains nothing else.
    private let path: String

    /// Bytes of memory that one ffmpeg may take: a picture of 32 million pixels needs some 300 MB.
    private static let memoryLimit = 1 << 30
    /// Seconds of processor time, more than any picture needs that was not made to take long.
    private static let processorSeconds = 10
    /// Seconds until it is given up. The house may have others to decode at the same time, and a good picture is not lost by that.
    private static let timeout = 30
    private static let largestWhole = 4 << 20
    private static let largestThumbnail = 1 << 20
    /// Beyond this a thumbnail is made once more, coarser.
    private static let thumbnailGoal = 50 * 1024

    /// nil if ffmpeg is not installed.
    public init?(path: [String] = ["/usr/bin", "/usr/local/bin", "/bin"]) {
        let isThere = ["ffmpeg", "prlimit"].allSatisfy { name in
            path.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
        }
        guard isThere else { return nil }
        self.path = path.joined(separator: ":")
    }

    public func renditions(of jpeg: Data) async throws(PictureError) -> PictureRenditions {
        let whole = try await fullPicture(of: jpeg)
        var thumbnail = Data()
        for coarseness in [3, 5, 9, 16, 31] {
            thumbnail = try await run(on: whole, width: 640, coarseness: coarseness, largest: Self.largestThumbnail)
            if thumbnail.count <= Self.thumbnailGoal { break }
        }
        return PictureRenditions(whole: whole, thumbnail: thumbnail)
    }

    /// The picture as viewers show it: upright, and of a damaged or truncated one the decodable part.
    private func fullPicture(of jpeg: Data) async throws(PictureError) -> Data {
        do throws(PictureError) {
            return try await run(on: jpeg, width: 1920, coarseness: 4, largest: Self.largestWhole)
        } catch {
            guard error == .unreadable else { throw error }
            return try await run(on: jpeg, width: 1920, coarseness: 4, largest: Self.largestWhole, takesDamaged: true)
        }
    }

    /// - Parameters:
    ///   - coarseness: 2 is fine, 31 is coarse.
    ///   - takesDamaged: false ends at the first thing that is wrong in the picture.
    private func run(
        on jpeg: Data, width: Int, coarseness: Int, largest: Int, takesDamaged: Bool = false
    ) async throws(PictureError) -> Data {
        let strict = takesDamaged ? [] : ["-err_detect", "explode", "-xerror"]
        let limits = [
            "--as=\(Self.memoryLimit)", "--cpu=\(Self.processorSeconds)", "--fsize=0", "--core=0", "ffmpeg", "-hide_banner", "-loglevel",
            "quiet",
            "-protocol_whitelist", "pipe", "-threads", "1",
        ]
        let making = [
            "-f", "jpeg_pipe", "-c:v", "mjpeg", "-i", "pipe:0", "-frames:v", "1", "-map_metadata", "-1", "-vf",
            "scale=w='min(\(width),iw)':h=-2:flags=bicubic", "-pix_fmt", "yuvj420p", "-filter_threads", "1",
            "-threads", "1", "-c:v", "mjpeg", "-q:v", "\(coarseness)", "-f", "image2pipe", "pipe:1",
        ]
        let arguments = limits + strict + making
        var options = PlatformOptions()
        // Without earlier steps, a process that takes too long is killed at once.
        options.teardownSequence = []
        do {
            return try await withThrowingTaskGroup(of: Data.self) { group in
                group.addTask { [path, options] in
                    let result = try await Subprocess.run(
                        .name("prlimit"), arguments: Arguments(arguments), environment: .custom(["PATH": path]), platformOptions: options,
                        input: .array([UInt8](jpeg)), output: .bytes(limit: largest), error: .discarded)
                    guard result.terminationStatus.isSuccess, !result.standardOutput.isEmpty else {
                        throw PictureError.unreadable
                    }
                    return Data(result.standardOutput)
                }
                group.addTask {
                    try await Task.sleep(for: .seconds(Self.timeout))
                    throw PictureError.tooSlow
                }
                guard let picture = try await group.next() else { throw CancellationError() }
                group.cancelAll()
                return picture
            }
        } catch let problem as PictureError {
            throw problem
        } catch is CancellationError {
            throw .busy
        } catch {
            throw .unreadable
        }
    }
}

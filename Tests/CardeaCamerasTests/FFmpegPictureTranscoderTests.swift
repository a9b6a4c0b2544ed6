import CardeaHub
import CardeaModel
import CardeaCameras
import CardeaTestSupport
import Foundation
import Testing

@Suite("Transcoding of pictures with ffmpeg", .timeLimit(.minutes(5)), .serialized)
struct FFmpegPictureTranscoderTests {
    /// A picture like a camera's, with a comment that need not be kept.
    private func picture(_ size: String, noise: Int, in folder: URL) async throws -> Data {
        let file = folder.appending(path: "\(size)-\(noise).jpg")
        _ = try await ChildProcess.run(
            "ffmpeg",
            [
                "-loglevel", "error", "-y", "-f", "lavfi", "-i", "testsrc2=size=\(size)", "-vf", "noise=alls=\(noise):allf=t", "-frames:v",
                "1", "-q:v", "2", file.path,
            ], hearsErrors: false)
        let bytes = try Data(contentsOf: file)
        let comment = Data("garden-gate-1234".utf8)
        return bytes.prefix(2) + Data([0xFF, 0xFE, 0, UInt8(comment.count + 2)]) + comment + bytes.dropFirst(2)
    }

    @Test("A large picture becomes one of 1920 pixels and one of at most 50 KB, without metadata")
    func sizes() async throws {
        let maker = try #require(FFmpegPictureTranscoder())
        try await withFolder { folder in
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for (size, noise, width) in [("2560x1440", 0, 1920), ("2560x1440", 40, 1920), ("640x480", 20, 640), ("64x48", 0, 64)] {
                let given = try await picture(size, noise: noise, in: folder)
                #expect(given.range(of: Data("garden-gate".utf8)) != nil)
                let made = try await maker.renditions(of: given)

                let whole = try JPEGHeader(Array(made.whole))
                let thumbnail = try JPEGHeader(Array(made.thumbnail))
                #expect(whole.width == width && thumbnail.width == min(width, 640))
                #expect(made.thumbnail.count <= 50 * 1024, "\(size) \(noise): \(made.thumbnail.count)")
                #expect(made.whole.range(of: Data("garden-gate".utf8)) == nil)
            }
        }
    }

    @Test("A broken picture and another file type with a picture header are refused")
    func hostile() async throws {
        let maker = try #require(FFmpegPictureTranscoder())
        try await withFolder { folder in
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let good = try await picture("640x480", noise: 20, in: folder)
            var scrambled = good
            for place in stride(from: 20, to: 600, by: 3) { scrambled[place] = scrambled[place] ^ 0x5A }
            let playlist = Data("#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n".utf8)
            for bytes in [playlist, good.prefix(600), scrambled, smallestJPEG, Data([0xFF, 0xD8]) + playlist] {
                await #expect(throws: PictureError.self) { try await maker.renditions(of: Data(bytes)) }
            }
        }
    }

    @Test("A picture is decoded as in viewers for all camera variants of the format")
    func likeViewers() async throws {
        let maker = try #require(FFmpegPictureTranscoder())
        let plain = SamplePicture.baseline
        let kinds: [(String, Data, width: Int)] = [
            ("baseline", plain, 64), ("progressive", SamplePicture.progressive, 64), ("no tables", SamplePicture.withoutTables, 64),
            ("no end marker", plain.dropLast(2), 64), ("half an end marker", plain.dropLast(1), 64),
            ("padded", plain + Data(repeating: 0, count: 512), 64), ("a boundary behind it", plain + Data("\r\n--frame--\r\n".utf8), 64),
            ("broken off", plain.dropLast(20), 64), ("upside down", SamplePicture.turned(3), 64),
            ("on its side", SamplePicture.turned(6), 48),
        ]
        for (name, picture, width) in kinds {
            do {
                let made = try await maker.renditions(of: Data(picture))
                #expect(try JPEGHeader(Array(made.whole)).width == width, "\(name)")
                #expect(made.whole.range(of: Data("Exif".utf8)) == nil, "\(name)")
            } catch {
                Issue.record(error, "\(name)")
            }
        }
    }

    @Test("Without ffmpeg no transcoder is available")
    func missing() {
        #expect(FFmpegPictureTranscoder(path: ["/nowhere"]) == nil)
    }
}

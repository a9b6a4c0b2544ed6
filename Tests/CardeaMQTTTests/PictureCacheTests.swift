import CardeaHub
import CardeaModel
import Foundation
import Testing

@testable import CardeaMQTT

@Suite("Cache of image entities' pictures")
struct PictureCacheTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000.125)
    private let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1]

    private func registry(_ config: String, as component: String) throws -> DiscoveryRegistry {
        var roster = DiscoveryRegistry()
        roster.apply(Array(config.utf8), at: try #require(DiscoveryTopic("homeassistant/\(component)/x/config", prefix: "homeassistant")))
        _ = roster.collectChanges(at: now)
        return roster
    }

    @Test("A camera picture is cached, and the entity's state is its arrival time")
    func camera() throws {
        var roster = try registry(#"{"topic": "yard/picture", "name": "Yard"}"#, as: "camera")
        #expect(roster.hasPictures(on: "yard/picture"))

        let reports = roster.storePicture(png, on: "yard/picture", at: now, isFresh: true)

        #expect(reports.map(\.entityID) == ["image.yard"])
        #expect(reports.map(\.state.value) == ["2027-01-15T08:00:00.125Z"])
        #expect(roster.pictures["image.yard"] == EntityPicture(bytes: png, contentType: "image/png", at: now))
    }

    @Test("A Base64 picture is decoded, and its format is detected from its bytes")
    func encoded() throws {
        var roster = try registry(
            #"{"image_topic": "map", "image_encoding": "b64", "content_type": "text/html", "name": "Map"}"#, as: "image")

        _ = roster.storePicture(Array(Data(png).base64EncodedString().utf8), on: "map", at: now, isFresh: false)

        #expect(roster.pictures["image.map"]?.contentType == "image/png")
        let address = Array("data:image/png;base64,\(Data(png).base64EncodedString())\r\n".utf8)
        _ = roster.storePicture(address, on: "map", at: now.addingTimeInterval(1), isFresh: false)
        #expect(roster.pictures["image.map"]?.bytes == png && roster.problems.isEmpty)
    }

    @Test("An HTML page instead of a picture is not cached and is reported")
    func page() throws {
        var roster = try registry(#"{"topic": "yard/picture", "name": "Yard"}"#, as: "camera")

        #expect(roster.storePicture(Array("<html>".utf8), on: "yard/picture", at: now, isFresh: true).isEmpty)
        #expect(roster.pictures["image.yard"] == nil)
        #expect(roster.problems.values.contains { $0.contains("is not a JPEG, PNG, WebP or GIF") })

        _ = roster.storePicture(png, on: "yard/picture", at: now, isFresh: true)
        #expect(roster.problems.isEmpty)
    }

    @Test("The oldest pictures are dropped beyond 32 MiB, and one above 4 MiB is not read")
    func bounds() throws {
        var pictures = PictureCache()
        let large = png + [UInt8](repeating: 0, count: PictureCache.pictureLimit - png.count)
        for number in 0..<9 {
            pictures.store(EntityPicture(bytes: large, contentType: "image/png", at: now), of: "image.n\(number)")
        }

        #expect(pictures["image.n0"] == nil)
        #expect((1..<9).allSatisfy { pictures["image.n\($0)"] != nil })
        #expect(throws: PictureCache.DecodingError.tooLarge) {
            try PictureCache.picture(
                in: large + [0], from: PictureTopic(topic: "t", isBase64: false, contentType: "image/png"), at: now)
        }
    }

    @Test("A withdrawn entity's picture is removed")
    func gone() throws {
        var roster = try registry(#"{"topic": "yard/picture", "name": "Yard"}"#, as: "camera")
        _ = roster.storePicture(png, on: "yard/picture", at: now, isFresh: true)

        roster.apply([], at: try #require(DiscoveryTopic("homeassistant/camera/x/config", prefix: "homeassistant")))

        #expect(roster.pictures["image.yard"] == nil)
    }
}

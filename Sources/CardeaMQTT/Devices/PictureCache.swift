import CardeaHub
import CardeaModel
import Foundation

/// The last picture of each image entity. They are kept in memory alone.
struct PictureCache: Sendable {
    /// Bytes of one picture, and of all that are kept.
    static let pictureLimit = 4 * 1024 * 1024
    static let limit = 32 * 1024 * 1024
    /// Bytes of a message that carries a picture: Base64 is a third longer.
    static let messageLimit = 6 * 1024 * 1024

    private var pictures: [String: EntityPicture] = [:]
    /// The entities that have a picture, the one whose picture is oldest first.
    private var order: [String] = []
    private var bytes = 0

    subscript(entityID: String) -> EntityPicture? { pictures[entityID] }

    /// Keeps the picture of an entity in place of the one before it, and drops the oldest ones if there is no room.
    mutating func store(_ picture: EntityPicture, of entityID: String) {
        remove(entityID)
        pictures[entityID] = picture
        order.append(entityID)
        bytes += picture.bytes.count
        while bytes > Self.limit, let oldest = order.first, oldest != entityID { remove(oldest) }
    }

    mutating func remove(_ entityID: String) {
        guard let gone = pictures.removeValue(forKey: entityID) else { return }
        order.removeAll { $0 == entityID }
        bytes -= gone.bytes.count
    }

    /// The reason why a message is no picture.
    enum DecodingError: Error, Hashable, Sendable {
        case notBase64, tooLarge, unknownFormat

        var message: String {
            switch self {
            case .notBase64: "is not Base64"
            case .tooLarge: "has more than \(PictureCache.pictureLimit / 1024 / 1024) MiB"
            case .unknownFormat: "is not a JPEG, PNG, WebP or GIF"
            }
        }
    }

    /// The picture in a message.
    static func picture(in payload: [UInt8], from source: PictureTopic, at now: Date) throws(DecodingError) -> EntityPicture {
        var bytes = payload
        if source.isBase64 {
            guard let decoded = Base64Picture.bytes(in: payload) else { throw .notBase64 }
            bytes = [UInt8](decoded)
        }
        guard bytes.count <= pictureLimit else { throw .tooLarge }
        guard let contentType = contentType(of: bytes) else { throw .unknownFormat }
        return EntityPicture(bytes: bytes, contentType: contentType, at: now)
    }

    /// The format by its first bytes. The sender's type is not trusted: otherwise a browser could be sent anything under that name.
    private static func contentType(of bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        if bytes.starts(with: Array("GIF87a".utf8)) || bytes.starts(with: Array("GIF89a".utf8)) { return "image/gif" }
        if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) { return "image/webp" }
        return nil
    }
}

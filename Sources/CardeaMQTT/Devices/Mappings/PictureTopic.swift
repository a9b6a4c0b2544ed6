import CardeaModel

/// The topic on which an entity shows its picture.
struct PictureTopic: Hashable, Sendable {
    let topic: String
    /// The picture is Base64 text, and not bytes.
    let isBase64: Bool
    let contentType: String
}

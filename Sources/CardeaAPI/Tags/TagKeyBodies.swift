import CardeaModel

/// `POST /api/v1/tags/{id}/keys`: a tag's present keys and its new ones. They are secrets, kept only on the tag and in the house.
public struct TagKeysAnswer: Codable, Sendable {
    public let tagID: String
    /// The URL to write on it from now on, up to the parameters.
    public let url: String
    /// 14 hexadecimal digits.
    public let uid: String
    /// The parameter names of its links.
    public let names: TagLinkNames
    /// The new keys. They stay the same until they were read back from the tag.
    public let metaKey: String
    public let fileKey: String
    /// The present keys, as far as the house knows.
    public let oldMetaKey: String
    public let oldFileKey: String

    enum CodingKeys: String, CodingKey {
        case url, uid, names
        case tagID = "tag_id"
        case metaKey = "meta_key"
        case fileKey = "file_key"
        case oldMetaKey = "old_meta_key"
        case oldFileKey = "old_file_key"
    }

    public init(
        tagID: String, url: String, uid: String, names: TagLinkNames, new: (meta: String, file: String), old: (meta: String, file: String)
    ) {
        self.tagID = tagID
        self.url = url
        self.uid = uid
        self.names = names
        (metaKey, fileKey) = new
        (oldMetaKey, oldFileKey) = old
    }
}

extension TagKeysAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "tag_id": .id, "url": .text(), "uid": .text(), "names": .of(TagLinkNames.self), "meta_key": .text(), "file_key": .text(),
        "old_meta_key": .text(), "old_file_key": .text(),
    ])
}

extension Route {
    public static var rekeyTag: Route {
        Route(
            .post, "/api/v1/tags/{id}/keys", .tags, "Get the keys of an authenticating tag, and the new keys that it shall get",
            .created(TagKeysAnswer.self), fails: [.tagNotFound, .conflict], traits: [.stepUp])
    }

    public static var finishRekeyingTag: Route {
        Route(
            .post, "/api/v1/tags/{id}/keys/promote", .tags,
            "Confirm new keys with the data read back from the tag; they become valid",
            body: .json(PromoteTagBody.self), .ok(TagAnswer.self), fails: [.tagNotFound, .conflict, ErrorCode(400, "not_read_back")])
    }
}

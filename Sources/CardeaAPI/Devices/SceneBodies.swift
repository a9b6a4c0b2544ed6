import CardeaModel
import Foundation

/// `POST /api/v1/scenes` and `PUT /api/v1/scenes/{id}`
public struct SceneBody: WireFormat.Body, Encodable, Sendable {
    public var name: String
    public var icon: String?
    public var actions: [DeviceActionBody]

    public enum CodingKeys: String, CodingKey, CaseIterable { case name, icon, actions }

    public init(name: String, icon: String? = nil, actions: [DeviceActionBody]) {
        self.name = name
        self.icon = icon
        self.actions = actions
    }
}

/// A scene as the wire shows it.
public struct SceneAnswer: Codable, Sendable {
    public let sceneID: String
    public let name: String
    @Nullable public private(set) var icon: String?
    public let actions: [DeviceActionBody]
    public let version: Int
    public let createdAt: Date
    public let changedAt: Date

    enum CodingKeys: String, CodingKey {
        case name, icon, actions, version
        case sceneID = "scene_id"
        case createdAt = "created_at"
        case changedAt = "changed_at"
    }

    public init(_ scene: Scene) {
        sceneID = scene.id
        name = scene.name
        icon = scene.icon
        actions = scene.actions.map(DeviceActionBody.init)
        version = scene.version
        createdAt = scene.createdAt
        changedAt = scene.changedAt
    }
}

public struct ScenesAnswer: Codable, Sendable {
    public let scenes: [SceneAnswer]
    public let total: Int

    public init(scenes: [SceneAnswer]) {
        self.scenes = scenes
        total = scenes.count
    }
}

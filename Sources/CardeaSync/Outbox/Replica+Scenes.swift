import CardeaAPI
import CardeaClient

extension Replica {
    public enum SceneRunResult: Sendable {
        /// The house ran it; the result of each action.
        case completed(BatchAnswer)
        /// Each action waits here, and is sent when the house can be reached.
        case queued([OutboxEntry])
    }

    /// Runs a scene. If the house cannot be reached, its actions are kept, if each of them can wait; else none is.
    ///
    /// - Throws: `OfflineQueueError` if one of them cannot wait, such as anything at a door: then nothing was sent, and nothing will be.
    public func run(sceneID: String) async throws -> SceneRunResult {
        do {
            return .completed(try await client.scenes.run(sceneID))
        } catch {
            guard error.isNoConnection else { throw error }
            return .queued(try await queueScene(sceneID))
        }
    }

    private func queueScene(_ id: String) async throws -> [OutboxEntry] {
        guard let scene = try await scenes().value.first(where: { $0.sceneID == id }) else { throw OfflineQueueError.unknownScene(id) }
        var wishes: [(id: String, operation: OutboxOperation)] = []
        for action in scene.actions {
            guard let device = try await device(action.deviceID) else { throw OfflineQueueError.unknownDevice(action.deviceID) }
            if let refusal = OfflinePolicy.refusal(of: action.action, on: device, entityID: action.entityID) { throw refusal }
            let command = DeviceCommand(
                action.deviceID, action.action, entityID: action.entityID, value: action.value, transitionTime: action.transitionTime,
                key: environment.makeIdempotencyKey())
            wishes.append((command.key, .control(.init(command, name: device.name))))
        }
        return try await add(wishes, lasts: OfflinePolicy.controlLifetime)
    }

    public enum SceneChangeResult: Sendable {
        /// The house has done it; with the scene, if one was created.
        case done(SceneAnswer?)
        case queued(OutboxEntry)
    }

    /// Creates a scene; if the house cannot be reached, as soon as it can.
    public func make(_ scene: SceneBody) async throws -> SceneChangeResult {
        let key = environment.makeIdempotencyKey()
        do {
            return .done(try await client.scenes.create(scene, key: key))
        } catch {
            guard error.isNoConnection else { throw error }
            return .queued(try await add(key, .scene(.make(scene)), lasts: Self.sceneChangeLifetime))
        }
    }

    /// Deletes the version of a scene that the person saw; if the house cannot be reached, as soon as it can. Here it is hidden at once.
    public func remove(_ scene: SceneAnswer) async throws -> SceneChangeResult {
        let key = environment.makeIdempotencyKey()
        do {
            try await client.scenes.remove(scene.sceneID, seen: scene.version, key: key)
            return .done(nil)
        } catch {
            guard error.isNoConnection else { throw error }
            let change = OutboxOperation.SceneChange.remove(sceneID: scene.sceneID, seen: scene.version, name: scene.name)
            return .queued(try await add(key, .scene(change), lasts: Self.sceneChangeLifetime))
        }
    }

    /// Seconds for which creating or deleting a scene waits: as long as the house remembers an idempotency key, so that none is created
    /// twice.
    private static var sceneChangeLifetime: Double { 24 * 3600 }

    func scenesPendingRemoval() async throws -> Set<String> {
        Set(
            try await outboxEntries().compactMap { entry in
                if case .ended = entry.status { return nil }
                if case .scene(.remove(let id, _, _)) = entry.operation { return id } else { return nil }
            })
    }
}

import CardeaAPI
import CardeaHub
import CardeaModel
import HTTPTypes
import Hummingbird

/// `/api/v1/scenes`: several things at one touch.
struct ScenesController: Sendable {
    let hub: Hub

    func addRoutes(to table: RouteTable) {
        table.person(.listScenes, list)
        table.person(.addScene, keepsItself: true, add)
        table.person(.showScene, show)
        table.person(.replaceScene, replace)
        table.person(.removeScene, remove)
        table.person(.runScene, keepsItself: true, run)
    }

    private func list(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        try .encoding(ScenesAnswer(scenes: try await hub.scenes.all(seenBy: principal).map(SceneAnswer.init)))
    }

    private func add(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let data = try await request.jsonBody()
        let body = try WireFormat.readBody(SceneBody.self, from: data)
        let (scene, isReplay) = try await hub.scenes.add(
            draft(body), by: principal, call: try request.idempotencyKey(data), origin: context.origin)
        return try .encoding(SceneAnswer(scene), status: .created, isReplay: isReplay).withETag(scene.version)
    }

    private func show(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let scene = try await hub.scenes.one(try context.id(), seenBy: principal)
        if request.hasCached(version: scene.version) { return .notModified(scene.version) }
        return try .encoding(SceneAnswer(scene)).withETag(scene.version)
    }

    private func replace(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let body = try await request.decodeBody(SceneBody.self)
        let scene = try await hub.scenes.replace(
            try context.id(), with: draft(body), seen: try request.expectedVersion(), by: principal, origin: context.origin)
        return try .encoding(SceneAnswer(scene)).withETag(scene.version)
    }

    private func remove(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        try await hub.scenes.remove(try context.id(), seen: try request.expectedVersion(), by: principal, origin: context.origin)
        return .noContent
    }

    private func run(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let call = try request.idempotencyKey(try await request.bodyData())
        let batch = try await hub.scenes.run(try context.id(), by: principal, call: call, origin: context.origin)
        return try await BatchResponses.answer(batch, request, hub.batches)
    }

    private func draft(_ body: SceneBody) -> Scenes.Draft {
        Scenes.Draft(name: body.name, icon: body.icon, actions: body.actions.map(BatchResponses.item))
    }
}

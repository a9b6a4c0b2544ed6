import CardeaAPI
import CardeaHub
import CardeaModel
import HTTPTypes
import Hummingbird

/// `/api/v1/scenes`: several things at one touch.
struct ScenesHarness: Sendable {
    let hub: Hub

    func add(to table: RouteTable) {
        table.person(.listScenes, list)
        table.person(.addScene, keepsItself: true, add)
        table.person(.showScene, show)
        table.person(.replaceScene, replace)
        table.person(.removeScene, remove)
        table.person(.runScene, keepsItself: true, run)
    }

    private func list(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        try .encoding(ScenesAnswer(scenes: try await hub.scenes.all(seenBy: principal).map(SceneAnswer.init)))
    }

    private func add(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        let data = try await request.jsonBytes()
        let body = try Wire.readBody(SceneBody.self, from: data)
        let (scene, isReplay) = try await hub.scenes.add(
            draft(body), by: principal, call: try request.callName(data), origin: context.origin)
        return try .encoding(SceneAnswer(scene), status: .created, isReplay: isReplay).tagged(scene.version)
    }

    private func show(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        let scene = try await hub.scenes.one(try context.id(), seenBy: principal)
        if request.knows(version: scene.version) { return .notModified(scene.version) }
        return try .encoding(SceneAnswer(scene)).tagged(scene.version)
    }

    private func replace(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        let body = try await request.read(SceneBody.self)
        let scene = try await hub.scenes.replace(
            try context.id(), with: draft(body), seen: try request.seen(), by: principal, origin: context.origin)
        return try .encoding(SceneAnswer(scene)).tagged(scene.version)
    }

    private func remove(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        try await hub.scenes.remove(try context.id(), seen: try request.seen(), by: principal, origin: context.origin)
        return .noContent
    }

    private func run(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        let call = try request.callName(try await request.bytes())
        let batch = try await hub.scenes.run(try context.id(), by: principal, call: call, origin: context.origin)
        return try await BatchWire.answer(batch, request, hub.batches)
    }

    private func draft(_ body: SceneBody) -> Scenes.Draft {
        Scenes.Draft(name: body.name, icon: body.icon, actions: body.actions.map(BatchWire.item))
    }
}

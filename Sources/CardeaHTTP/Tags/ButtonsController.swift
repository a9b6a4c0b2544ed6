import CardeaAPI
import CardeaHub
import CardeaModel
import CardeaSecurity
import HTTPTypes
import Hummingbird

/// `/api/v1/buttons`: one thing at a touch.
struct ButtonsController: Sendable {
    let hub: Hub

    func addRoutes(to table: RouteTable) {
        table.person(.listButtons, list)
        table.person(.addButton, keepsItself: true, add)
        table.person(.showButton, show)
        table.person(.replaceButton, replace)
        table.person(.removeButton, remove)
        table.person(.pressButton, keepsItself: true, press)
        table.person(.regenerateButton, regenerate)
        table.person(.makeSigningKey, signingKey)
    }

    private func list(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        try .encoding(ButtonsAnswer(buttons: try await hub.buttons.all(seenBy: principal).map(ButtonAnswer.init)))
    }

    private func add(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let data = try await request.jsonBody()
        let body = try WireFormat.readBody(ButtonBody.self, from: data)
        let (button, isReplay) = try await hub.buttons.add(
            try draft(body), by: principal, call: try request.idempotencyKey(data), origin: context.origin)
        return try .encoding(ButtonAnswer(button), status: .created, isReplay: isReplay).withETag(button.version)
    }

    private func show(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let button = try await hub.buttons.one(try context.id(), seenBy: principal)
        if request.hasCached(version: button.entityTag) { return .notModified(button.entityTag) }
        return try .encoding(ButtonAnswer(button)).withETag(button.entityTag)
    }

    private func replace(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let body = try await request.decodeBody(ButtonBody.self)
        let button = try await hub.buttons.replace(
            try context.id(), with: try draft(body), seen: try request.expectedVersion(), by: principal, origin: context.origin)
        return try .encoding(ButtonAnswer(button)).withETag(button.version)
    }

    private func remove(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        try await hub.buttons.remove(try context.id(), seen: try request.expectedVersion(), by: principal, origin: context.origin)
        return .noContent
    }

    private func press(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let call = try request.idempotencyKey(try await request.bodyData())
        let result = try await hub.buttons.press(try context.id(), by: principal, call: call, origin: context.origin)
        guard case .command(let command, let isReplay) = result else { throw APIResponseError.notFound }
        return try await CommandResponses.answer(command, isReplay: isReplay, request, hub.commands)
    }

    private func regenerate(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        _ = try await request.bodyData()
        try await hub.tags.invalidateSignedLinks(try context.id(), by: principal, origin: context.origin)
        return .noContent
    }

    private func signingKey(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        _ = try await request.bodyData()
        let id = try context.id()
        let (key, publication) = try await hub.buttons.newSigningKey(id, by: principal, origin: context.origin)
        return try .encoding(SigningKeyAnswer(buttonID: id, key: key.reveal(), device: publication.topic), status: .created)
    }

    private func draft(_ body: ButtonBody) throws -> Buttons.Draft {
        let behavior: Buttons.Draft.Behavior
        switch (body.action, body.publish) {
        case (let action?, nil): behavior = .command(BatchResponses.item(action))
        case (nil, let publish?): behavior = .publish(publish.publication, try timestampKey(publish))
        default: throw APIResponseError.validation("action", "send either action or publish")
        }
        return Buttons.Draft(
            title: body.title, behavior: behavior, isEnabled: body.enabled ?? true, answersTags: body.tagsEnabled ?? true,
            countdown: body.countdown ?? 0)
    }

    private func timestampKey(_ body: PublishBody) throws -> Buttons.Draft.TimestampKey {
        guard let hex = body.timestampKey else { return .unchanged }
        if hex.isEmpty { return .none }
        guard let key = try? TagKey(hex: Secret(hex)) else { throw APIResponseError.buttons(.publication(.timestampKey)) }
        return .new(key)
    }
}

extension Button {
    /// The value of its entity tag. The answer without the message has a tag of its own, so that a caller who may read the message later
    /// does not keep the blank answer.
    fileprivate var entityTag: String { publication?.message.isEmpty == true ? "\(version).blank" : "\(version)" }
}

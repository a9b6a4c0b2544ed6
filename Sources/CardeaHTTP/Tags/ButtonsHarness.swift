import CardeaAPI
import CardeaHub
import CardeaModel
import CardeaSecurity
import HTTPTypes
import Hummingbird

/// `/api/v1/buttons`: one thing at a touch.
struct ButtonsHarness: Sendable {
    let hub: Hub

    func add(to table: RouteTable) {
        table.person(.listButtons, list)
        table.person(.addButton, keepsItself: true, add)
        table.person(.showButton, show)
        table.person(.replaceButton, replace)
        table.person(.removeButton, remove)
        table.person(.pressButton, keepsItself: true, press)
        table.person(.regenerateButton, regenerate)
        table.person(.makeSigningKey, signingKey)
    }

    private func list(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        try .encoding(ButtonsAnswer(buttons: try await hub.buttons.all(seenBy: principal).map(ButtonAnswer.init)))
    }

    private func add(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        let data = try await request.jsonBytes()
        let body = try Wire.readBody(ButtonBody.self, from: data)
        let (button, isReplay) = try await hub.buttons.add(
            try draft(body), by: principal, call: try request.callName(data), origin: context.origin)
        return try .encoding(ButtonAnswer(button), status: .created, isReplay: isReplay).tagged(button.version)
    }

    private func show(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        let button = try await hub.buttons.one(try context.id(), seenBy: principal)
        if request.knows(version: button.tag) { return .notModified(button.tag) }
        return try .encoding(ButtonAnswer(button)).tagged(button.tag)
    }

    private func replace(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        let body = try await request.read(ButtonBody.self)
        let button = try await hub.buttons.replace(
            try context.id(), with: try draft(body), seen: try request.seen(), by: principal, origin: context.origin)
        return try .encoding(ButtonAnswer(button)).tagged(button.version)
    }

    private func remove(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        try await hub.buttons.remove(try context.id(), seen: try request.seen(), by: principal, origin: context.origin)
        return .noContent
    }

    private func press(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        let call = try request.callName(try await request.bytes())
        let result = try await hub.buttons.press(try context.id(), by: principal, call: call, origin: context.origin)
        guard case .command(let command, let isReplay) = result else { throw Problem.notFound }
        return try await CommandWire.answer(command, isReplay: isReplay, request, hub.commands)
    }

    private func regenerate(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        _ = try await request.bytes()
        try await hub.tags.regenerate(try context.id(), by: principal, origin: context.origin)
        return .noContent
    }

    private func signingKey(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        _ = try await request.bytes()
        let id = try context.id()
        let (key, publication) = try await hub.buttons.newSigningKey(id, by: principal, origin: context.origin)
        return try .encoding(SigningKeyAnswer(buttonID: id, key: key.reveal(), device: publication.topic), status: .created)
    }

    private func draft(_ body: ButtonBody) throws -> Buttons.Draft {
        let deed: Buttons.Draft.Deed
        switch (body.action, body.publish) {
        case (let action?, nil): deed = .ask(BatchWire.item(action))
        case (nil, let publish?): deed = .publish(publish.publication, try timestampKey(publish))
        default: throw Problem.validation("action", "is what a button does, or else publish; one of the two")
        }
        return Buttons.Draft(
            title: body.title, deed: deed, isEnabled: body.enabled ?? true, answersTags: body.tagsEnabled ?? true,
            countdown: body.countdown ?? 0)
    }

    private func timestampKey(_ body: PublishBody) throws -> Buttons.Draft.TimestampKey {
        guard let hex = body.timestampKey else { return .asItIs }
        if hex.isEmpty { return .none }
        guard let key = try? TagKey(hex: Secret(hex)) else { throw Problem.buttons(.publication(.timestampKey)) }
        return .new(key)
    }
}

extension Button {
    /// What stands in its entity tag: without its message it is another answer, which whoever may read the message later is not left with.
    fileprivate var tag: String { publication?.message.isEmpty == true ? "\(version).blank" : "\(version)" }
}

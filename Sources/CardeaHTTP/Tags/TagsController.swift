import CardeaAPI
import CardeaHub
import CardeaModel
import CardeaQR
import CardeaSecurity
import Foundation
import HTTPTypes
import Hummingbird

/// `/api/v1/tags`: what presses buttons from outside the house's screens.
struct TagsController: Sendable {
    let hub: Hub
    let address: CurrentPublicURL

    func addRoutes(to table: RouteTable) {
        table.person(.listTags, list)
        table.person(.addTag, keepsItself: true, add)
        table.person(.showTagPolicy, showPolicy)
        table.person(.changeTagPolicy, changePolicy)
        table.person(.showTag, show)
        table.person(.renewTag, renew)
        table.person(.promoteTag, promote)
        table.person(.rekeyTag, rekey)
        table.person(.finishRekeyingTag, finishRekeying)
        table.person(.removeTag, remove)
        table.person(.lookAtTag, preview)
        table.person(.drawTagLink) { request, _, _ in
            let url = try await request.decodeBody(DrawTagLinkBody.self).url
            guard (1...512).contains(url.utf8.count) else { throw APIResponseError.validation("url", "must have 1 to 512 bytes") }
            return .svg(try QRCode(url).svg())
        }
        table.person(.tapTag, keepsItself: true, tap)
    }

    private func list(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        try .encoding(TagsAnswer(tags: try await hub.tags.all(seenBy: principal).map(answer)))
    }

    private func show(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        try .encoding(answer(try await hub.tags.one(try context.id(), seenBy: principal)))
    }

    private func add(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let data = try await request.jsonBody()
        let body = try WireFormat.readBody(AddTagBody.self, from: data)
        let call = try request.idempotencyKey(data)
        if let field = Self.unexpectedField(body) {
            throw APIResponseError.validation(field, "is not accepted for kind \(body.kind.rawValue). Remove it")
        }
        guard body.kind != .live else {
            let (live, isReplay) = try await hub.tags.issueSignedLink(
                try Self.pressTarget(body), by: principal, call: call, origin: context.origin)
            return try .encoding(
                NewTagAnswer(
                    liveFor: live.buttonID, url: "\(address.text)/t/action?\(live.query.reveal())",
                    appURL: "\(SignedActionLink.scheme)://action?\(live.query.reveal())", expiresAt: live.goodUntil), status: .created,
                isReplay: isReplay)
        }
        let nature = try body.kind == .sun ? sunKind(body) : .memory
        let added = try await hub.tags.add(
            .init(pressing: try Self.pressTarget(body), label: body.label, nature: nature, pending: try Self.pending(body)), by: principal,
            call: call, origin: context.origin)
        return try .encoding(
            NewTagAnswer(added.tag, url: url(added.tag), metaKey: added.meta?.hex.reveal(), fileKey: added.file?.hex.reveal()),
            status: .created, isReplay: added.isReplay)
    }

    private static func pressTarget(_ body: AddTagBody) throws -> Tags.PressTarget {
        switch (body.buttonID, body.grant) {
        case (let id?, nil): return .button(id)
        case (nil, let grant?):
            guard let action = grant.actions.first, grant.actions.count == 1 else {
                throw APIResponseError.validation("grant.actions", "must have one action")
            }
            return .grant(.init(deviceID: grant.deviceID, entityID: grant.entityID, action: action))
        default: throw APIResponseError.validation("button_id", "send either button_id or grant")
        }
    }

    private static func pending(_ body: AddTagBody) throws -> Tags.Draft.Pending? {
        if body.pending == true { return Tags.Draft.Pending(replaces: body.replaces) }
        guard body.replaces == nil else { throw APIResponseError.validation("replaces", "needs pending: true") }
        return nil
    }

    /// The first field that only tags of another kind have; nil if there is none.
    private static func unexpectedField(_ body: AddTagBody) -> String? {
        let ofChips = [
            ("uid", body.uid != nil), ("meta_key", body.metaKey != nil), ("file_key", body.fileKey != nil), ("names", body.names != nil),
        ]
        return switch body.kind {
        case .sun: nil
        case .static: ofChips.first(where: \.1)?.0
        case .live:
            (ofChips + [("label", body.label != nil), ("pending", body.pending != nil), ("replaces", body.replaces != nil)])
                .first(where: \.1)?.0
        }
    }

    private func sunKind(_ body: AddTagBody) throws -> Tags.Draft.Technology {
        guard let uid = body.uid.flatMap({ Hexadecimal.decode($0) }) else {
            throw APIResponseError.validation("uid", "must have 14 hexadecimal digits")
        }
        let standard = SUNKeys.ParameterNames.standard
        let names = SUNKeys.ParameterNames(
            picc: body.names?.piccData ?? standard.picc, enc: body.names?.enc ?? standard.enc, cmac: body.names?.cmac ?? standard.cmac)
        return .sun(uid: uid, meta: try key(body.metaKey, "meta_key"), file: try key(body.fileKey, "file_key"), names: names)
    }

    private func key(_ hex: String?, _ field: String) throws -> TagKey? {
        guard let hex else { return nil }
        do {
            return try TagKey(hex: Secret(hex))
        } catch {
            switch error {
            case .malformed: throw APIResponseError.validation(field, "must have 32 hexadecimal digits")
            case .wellKnown: throw APIResponseError.validation(field, "is a publicly known key. Give the tag a key of its own")
            }
        }
    }

    private func renew(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let body = try await request.decodeBody(RenewTagBody.self)
        if body.alarmSeen == true {
            guard body.label == nil, body.buttonVersion == nil else {
                throw APIResponseError.validation("alarm_seen", "must be sent alone. Remove label and button_version")
            }
            return try .encoding(
                answer(try await hub.tags.acknowledgeAlarm(of: try context.id(), by: principal, origin: context.origin)))
        }
        let tag = try await hub.tags.renew(
            try context.id(), label: body.label, seen: body.buttonVersion, by: principal, origin: context.origin)
        return try .encoding(answer(tag))
    }

    private func promote(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let body = try await request.decodeBody(PromoteTagBody.self)
        let tag = try await hub.tags.promote(try context.id(), readBack: try Self.link(body.url), by: principal, origin: context.origin)
        return try .encoding(answer(tag))
    }

    private func rekey(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        _ = try await request.bodyData()
        let rekeying = try await hub.tags.beginKeyRotation(try context.id(), by: principal, origin: context.origin)
        let (new, old, tag) = (rekeying.new, rekeying.old, rekeying.tag)
        let answer = TagKeysAnswer(
            tagID: tag.id, url: url(tag), uid: tag.uid.map { Hexadecimal.encode($0).uppercased() } ?? "",
            names: TagLinkNames(piccData: new.names.picc, enc: new.names.enc, cmac: new.names.cmac),
            new: (new.meta.hex.reveal(), new.file.hex.reveal()), old: (old.meta.hex.reveal(), old.file.hex.reveal()))
        return try .encoding(answer, status: .created)
    }

    private func finishRekeying(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let body = try await request.decodeBody(PromoteTagBody.self)
        let tag = try await hub.tags.finishKeyRotation(
            try context.id(), readBack: try Self.link(body.url), by: principal, origin: context.origin)
        return try .encoding(answer(tag))
    }

    private func remove(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        try await hub.tags.remove(try context.id(), by: principal, origin: context.origin)
        return .noContent
    }

    private func showPolicy(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let (policy, version) = try await hub.tags.policy(seenBy: principal)
        if request.hasCached(version: version) { return .notModified(version) }
        return try .encoding(TagPolicyBody(policy)).withETag(version)
    }

    private func changePolicy(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let body = try await request.decodeBody(TagPolicyBody.self)
        let (policy, version) = try await hub.tags.updatePolicy(
            body.policy, seen: try request.expectedVersion(), by: principal, origin: context.origin)
        return try .encoding(TagPolicyBody(policy)).withETag(version)
    }

    private static func link(_ text: String) throws -> String {
        guard (1...TagLink.maximumLength).contains(text.unicodeScalars.count) else {
            throw APIResponseError.validation("url", "must have 1 to \(TagLink.maximumLength) characters")
        }
        return text
    }

    /// The message was sent, and its result will never be reported.
    private static let noReport = "no_report"

    private func preview(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let body = try await request.decodeBody(InspectTagBody.self)
        let look = try await hub.tapHandler.preview(try Self.link(body.url), by: principal, origin: context.origin)
        return try .encoding(
            InspectedTagAnswer(look.button, refused: look.refusal?.rawValue, look.refusal?.sentence, atOnce: look.needsNoConfirmation))
    }

    private func tap(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let data = try await request.jsonBody()
        let body = try WireFormat.readBody(TapBody.self, from: data)
        let (outcome, isReplay) = try await hub.tapHandler.handle(
            try Self.link(body.url), isConfirmed: body.confirm ?? false, by: principal, call: try request.idempotencyKey(data),
            origin: context.origin)
        switch outcome {
        case .refused(let refusal, let button):
            return try .encoding(TapAnswer(refused: refusal.rawValue, refusal.sentence, button), isReplay: isReplay)
        case .denied(let refusal, let button):
            let problem = APIResponseError(refusal)
            return try .encoding(TapAnswer(refused: problem.code, problem.message, button), isReplay: isReplay)
        case .admitted(let admitted, let button):
            let command = request.prefersAsyncResponse ? admitted : try await hub.commands.outcome(of: admitted)
            let problem = APIResponseError.outcome(of: command, in: .hub)
            return try .encoding(
                TapAnswer(
                    button, commandID: command.id, outcome: command.status.rawValue,
                    reason: command.reason == Self.noReport ? Self.noReport : problem?.code, message: problem?.message),
                isReplay: isReplay)
        }
    }

    private func answer(_ tag: Tag) -> TagAnswer {
        TagAnswer(tag, url: url(tag), uid: tag.uid.map { Hexadecimal.encode($0).uppercased() })
    }

    /// The URL on the tag. A tag that proves its touches appends the proof to it.
    private func url(_ tag: Tag) -> String { "\(address.text)/t/\(tag.id)" }
}

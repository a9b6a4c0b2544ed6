import CardeaAPI
import CardeaHub
import CardeaModel
import CardeaSecurity
import Foundation
import HTTPTypes
import Hummingbird

/// `/api/v1/people`: who lives here.
struct PeopleController: Sendable {
    let hub: Hub
    let tokenEncoding: SessionTokenEncoding
    private var address: CurrentPublicURL { tokenEncoding.address }

    func addRoutes(to table: RouteTable) {
        table.person(.listPeople, list)
        table.person(.invitePerson, keepsItself: true, invite)
        table.open(.acceptInvitation, accept)
        table.person(.showMyself, me)
        table.person(.changePassword, password)
        table.person(.showPreferences, preferences)
        table.person(.changePreferences, changePreferences)
        table.person(.sayPresence, presence)
        table.person(.showPresenceSource, presenceSource)
        table.person(.linkPresenceSource, linkPresenceSource)
        table.person(.unlinkPresenceSource, unlinkPresenceSource)
        table.person(.changePerson, change)
        table.person(.removePerson, remove)
        table.person(.invitePersonAgain, inviteAgain)
    }

    private func list(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        try .encoding(PeopleAnswer(people: try await hub.people.all(seenBy: principal).map { PersonAnswer($0) }))
    }

    private func me(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        guard case .person(let id, _) = principal else { throw People.PersonError.forbidden(.roleLacksRight) }
        guard let me = try await hub.people.profile(id) else { throw APIResponseError.unauthorized }
        return try .encoding(
            PersonAnswer(
                me.person, temperatureUnit: me.temperatureUnit, answerers: hub.house.current.preferences.asksAnsweredBy))
    }

    private func invite(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let data = try await request.jsonBody()
        let body = try WireFormat.readBody(InvitePersonBody.self, from: data)
        let (invitation, isReplay) = try await hub.people.invite(
            name: body.name, role: body.role, by: principal, call: try request.idempotencyKey(data), origin: context.origin)
        return try await answer(invitation, isReplay: isReplay)
    }

    private func inviteAgain(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        _ = try await request.bodyData()
        return try await answer(
            try await hub.people.renewInvitation(try context.id(), by: principal, origin: context.origin), isReplay: false)
    }

    private func answer(_ invitation: People.Invitation, isReplay: Bool) async throws -> Response {
        guard let person = try await hub.people.person(invitation.personID) else { throw APIResponseError.notFound }
        return try .encoding(
            PersonInvitationAnswer(
                person: PersonAnswer(person), inviteLink: "\(address.text)/join#\(invitation.secret.reveal())",
                expiresAt: invitation.expiresAt),
            status: .created, isReplay: isReplay)
    }

    private func accept(_ request: Request, _ context: HubRequestContext) async throws -> Response {
        let body = try await request.decodeBody(AcceptInvitationBody.self)
        let (cookie, origin) = try tokenEncoding.cookie(asked: body.cookie, by: request, context)
        let tokens = try await hub.people.accept(
            Secret(body.inviteToken), username: body.username, password: Secret(body.password), origin: origin)
        return try tokenEncoding.response(tokens, in: cookie, status: .created)
    }

    private func change(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let body = try await request.decodeBody(ChangePersonBody.self)
        let change = People.Change(
            name: body.name, role: body.role, canInviteGuests: body.canInviteGuests, disabled: body.disabled)
        let person = try await hub.people.change(
            try context.id(), change, seen: try request.expectedVersion(), by: principal, origin: context.origin)
        return try .encoding(PersonAnswer(person)).withETag(person.version)
    }

    private func remove(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        try await hub.people.remove(try context.id(), by: principal, origin: context.origin)
        return .noContent
    }

    private func preferences(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let preferences = try await hub.preferences.preferences(of: principal)
        if request.hasCached(version: preferences.version) { return .notModified(preferences.version) }
        return try .encoding(PreferencesAnswer(preferences)).withETag(preferences.version)
    }

    private func changePreferences(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let body = try await request.decodeBody(PreferencesBody.self)
        let preferences = try await hub.preferences.change(
            body.preferences, seen: try request.expectedVersion(), by: principal, origin: context.origin)
        return try .encoding(PreferencesAnswer(preferences)).withETag(preferences.version)
    }

    private func presence(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let body = try await request.decodeBody(PresenceBody.self)
        let (id, presence) = try await hub.people.setPresence(isHome: body.isHome, by: principal, origin: context.origin)
        return try .encoding(PresenceAnswer(personID: id, isHome: presence.isHome, since: presence.since))
    }

    private func presenceSource(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        try .encoding(PresenceSourceAnswer(try await hub.presenceSources.status(of: principal)))
    }

    private func linkPresenceSource(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let body = try await request.decodeBody(PresenceSourceBody.self)
        let status = try await hub.presenceSources.link(body.entityID, by: principal, origin: context.origin)
        return try .encoding(PresenceSourceAnswer(status))
    }

    private func unlinkPresenceSource(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        try await hub.presenceSources.unlink(by: principal, origin: context.origin)
        return .noContent
    }

    private func password(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let body = try await request.decodeBody(ChangePasswordBody.self)
        try await hub.people.changePassword(
            from: body.currentPassword.map { Secret($0) }, to: Secret(body.newPassword), by: principal, origin: context.origin)
        return .noContent
    }
}

extension PresenceSourceAnswer {
    fileprivate init(_ status: PresenceSources.Status) {
        self.init(
            linked: status.link.map {
                Linked(integration: $0.integration, entityID: $0.source?.entityID, name: $0.source?.name, linkedAt: $0.linkedAt)
            },
            candidates: status.candidates.map {
                Candidate(integration: $0.integration, entityID: $0.source.entityID, name: $0.source.name)
            })
    }
}

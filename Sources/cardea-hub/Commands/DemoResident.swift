import ArgumentParser
import CardeaHub
import CardeaSecurity
import Foundation

/// The owner of the demo's house: whom strangers are taken for, and as whom one may sign in to the web app.
struct DemoResident: Sendable {
    let principal: Principal
    let username = "demo"
    let password: Secret

    init(movingInto hub: Hub) async throws {
        password = SecretGenerator.spokenCode()
        guard let token = try await hub.house.newClaimToken() else { throw ValidationError("The demo house already has an owner.") }
        let tokens = try await hub.people.claim(
            .init(token: token, username: username, password: password, name: "Demo", houseName: "Demo house", timeZone: nil),
            origin: .house)
        principal = try await hub.sessions.authenticate(tokens.access, origin: .house)
    }
}

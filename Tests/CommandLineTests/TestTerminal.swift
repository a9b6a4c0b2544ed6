import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity
import Foundation
import Synchronization
import Testing
@testable import cardea

/// Somebody at a terminal before a scripted house, with a folder of their own.
struct TestTerminal {
    let house: ScriptedTransport
    var environment: [String: String] = [:]
    var interruptHandler = InterruptHandler(heard: false)
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cardea-\(UUID().uuidString)/home")

    static func hub() throws -> HubAddress { try HubAddress("https://house.example") }

    func signIn() async throws {
        try await CredentialStore(folder: folder, environment: [:]).update { kept in
            let session = Session(accessToken: Secret("access"), refreshToken: Secret("refresh"), expiresAt: .distantFuture)
            kept.set(session, at: try Self.hub())
        }
    }

    func storePass() async throws {
        try await CredentialStore(folder: folder, environment: [:]).update { kept in
            kept.passes = [StoredPass(hub: try Self.hub(), token: StoredSecret(Secret("pass")), pass: Self.pass, takenAt: Date())]
        }
    }

    /// Runs a command as it is typed; answers why it came to nothing, or nil where it did not.
    func run(_ line: String) async throws -> CommandLineError? {
        let command = try #require(try Cardea.parseAsRoot(line.split(separator: " ").map(String.init)) as? any HouseCommand)
        let file = CredentialStore(folder: folder, environment: [:])
        let context = CommandContext(
            credentialStore: file, credentials: try await file.read(), output: Output(json: false, environment: [:]),
            transport: ChangeTrackingTransport(house),
            pins: PinStore(), prompt: Prompt(), environment: environment, interruptHandler: interruptHandler)
        do throws(CommandLineError) {
            try await context.run(command)
            return nil
        } catch {
            return error
        }
    }

    private static let pass = GuestPassAnswer(
        guestToken: nil, guestID: "guest_1", name: "Plumber", houseName: "Linden Street 14", timeZone: "Europe/Berlin",
        entities: [
            .init(entityID: "lock.front_door", deviceID: "front-door", name: "Front door", entityType: .lock, allowedActions: ["door.open"])
        ],
        startsAt: nil, expiresAt: .distantFuture, maxUses: 2, usedCount: 0, schedule: nil, asksEachTime: true, status: .active,
        revokedAt: nil, now: Date())
}

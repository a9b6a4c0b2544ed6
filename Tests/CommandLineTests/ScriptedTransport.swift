import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity
import Foundation
import Synchronization
import Testing

@testable import cardea

/// A house scripted by a closure, which records its requests.
final class ScriptedTransport: Transport {
    typealias Script = @Sendable (TransportRequest, Int) -> Result<TransportResponse, TransportError>

    private let script: Script
    private let sentRequests = Mutex<[TransportRequest]>([])

    /// - Parameter script: gets the request and the number of earlier ones.
    init(_ script: @escaping Script) {
        self.script = script
    }

    var requests: [TransportRequest] { sentRequests.withLock { $0 } }

    func open(_ request: TransportRequest) async throws(TransportError) -> TransportStream { throw .noConnection }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let before = sentRequests.withLock { requests in
            requests.append(request)
            return requests.count - 1
        }
        return try script(request, before).get()
    }
}

extension Result<TransportResponse, TransportError> {
    static func json(_ status: Int, _ text: String) -> Self {
        .success(TransportResponse(status: status, body: Data(text.utf8)))
    }

    static func refused(_ status: Int, _ code: String) -> Self {
        .json(status, #"{"error":{"code":"\#(code)","message":"No: \#(code).","details":{}}}"#)
    }
}

/// A person at a terminal with a scripted house and their own folder.
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

    /// Runs a command as typed; returns its error, or nil.
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

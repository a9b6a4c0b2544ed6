import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation

/// A resident asks a door.
struct ResidentDoor {
    let wish: DoorWords.Wish

    func ask(_ wanted: String?, _ sitting: Sitting) async throws {
        let client = try sitting.client()
        guard let wanted else { throw Failure.usage("Which door? `cardea status` names them.") }
        let door = try Named.find(
            wanted, among: Door.all(in: await devices(client)), what: "door", ids: { [$0.device.deviceID, $0.entity.entityID] },
            name: \.name)
        guard let verb = wish == .open ? door.verbToOpen : door.verbToLock else {
            throw Failure.usage("\(door.name) shuts by itself; it cannot be asked to.")
        }
        let words = DoorWords(wish, door.entity.kind)
        sitting.output.progress(words.waiting)
        let command = DeviceCommand(door.device.deviceID, verb.rawValue, entityID: door.entity.entityID)
        var outcome = try await client.devices.control(command)
        if case .waiting(let command) = outcome {
            outcome = try await client.devices.outcome(of: command.commandID, patience: .seconds(60))
        }
        let answer = try OutcomeReport.confirmed(outcome, words: WishWords(words))
        try await sitting.output.show(answer) { words.confirmed }
    }

    /// Without a connection, a door has words of its own.
    private func devices(_ client: CardeaClient) async throws -> [DeviceAnswer] {
        do {
            return try await client.devices.list().devices
        } catch ClientError.noConnection(let host) {
            throw Failure(
                status: .unreachable, code: "no_connection", message: DoorWords(wish, .lock).noConnection,
                details: ["host": .string(host)])
        }
    }
}

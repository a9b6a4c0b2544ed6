import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation

/// A resident's command for a door.
struct ResidentDoorRequest {
    let wish: DoorCommandText.Direction

    func submit(_ wanted: String?, _ context: CommandContext) async throws {
        let client = try context.client()
        guard let wanted else { throw CommandLineError.usage("Name a door. `cardea status` lists them.") }
        let door = try NameResolver.resolve(
            wanted, among: Door.all(in: await devices(client)), what: "door", ids: { [$0.device.deviceID, $0.entity.entityID] },
            name: \.name)
        guard let verb = wish == .open ? door.verbToOpen : door.verbToLock else {
            throw CommandLineError.usage("\(door.name) closes by itself and has no command for it.")
        }
        let words = DoorCommandText(wish, door.entity.kind)
        context.output.progress(words.waiting)
        let command = DeviceCommand(door.device.deviceID, verb.rawValue, entityID: door.entity.entityID)
        var outcome = try await client.devices.control(command)
        if case .waiting(let command) = outcome {
            outcome = try await client.devices.outcome(of: command.commandID, patience: .seconds(60))
        }
        let answer = try CommandOutcomeValidator.requireConfirmed(outcome, words: CommandText(words))
        try await context.output.show(answer) { words.confirmed }
    }

    /// Without a connection, a door has its own message.
    private func devices(_ client: CardeaClient) async throws -> [DeviceAnswer] {
        do {
            return try await client.devices.list().devices
        } catch ClientError.noConnection(let host) {
            throw CommandLineError(
                status: .unreachable, code: "no_connection", message: DoorCommandText(wish, .lock).noConnection,
                details: ["host": .string(host)])
        }
    }
}

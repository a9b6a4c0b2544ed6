import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync
import Foundation

struct DeviceControlCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "control", abstract: "Send a command to a device, and wait for its confirmation.",
        discussion: """
            If the house cannot be reached, commands that can wait are queued and sent later; `cardea queue` lists them. Commands to doors
            are never queued.

              cardea devices control hall-light on
              cardea devices control hall-light set_brightness --value 40
              cardea devices control study-light set_color --value '{"temperature":2700}'
              cardea devices control living-climate set_temperature --value 20.5
            """)

    @Argument(help: "The device, by id or name.", completion: .devices)
    var device: String
    @Argument(help: "The command: on, off, open, close, stop, lock, unlock, set_brightness, set_position, …")
    var action: String
    @Option(help: "The value that the command needs: a number, a word, or JSON.")
    var value: ParsedValue?
    @Option(help: "The entity, if the device has several: light.hall.")
    var entity: String?
    @Option(help: "Fade a light over this many milliseconds.")
    var transition: Double?
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        guard let replica = try await context.replicaIfAvailable(of: client) else {
            let outcome = try await client.devices.control(command(context.device(device).deviceID))
            return try await show(outcome, context)
        }
        do {
            switch try await replica.control(command(context.device(device).deviceID)) {
            case .completed(let outcome): try await show(outcome, context)
            case .queued(let entry): try await show(entry, context)
            }
        } catch let refusal as OfflineQueueError {
            throw CommandLineError(refusal)
        }
    }

    private func command(_ id: String) -> DeviceCommand {
        DeviceCommand(id, action, entityID: entity, value: value?.json, transitionTime: transition)
    }

    private func show(_ outcome: CommandOutcome, _ context: CommandContext) async throws {
        let answer = try CommandOutcomeValidator.requireConfirmed(outcome, words: .plain)
        try await context.output.show(answer) {
            CommandText.plain.confirmed(answer.newState?.state)
        }
    }

    private func show(_ entry: OutboxEntry, _ context: CommandContext) async throws {
        let clock = CommandContext.clock(context.credentials)
        try await context.output.show(QueuedAnswer(queued: QueueEntryAnswer(entry))) {
            """
            Queued: \(QueueEntryText(clock, entry).summary). It is sent when the house can be reached\
            \(entry.notAfter.map { " before \(clock.short($0))" } ?? ""). `cardea queue` lists queued changes.
            """
        }
    }
}

extension CommandLineError {
    /// The reason why an operation was not queued. Nothing was sent.
    init(_ refusal: OfflineQueueError) {
        let message = refusal.localizedDescription
        switch refusal {
        case .door, .notNow, .unknownDevice, .unknownScene, .unknownGuest:
            self.init(status: .unreachable, code: "no_connection", message: message)
        case .unsupported: self = .refused("unsupported_action", message)
        case .unknownAction: self.init(status: .usage, code: "usage", message: message)
        case .unresolvedConflict: self = .refused("frozen", message)
        case .queueFull: self.init(status: .tryLater, code: "queue_full", message: message)
        }
    }
}

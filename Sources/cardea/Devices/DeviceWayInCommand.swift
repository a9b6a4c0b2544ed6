import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel

struct DeviceWayInCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "way-in", abstract: "Say that a button, a switch or a valve opens a way in, or that it does not.",
        discussion: """
            What it is asked then counts as opening a door: a relay at a garage, an unlatch button.

              cardea devices way-in garage-relay
              cardea devices way-in garage-relay --no
            """)

    @Argument(help: "The device, by id or name.", completion: .devices)
    var device: String
    @Option(help: "Which part of it, where several can be marked: an entity's id.")
    var entity: String?
    @Flag(help: "It opens none. Show who you are first: cardea step-up.")
    var no = false
    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        let client = try sitting.client()
        let found = try await client.devices.one(client.deviceID(device))
        let part = try part(of: found)
        let answer = try await client.devices.mark(part.entityID, of: found.deviceID, opensWayIn: !no)
        try await sitting.output.show(answer) {
            no ? "\(part.name) of \(found.name) opens no way in." : "\(part.name) of \(found.name) opens a way in: it counts as a door now."
        }
    }

    private func part(of device: DeviceAnswer) throws -> EntityAnswer {
        let parts = device.entities.filter { $0.opensWayIn != nil && (entity == nil || $0.entityID == entity) }
        guard let part = parts.first else {
            throw Failure.usage("\(entity ?? device.name) has no button, switch or valve to mark.")
        }
        guard parts.count == 1 else {
            throw Failure.usage(
                "Several parts of \(device.name) can be marked; name one: \(parts.map(\.entityID).joined(separator: ", ")).")
        }
        return part
    }
}

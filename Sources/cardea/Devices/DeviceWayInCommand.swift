import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel

struct DeviceWayInCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "way-in", abstract: "Say what opens a way in, and that a door that is announced otherwise is the same door.",
        discussion: """
            A button, a switch or a valve may open a way in: a relay at a garage, an unlatch button. What it is asked then counts as opening a door.

            A way in stays one. Where it is announced with other topics than before, or something else is announced on its topics, guests, tags, scenes
            and automations cannot open it until you have looked at it:

              cardea devices way-in garage-relay
              cardea devices way-in garage-relay --no
              cardea devices way-in front-door --look
              cardea devices way-in front-door --same-door
            """)

    @Argument(help: "The device, by id or name.", completion: .devices)
    var device: String
    @Option(help: "Which part of it: an entity's id. Without it, --same-door and --no mean all of the device that wait for your word.")
    var entity: String?
    @Flag(help: "Only show how its ways in are told to open, before and now.")
    var look = false
    @Flag(help: "It is the door that it was. Show who you are first: cardea step-up.")
    var sameDoor = false
    @Flag(help: "It opens none. Show who you are first: cardea step-up.")
    var no = false
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard [look, sameDoor, no].count(where: \.self) <= 1 else {
            throw ValidationError("Give one of --look, --same-door and --no.")
        }
    }

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let found = try await client.devices.get(client.deviceID(device))
        if look { return try await show(found, client, context) }
        if sameDoor || (no && needsConfirmation(found)) {
            let answer = try await client.devices.confirmSameDoor(sameDoor: sameDoor, of: entity.map { [$0] }, on: found.deviceID)
            return try await context.output.show(answer) {
                sameDoor ? "\(found.name) is the door that it was." : "\(found.name) opens no way in, as it is announced now."
            }
        }
        let part = try part(of: found)
        let answer = try await client.devices.mark(part.entityID, of: found.deviceID, opensWayIn: !no)
        try await context.output.show(answer) {
            no ? "\(part.name) of \(found.name) opens no way in." : "\(part.name) of \(found.name) opens a way in: it counts as a door now."
        }
    }

    private func needsConfirmation(_ device: DeviceAnswer) -> Bool {
        device.entities.contains { $0.wayInStanding != nil && (entity == nil || $0.entityID == entity) }
    }

    private func show(_ device: DeviceAnswer, _ client: CardeaClient, _ context: CommandContext) async throws {
        let answer = try await client.devices.waysIn(device.deviceID)
        try await context.output.show(answer) {
            let ways = answer.waysIn.filter { entity == nil || $0.entityID == entity }
            guard !ways.isEmpty else { return "\(device.name) has no way in." }
            return ways.map(Self.text).joined(separator: "\n")
        }
    }

    private static func text(_ way: WayInAnswer) -> String {
        let sentence = way.sentence ?? "It is a way in, and stays one whatever its device announces."
        let changed = way.changes.map { "  ! \($0.member): \($0.known ?? "—") → \($0.announced ?? "—")" }
        let same = way.known.filter { member in !way.changes.contains { $0.member == member.key } }
        let others = same.sorted { $0.key < $1.key }.map { "    \($0.key): \($0.value)" }
        return (["\(way.name) (\(way.entityID))", "  \(sentence)"] + changed + others).joined(separator: "\n")
    }

    private func part(of device: DeviceAnswer) throws -> EntityAnswer {
        let parts = device.entities.filter { $0.opensWayIn != nil && (entity == nil || $0.entityID == entity) }
        guard let part = parts.first else {
            throw CommandLineError.usage("\(entity ?? device.name) has no button, switch or valve to mark.")
        }
        guard parts.count == 1 else {
            throw CommandLineError.usage(
                "Several parts of \(device.name) can be marked; name one: \(parts.map(\.entityID).joined(separator: ", ")).")
        }
        return part
    }
}

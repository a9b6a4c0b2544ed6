import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel

struct DeviceWayInCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "way-in", abstract: "Mark parts of a device that open a way in, and confirm doors whose announcement changed.",
        discussion: """
            A button, a switch or a valve can open a way in: a garage relay, an unlatch button. A command to it then counts as opening a
            door.

            If a way in is announced with different topics, or another device is announced on its topics, guests, tags, scenes and
            automations cannot open it until you confirm it:

              cardea devices way-in garage-relay
              cardea devices way-in garage-relay --no
              cardea devices way-in front-door --look
              cardea devices way-in front-door --same-door
            """)

    @Argument(help: "The device, by id or name.", completion: .devices)
    var device: String
    @Option(help: "The part of the device, by entity id. Without it, --same-door and --no apply to every part that waits for confirmation.")
    var entity: String?
    @Flag(help: "Show how its ways in are controlled, before and now. Changes nothing.")
    var look = false
    @Flag(help: "Confirm that it is still the same door. Needs `cardea step-up` first.")
    var sameDoor = false
    @Flag(help: "Mark it as not a way in. Needs `cardea step-up` first.")
    var no = false
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard [look, sameDoor, no].count(where: \.self) <= 1 else {
            throw ValidationError("Add only one of --look, --same-door and --no.")
        }
    }

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let found = try await client.devices.get(client.deviceID(device))
        if look { return try await show(found, client, context) }
        if sameDoor || (no && needsConfirmation(found)) {
            let answer = try await client.devices.confirmSameDoor(sameDoor: sameDoor, of: entity.map { [$0] }, on: found.deviceID)
            return try await context.output.show(answer) {
                sameDoor ? "\(found.name) is confirmed as the same door." : "As announced now, \(found.name) does not count as a door."
            }
        }
        let part = try part(of: found)
        let answer = try await client.devices.mark(part.entityID, of: found.deviceID, opensWayIn: !no)
        try await context.output.show(answer) {
            no ? "\(part.name) of \(found.name) does not count as a door." : "\(part.name) of \(found.name) now counts as a door."
        }
    }

    private func needsConfirmation(_ device: DeviceAnswer) -> Bool {
        device.entities.contains { $0.wayInStatus != nil && (entity == nil || $0.entityID == entity) }
    }

    private func show(_ device: DeviceAnswer, _ client: CardeaClient, _ context: CommandContext) async throws {
        let answer = try await client.devices.waysIn(device.deviceID)
        try await context.output.show(answer) {
            let ways = answer.waysIn.filter { entity == nil || $0.entityID == entity }
            guard !ways.isEmpty else { return "\(device.name) has no part that opens a way in." }
            return ways.map(Self.text).joined(separator: "\n")
        }
    }

    private static func text(_ way: WayInAnswer) -> String {
        let sentence = way.sentence ?? "It counts as a door, whatever its device announces."
        let changed = way.changes.map { "  ! \($0.member): \($0.known ?? "—") → \($0.announced ?? "—")" }
        let same = way.known.filter { member in !way.changes.contains { $0.member == member.key } }
        let others = same.sorted { $0.key < $1.key }.map { "    \($0.key): \($0.value)" }
        return (["\(way.name) (\(way.entityID))", "  \(sentence)"] + changed + others).joined(separator: "\n")
    }

    private func part(of device: DeviceAnswer) throws -> EntityAnswer {
        let parts = device.entities.filter { $0.opensWayIn != nil && (entity == nil || $0.entityID == entity) }
        guard let part = parts.first else {
            throw CommandLineError.usage("\(entity ?? device.name) has no button, switch or valve that can be marked.")
        }
        guard parts.count == 1 else {
            throw CommandLineError.usage(
                "Several parts of \(device.name) can be marked; name one: \(parts.map(\.entityID).joined(separator: ", ")).")
        }
        return part
    }
}

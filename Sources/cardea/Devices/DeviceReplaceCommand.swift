import ArgumentParser
import CardeaAPI
import CardeaClient

struct DeviceReplaceCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "replace", abstract: "Replace a door that is gone or offline with a new one.",
        discussion: """
            Needs `cardea step-up` first. Passes, tags, automations and scenes of the old door move to the new one; tags need no rewriting.
            Without an old door, the doors that can be replaced are listed.

              cardea devices replace new-lock
              cardea devices replace new-lock lock.front_door
              cardea devices replace new-lock --entity lock.new_lock lock.front_door
            """)

    @Argument(help: "The new device, by id or name.", completion: .devices)
    var device: String
    @Argument(help: "The entity id of the old door.")
    var old: String?
    @Option(help: "The part of the new device, by entity id, if it has several doors.")
    var entity: String?
    @Flag(help: "Do not ask for confirmation.")
    var yes = false
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let id = try await client.deviceID(device)
        let answer = try await client.devices.replaceable(by: id)
        guard let old else {
            return try await context.output.show(answer) { Self.list(answer) }
        }
        let door = answer.doors.first { $0.entityID == old }
        let part = try part(of: door)
        let names = door.map { ", which \(Self.dependentsText($0))" } ?? ""
        try context.prompt.confirm("Replace \(old)\(names) with \(part)?", beforehand: yes)
        let moved = try await client.devices.replace(old, by: part, of: id)
        try await context.output.show(moved) { "\(part) replaces \(old). \(MergeResultText.text(moved))" }
    }

    private func part(of door: ReplaceableDoorsAnswer.Door?) throws -> String {
        if let entity { return entity }
        let candidates = door?.candidates ?? []
        guard candidates.count == 1, let only = candidates.first else {
            let which = candidates.isEmpty ? "Add the part" : "Choose one of \(candidates.joined(separator: ", "))"
            throw CommandLineError.usage("\(which) with --entity.")
        }
        return only
    }

    private static func list(_ answer: ReplaceableDoorsAnswer) -> String {
        guard !answer.doors.isEmpty else { return "No door of this kind is gone or offline." }
        return answer.doors.map { "\($0.entityID)  \($0.name): \(dependentsText($0))" }.joined(separator: "\n")
    }

    private static func dependentsText(_ door: ReplaceableDoorsAnswer.Door) -> String {
        "\(door.passes) \(door.passes == 1 ? "pass" : "passes") and \(door.buttons) \(door.buttons == 1 ? "button" : "buttons") name"
    }
}

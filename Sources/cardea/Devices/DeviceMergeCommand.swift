import ArgumentParser
import CardeaAPI
import CardeaClient

struct DeviceMergeCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge", abstract: "Merge two entries of the same device.",
        discussion: """
            Needs `cardea step-up` first. The device with passes or tags stays; if neither has any, the first one stays. It takes over the
            parts, passes, tags, automations and scenes of the other. The other's id keeps working.

              cardea devices merge front-door front-door-3f9c21
            """)

    @Argument(help: "The device to keep, by id or full name.", completion: .devices)
    var device: String
    @Argument(help: "The device to merge into it, by id or full name. A removed device only by its id.", completion: .devices)
    var other: String
    @Flag(help: "Do not ask for confirmation.")
    var yes = false
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let devices = try await client.devices.list().devices
        let (first, second) = (Self.id(of: device, among: devices), Self.id(of: other, among: devices))
        try context.prompt.confirm(
            "Merge \(first) and \(second)? One of them stays, with the passes, tags, automations and scenes of both.", beforehand: yes)
        let answer = try await client.devices.merge(first, with: second)
        try await context.output.show(answer) { "\(answer.device.name) (\(answer.device.deviceID)) stays. \(MergeResultText.text(answer))" }
    }
}

extension DeviceMergeCommand {
    /// By its whole name or its id. One that was withdrawn is in no list, and has its id alone.
    private static func id(of name: String, among devices: [DeviceAnswer]) -> String {
        if devices.contains(where: { $0.deviceID == name }) { return name }
        let named = devices.filter { $0.name.lowercased() == name.lowercased() }
        return named.count == 1 ? named.first?.deviceID ?? name : name
    }
}

/// The outcome of a merge or of a replacement, in words.
enum MergeResultText {
    static func text(_ answer: MovedAnswer) -> String {
        let counts = [
            (answer.passes, "pass", "passes"), (answer.buttons, "button", "buttons"), (answer.tags, "tag", "tags"),
            (answer.automations, "automation", "automations"), (answer.scenes, "scene", "scenes"),
            (answer.programs, "API token", "API tokens"),
        ]
        let words = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.0 == 1 ? $0.1 : $0.2)" }
        return words.isEmpty ? "Nothing had to be moved." : "Moved: \(words.joined(separator: ", "))."
    }
}

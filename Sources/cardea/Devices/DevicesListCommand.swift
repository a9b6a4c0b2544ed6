import ArgumentParser
import CardeaAPI
import CardeaClient

struct DevicesListCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "What is in the house, and how it stands.",
        discussion: """
              cardea devices
              cardea devices --room Hall
              cardea devices --json | jq -r '.devices[].device_id'
            """)

    @Option(help: "Only what is online, offline, unknown or error.")
    var status: String?
    @Option(help: "Only what is in this room.")
    var room: String?
    @Option(help: "Only this class: light, sensor, climate, security, …")
    var type: String?
    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        let answer = try await sitting.client().devices.list(status: status, room: room, type: type)
        try await sitting.output.show(answer) {
            guard !answer.devices.isEmpty else { return "No devices to be seen." }
            let rows = answer.devices.map { device in
                [device.deviceID, device.name, device.room ?? "", StateWords.summary(of: device)]
            }
            return Table("ID", "NAME", "ROOM", "STATE", rows: rows).text(sitting.output)
        }
    }
}

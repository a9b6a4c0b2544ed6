import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync

struct DevicesListCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the devices and their states.",
        discussion: """
              cardea devices
              cardea devices --room Hall
              cardea devices --json | jq -r '.devices[].device_id'
            """)

    @Option(help: "Show only devices with this status: online, offline, unknown or error.")
    var status: String?
    @Option(help: "Show only devices in this room, by id or name.", completion: .rooms)
    var room: String?
    @Option(help: "Show only this type: light, sensor, climate, security, …")
    var type: String?
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let look = try await context.query {
            try await $0.devices.list(status: status, room: room, type: type)
        } stored: {
            try await $0.devices().map(filtered)
        }
        let answer = look.answer
        try await context.output.show(look) {
            guard !answer.devices.isEmpty else { return "No devices." }
            let clock = try await context.clock(look)
            let rows = answer.devices.map { device in
                [device.deviceID, device.name, device.room ?? "", StateText.summary(of: device, clock)]
            }
            return Table("ID", "NAME", "ROOM", "STATE", rows: rows).text(context.output)
        }
    }

    /// The devices that the house would list.
    private func filtered(_ devices: [DeviceAnswer]) -> DevicesAnswer {
        let fitting = devices.filter { device in
            (status == nil || device.status.rawValue == status) && (type == nil || device.deviceClass.rawValue == type)
                && (room == nil || device.room == room || device.roomID == room)
        }
        let filters = [("status", status), ("location", room), ("device_type", type)].compactMap { name, value in value.map { (name, $0) } }
        return DevicesAnswer(devices: fitting, filtersApplied: Dictionary(uniqueKeysWithValues: filters))
    }
}

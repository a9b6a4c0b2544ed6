import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation

struct StatusCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "How the house stands, and who you are there.",
        discussion: """
            For a guest: how the pass stands.

              cardea status
              cardea status --json | jq .doors
            """)

    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        guard sitting.kept.isSignedIn else { return try await PassCommand.show(sitting) }
        let client = try sitting.client()
        let status = try await HouseStatus(
            house: client.house.about(), me: client.people.me(), health: client.house.health(), devices: client.devices.list().devices)
        try await sitting.output.show(status) {
            """
            \(sitting.output.bold(status.house.name)) at \(client.hub)
            \(status.doors)
            You are \(status.me.name), \(status.me.role.rawValue). The hub is \(status.hub == "ready" ? "well" : "not ready: \(status.hub)").
            """
        }
    }
}

/// What `cardea status --json` prints.
struct HouseStatus: Encodable {
    let house: HouseAnswer
    let me: PersonAnswer
    /// `ready`, or why not.
    let hub: String
    /// The sentence of the doors.
    let doors: String

    init(house: HouseAnswer, me: PersonAnswer, health: House.Health, devices: [DeviceAnswer]) {
        self.house = house
        self.me = me
        switch health {
        case .ready: hub = "ready"
        case .notReady(let reason): hub = reason
        }
        doors = HouseSentence.about(Door.all(in: devices))
    }
}

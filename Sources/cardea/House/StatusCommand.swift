import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync
import Foundation

struct StatusCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the state of the house, and who you are signed in as.",
        discussion: """
            For a guest: the state of the pass. For a program (CARDEA_TOKEN_FILE): the state of the doors that its token may see.

              cardea status
              cardea status --json | jq .doors
            """)

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        guard context.hasResidentAccess else { return try await PassCommand.show(context) }
        let look = try await context.query { client in
            // An API token is not a resident, and may not read about people.
            let me: PersonAnswer? = try await context.usesAPIToken ? nil : client.people.me()
            return try await HouseStatus(
                house: client.house.get(), me: me, health: client.house.health(), devices: client.devices.list().devices,
                route: context.routes.current(to: client.hub))
        } stored: { replica in
            guard let house = try await replica.house().value else { throw CommandLineError.notSignedIn }
            return try await replica.devices().map {
                HouseStatus(house: house, me: nil, health: .notReady("it cannot be reached"), devices: $0, route: nil)
            }
        }
        let (status, hub) = (look.answer, try context.client().hub)
        try await context.output.show(look) {
            """
            \(context.output.bold(status.house.name)) at \(hub)\(status.routeText)
            \(status.doors)
            \(look.asOf == nil ? status.identityText : "You are \(context.credentials.username ?? "signed in").") \(look.asOf == nil ? "The hub is \(status.hub == "ready" ? "ready" : "not ready: \(status.hub)")." : "The hub cannot be reached.")
            """
        }
    }
}

/// The output of `cardea status --json`.
struct HouseStatus: Encodable {
    let house: HouseAnswer
    /// Omitted if the caller is a program.
    let me: PersonAnswer?
    /// `ready`, or why not.
    let hub: String
    /// The sentence of the doors.
    let doors: String
    /// The route by which it was reached; omitted if there is only one.
    let route: HubRoute?
    /// The device's type of network connection.
    let network = ConnectionType.current

    /// The caller's identity, as a sentence.
    var identityText: String { me.map { "You are \($0.name), \($0.role.rawValue)." } ?? "Signed in with a program's token." }

    /// The route, if it is not the direct one.
    var routeText: String {
        switch route?.kind {
        case .local: ", found on this network at \(route?.description ?? "")"
        case .relay: ", through the relay \(route?.description ?? "")"
        case .direct, nil: ""
        }
    }

    init(house: HouseAnswer, me: PersonAnswer?, health: House.Health, devices: [DeviceAnswer], route: HubRoute?) {
        self.house = house
        self.route = route
        self.me = me
        switch health {
        case .ready: hub = "ready"
        case .notReady(let reason): hub = reason
        }
        doors = DoorSummaryText.summary(Door.all(in: devices), by: HouseClock(zone: CommandContext.zone(house.timeZone), now: Date()))
    }
}

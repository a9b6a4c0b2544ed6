import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSync
import Foundation

/// Filter options for entries of the audit log.
struct AuditFilterOptions: ParsableArguments {
    @Option(help: "Show only entries by or about this person, by id or name.")
    var person: String?
    @Option(help: "Show only entries of this guest, by id or name.", completion: .guests)
    var guest: String?
    @Option(help: "Show only entries of this device, by id or name.", completion: .devices)
    var device: String?
    @Option(help: "Show only this result: allowed, asked, refused, confirmed, failed, unknown, expired, done, read.")
    var result: String?
    @Option(help: "Show only this action, such as door.open, login or data_export.")
    var action: String?
    @Option(help: "Show only entries from this time on: 14:00, yesterday, 2026-11-21.")
    var from: String?
    @Option(help: "Show only entries up to this time, inclusive.")
    var to: String?

    /// The filter with the house's ids in place of names.
    func filter(_ context: CommandContext) async throws -> Audit.Filter {
        var filter = Audit.Filter(result: result, action: action)
        if let person { filter.personID = try await context.person(person).personID }
        if let guest { filter.guestID = try await context.guest(guest).guestID }
        if let device { filter.deviceID = try await context.device(device).deviceID }
        guard from != nil || to != nil else { return filter }
        let clock = try await context.clock()
        filter.from = try Self.moment(from, "--from", .beginning, clock)
        filter.to = try Self.moment(to, "--to", .end, clock)
        return filter
    }

    private static func moment(_ text: String?, _ name: String, _ edge: TimeParser.Boundary, _ clock: HouseClock) throws -> Date? {
        try text.map { text in
            guard let date = TimeParser(zone: clock.zone, now: Date()).date(text, edge) else {
                throw CommandLineError.usage("\(name) \(text) is not a time. Write 14:00, yesterday, fri, 2026-11-21.")
            }
            return date
        }
    }
}

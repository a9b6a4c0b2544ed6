import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync
import Foundation

struct GuestShowCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a guest: the pass, and every access attempt.",
        discussion: "  cardea guests show Plumber")

    @Argument(help: "The guest, by id or name.", completion: .guests)
    var guest: String
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let look = try await context.query(.guest(context.guest(guest).guestID))
        let answer = look.answer
        try await context.output.show(look) {
            let clock = try await context.clock(look)
            let words = GuestText(clock)
            let history = ActivityText(clock).table(answer.history ?? [], who: false, context.output)
            return """
                \(words.sentence(answer))
                It is \(words.status(answer)); used \(words.uses(answer)).\(words.binding(answer))

                \(history)
                """
        }
    }
}

extension CardeaClient {
    /// The requested guest. Of several with one name, the one whose pass has not ended.
    ///
    /// - Parameter command: the command that asks, if it changes something: then the full name is required, or the id.
    func guest(_ wanted: String, exactly command: String? = nil) async throws -> GuestAnswer {
        try NameResolver.guest(wanted, among: await guests.list().guests, exactly: command)
    }
}

extension NameResolver {
    static func guest(_ wanted: String, among guests: [GuestAnswer], exactly command: String? = nil) throws -> GuestAnswer {
        let current = guests.filter { ![.revoked, .expired, .usedUp, .rejected].contains($0.status) }
        let sameName = current.filter { $0.name.lowercased() == wanted.lowercased() }
        if sameName.count == 1, let only = sameName.first, !guests.contains(where: { $0.guestID == wanted }) { return only }
        return try resolve(wanted, among: guests, what: "guest", ids: { [$0.guestID] }, name: \.name, exactly: command)
    }
}

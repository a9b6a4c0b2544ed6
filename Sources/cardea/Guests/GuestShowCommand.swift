import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync
import Foundation

struct GuestShowCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "One guest: what they may, and every try.",
        discussion: "  cardea guests show Plumber")

    @Argument(help: "The guest, by id or name.", completion: .guests)
    var guest: String
    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        let look = try await sitting.look(.guest(sitting.guest(guest).guestID))
        let answer = look.answer
        try await sitting.output.show(look) {
            let clock = try await sitting.clock(look)
            let words = GuestWords(clock)
            let history = ActivityWords(clock).table(answer.history ?? [], who: false, sitting.output)
            return """
                \(words.sentence(answer))
                It is \(words.standing(answer)); used \(words.uses(answer)).\(words.binding(answer))

                \(history)
                """
        }
    }
}

extension CardeaClient {
    /// The guest that is meant. Of several of one name, the one whose pass is not over.
    ///
    /// - Parameter command: the command that asks, where it changes something: then the whole name is wanted, or the id.
    func guest(_ wanted: String, exactly command: String? = nil) async throws -> GuestAnswer {
        try Named.guest(wanted, among: await guests.list().guests, exactly: command)
    }
}

extension Named {
    static func guest(_ wanted: String, among guests: [GuestAnswer], exactly command: String? = nil) throws -> GuestAnswer {
        let current = guests.filter { ![.revoked, .expired, .usedUp, .rejected].contains($0.status) }
        let sameName = current.filter { $0.name.lowercased() == wanted.lowercased() }
        if sameName.count == 1, let only = sameName.first, !guests.contains(where: { $0.guestID == wanted }) { return only }
        return try find(wanted, among: guests, what: "guest", ids: { [$0.guestID] }, name: \.name, exactly: command)
    }
}

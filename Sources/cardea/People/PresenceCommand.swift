import ArgumentParser
import CardeaAPI
import CardeaClient

struct PresenceCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "presence", abstract: "Say that you are home, or away.",
        discussion: """
            By this the house knows when the last one leaves and the first comes home, where nothing else tells it.

              cardea presence away
            """)

    enum Place: String, ExpressibleByArgument, CaseIterable {
        case home, away
    }

    @Argument(help: "Where you are: home or away.")
    var place: Place
    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        let answer = try await sitting.client().people.say(isHome: place == .home)
        try await sitting.output.show(answer) { answer.isHome ? "You are home." : "You are away." }
    }
}

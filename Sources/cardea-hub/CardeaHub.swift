import ArgumentParser

@main
struct CardeaHubCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cardea-hub", abstract: "The hub of a house: it knows the doors, and who may open them.",
        discussion: """
            Start it beside your broker, and open the link it prints to become the owner:

              cardea-hub serve --data ./house --virtual-house --insecure-http

            Or only look at one that lives by itself and is gone when you stop it:

              cardea-hub demo
            """,
        version: "0.1.0", subcommands: [Serve.self, Demo.self, Check.self, ImportHistory.self])
}

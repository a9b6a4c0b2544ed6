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
        version: version,
        subcommands: [
            Serve.self, Demo.self, Check.self, Audit.self, MakeBackup.self, RestoreBackup.self, RecoveryKeyCommand.self, Key.self,
            ClockCommand.self,
            ImportHistory.self,
        ])

    static func main() async {
        CoreDumps.forbid()
        await main(nil)
    }

    /// What this program calls itself, also in the backups that it makes.
    static let version = "0.1.0"
}

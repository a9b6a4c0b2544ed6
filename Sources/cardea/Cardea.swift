import ArgumentParser
import CardeaAPI
import Foundation

@main
struct Cardea: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cardea",
        abstract: "Control a Cardea house from the terminal.",
        discussion: """
            As a resident: `cardea login`, then `cardea status`, `cardea open front-door`.
            As a guest: `cardea pair`, paste the link you were given, then `cardea open`.
            As a program: make a token (`cardea tokens make`), set CARDEA_TOKEN_FILE to its file and CARDEA_HUB to the hub's address.

            Passwords, links and codes are never arguments: the terminal asks for them or reads them from standard input.
            The terminal stores its data in CARDEA_HOME (default: ~/.config/cardea), readable by you only. Tokens go to the desktop's keyring
            if there is one. While the house cannot be reached, commands show the last known state with its age. Changes that can wait are
            queued and sent later; commands to doors are never queued. Viewed pictures are stored encrypted, up to CARDEA_PICTURES_MB
            megabytes (default: 50).

            \(ExitStatus.help)
            """,
        version: "cardea 0.1, protocol \(WireFormat.version)",
        groupedSubcommands: [
            CommandGroup(
                name: "The house",
                subcommands: [
                    StatusCommand.self, WatchCommand.self, OpenCommand.self, LockCommand.self, DevicesCommand.self, RoomsCommand.self,
                    ScenesCommand.self, ButtonsCommand.self, TagsCommand.self, IntegrationsCommand.self,
                ]),
            CommandGroup(
                name: "Mind and automations",
                subcommands: [
                    AskCommand.self, MoodCommand.self, MemoryCommand.self, InterviewCommand.self, AutomationsCommand.self,
                    DeviceTwinsCommand.self, WhatIfCommand.self,
                ]),
            CommandGroup(name: "Offline", subcommands: [SyncCommand.self, QueueCommand.self, ConflictsCommand.self]),
            CommandGroup(name: "Guests and people", subcommands: [GuestsCommand.self, PeopleCommand.self, PresenceCommand.self]),
            CommandGroup(
                name: "Events and history",
                subcommands: [
                    EventsCommand.self, CamerasCommand.self, WebhooksCommand.self, NotifyCommand.self, ActivityCommand.self,
                    AuditCommand.self,
                    PrivacyCommand.self, MaintenanceTasksCommand.self,
                    HistoryCommand.self,
                    EnergyCommand.self, IndoorClimateCommand.self, ExplainCommand.self,
                ]),
            CommandGroup(
                name: "Sign-in, passes and tokens",
                subcommands: [
                    LoginCommand.self, LogoutCommand.self, StepUpCommand.self, ClaimCommand.self, JoinCommand.self, PairCommand.self,
                    PassCommand.self, SessionsCommand.self, AccessCommand.self, PairPhoneCommand.self, PhonesCommand.self,
                    TokensCommand.self,
                    DiscoverCommand.self, RelayCommand.self,
                ]),
            CommandGroup(name: "This program", subcommands: [CompletionsCommand.self]),
        ])

    static func main() async {
        let status = await run(Array(CommandLine.arguments.dropFirst()))
        Foundation.exit(status.rawValue)
    }

    /// Runs one command and returns its exit status.
    static func run(_ arguments: [String]) async -> ExitStatus {
        if arguments == ["help", "exit-codes"] {
            Output(json: false).writeLine(ExitStatus.help)
            return .done
        }
        do {
            var command = try await asyncParseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            return .done
        } catch let failure as CommandLineError {
            Output(json: arguments.contains("--json")).report(failure)
            return failure.status
        } catch {
            return explain(error, json: arguments.contains("--json"))
        }
    }

    /// Prints requested help, or the error of a command that was not understood.
    private static func explain(_ error: any Error, json: Bool) -> ExitStatus {
        let output = Output(json: json)
        guard exitCode(for: error) != .success else {
            output.writeLine(fullMessage(for: error))
            return .done
        }
        if json {
            output.report(.usage(message(for: error)))
        } else {
            output.note(fullMessage(for: error))
        }
        return .usage
    }
}

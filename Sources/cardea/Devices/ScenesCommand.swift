import ArgumentParser

struct ScenesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scenes", abstract: "List, run, make and remove scenes.",
        subcommands: [ScenesListCommand.self, SceneRunCommand.self, SceneMakeCommand.self, SceneRemoveCommand.self],
        defaultSubcommand: ScenesListCommand.self)
}

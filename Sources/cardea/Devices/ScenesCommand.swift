import ArgumentParser

struct ScenesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scenes", abstract: "Several things at one touch: list, run, make, remove.",
        subcommands: [ScenesListCommand.self, SceneRunCommand.self, SceneMakeCommand.self, SceneRemoveCommand.self],
        defaultSubcommand: ScenesListCommand.self)
}

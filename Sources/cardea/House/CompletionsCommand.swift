import ArgumentParser

struct CompletionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completions", abstract: "Print a completion script for your shell.",
        discussion: """
            It completes commands, options, and names from the local copy of the house, without a connection.

              cardea completions bash > ~/.local/share/bash-completion/completions/cardea
              cardea completions zsh > ~/.zfunc/_cardea
              cardea completions fish > ~/.config/fish/completions/cardea.fish
            """)

    enum Shell: String, ExpressibleByArgument, CaseIterable { case bash, zsh, fish }

    @Argument(help: "The shell: bash, zsh or fish.")
    var shell: Shell

    func run() {
        let script =
            switch shell {
            case .bash: Cardea.completionScript(for: .bash)
            case .zsh: Cardea.completionScript(for: .zsh)
            case .fish: Cardea.completionScript(for: .fish)
            }
        Output(json: false).writeLine(script)
    }
}

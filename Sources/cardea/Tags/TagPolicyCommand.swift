import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel

struct TagPolicyCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy", abstract: "Show or change the tag policy.",
        discussion: """
            Without options, the policy is shown. Options that you leave out stay as they are. A tag that can be copied never opens a door.
            For doors, `confirmed` and `at_once` mean the same: an enrolled tag (`cardea tags enrol`) or a live link opens.

              cardea tags policy
              cardea tags policy --off
              cardea tags policy --control at_once --open confirmed
            """)

    /// The one switch for all of them.
    enum Switch: String, EnumerableFlag {
        case on, off

        static func help(for value: Switch) -> ArgumentHelp? {
            switch value {
            case .on: "Enable tags and links."
            case .off: "Disable all tags and links."
            }
        }
    }

    @Flag var switched: Switch?
    @Option(help: "Taps on buttons that open no door: never, confirmed (ask the person who taps) or at_once.")
    var control: TagPolicy.Permission?
    @Option(help: "Taps on buttons that open a door: never or confirmed (enrolled tags and live links only; at_once is the same).")
    var open: TagPolicy.Permission?
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        var answer = try await client.tags.policy()
        if switched != nil || control != nil || open != nil {
            var policy = answer.policy
            policy.isOn = switched.map { $0 == .on } ?? policy.isOn
            policy.control = control ?? policy.control
            policy.open = open ?? policy.open
            answer = try await client.tags.change(policy)
        }
        try await context.output.show(answer) { [answer] in Self.text(answer) }
    }

    private static func text(_ policy: TagPolicyBody) -> String {
        """
        \(policy.on ? "Tags are on." : "Tags are off: tags and links do nothing.")
        Buttons that open no door: \(comfort(policy.control)).
        Buttons that open a door: \(access(policy.open)).
        A tap needs a signed-in person.
        """
    }

    private static func comfort(_ leave: TagPolicy.Permission) -> String {
        switch leave {
        case .never: "never"
        case .confirmed: "after confirmation"
        case .atOnce: "at once"
        }
    }

    /// The text for a permission. For ways in, two wire values mean the same.
    private static func access(_ leave: TagPolicy.Permission) -> String {
        switch leave {
        case .never: "never"
        case .confirmed, .atOnce: "with an enrolled tag or a live link"
        }
    }
}

extension TagPolicy.Permission: ExpressibleByArgument {}

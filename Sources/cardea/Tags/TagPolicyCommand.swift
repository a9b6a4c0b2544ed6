import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel

struct TagPolicyCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy", abstract: "What the house leaves to tags. Without options it is shown.",
        discussion: """
            What you do not name stays as it is. A tag that can be copied never opens a door, whatever stands here: for what lets somebody
            in, `confirmed` and `at_once` both mean a tag that proves itself, or a live link.

              cardea tags policy
              cardea tags policy --off
              cardea tags policy --control at_once --open confirmed
            """)

    /// The one switch for all of them.
    enum Switch: String, EnumerableFlag {
        case on, off

        static func help(for value: Switch) -> ArgumentHelp? {
            switch value {
            case .on: "Tags and links do what they are for."
            case .off: "No tag and no link does anything."
            }
        }
    }

    @Flag var switched: Switch?
    @Option(help: "What changes comfort: never, confirmed (after a yes) or at_once.")
    var control: TagPolicy.Permission?
    @Option(help: "What lets somebody in: never or confirmed (if it proves itself; at_once is the same).")
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
        \(policy.on ? "Tags are on." : "Tags are off: no tag and no link does anything.")
        What changes comfort: \(comfort(policy.control)).
        What lets somebody in: \(access(policy.open)).
        Nothing acts without somebody signed in.
        """
    }

    private static func comfort(_ leave: TagPolicy.Permission) -> String {
        switch leave {
        case .never: "never"
        case .confirmed: "after a yes"
        case .atOnce: "at once"
        }
    }

    /// The text for a permission. For ways in, two wire values mean the same.
    private static func access(_ leave: TagPolicy.Permission) -> String {
        switch leave {
        case .never: "never"
        case .confirmed, .atOnce: "if it proves itself"
        }
    }
}

extension TagPolicy.Permission: ExpressibleByArgument {}

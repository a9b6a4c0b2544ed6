import ArgumentParser

struct TagsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tags", abstract: "Tags that press buttons: list, write, enrol, read, tap, test, renew, seen, remove, policy.",
        discussion: """
            Writing and reading need an NFC reader that pcscd knows, such as an ACR122U or ACR1252U. Buy NTAG215 or NTAG216; NTAG213 where
            the house's address is short. What is written on these can be copied, so it opens no door: for doors use NTAG 424 DNA, and `cardea tags enrol`.
            """,
        subcommands: [
            TagsListCommand.self, TagWriteCommand.self, TagEnrolCommand.self, TagReadCommand.self, TagTapCommand.self,
            TagTestCommand.self, TagRenewCommand.self, TagSeenCommand.self, TagRemoveCommand.self, TagPolicyCommand.self,
        ],
        defaultSubcommand: TagsListCommand.self)
}

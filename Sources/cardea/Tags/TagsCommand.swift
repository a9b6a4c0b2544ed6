import ArgumentParser

struct TagsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tags", abstract: "List, write, enrol, read, tap, test, renew and remove tags; set the tag policy.",
        discussion: """
            Writing and reading need an NFC reader that pcscd supports, such as an ACR122U or ACR1252U. Buy NTAG215 or NTAG216 tags; NTAG213
            is enough if the house's address is short. These tags can be copied, so they open no door. For doors, use NTAG 424 DNA tags and
            `cardea tags enrol`.
            """,
        subcommands: [
            TagsListCommand.self, TagWriteCommand.self, TagEnrolCommand.self, TagReadCommand.self, TagTapCommand.self,
            TagTestCommand.self, TagReconfirmCommand.self, TagAlarmSeenCommand.self, TagRemoveCommand.self, TagPolicyCommand.self,
        ],
        defaultSubcommand: TagsListCommand.self)
}

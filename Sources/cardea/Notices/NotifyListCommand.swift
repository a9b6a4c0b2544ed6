import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSync

struct NotifyListCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List your notifications, newest first.", discussion: "  cardea notify")

    @Option(help: "How many, 1 to 100.")
    var limit: Int = 30
    @Option(help: "Continue after a page; its last line gives the value.")
    var before: String?
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...100).contains(limit) else { throw ValidationError("--limit needs 1 to 100.") }
    }

    func run(in context: CommandContext) async throws {
        let look = try await context.query(.notices(before: before, limit: limit))
        let page = look.answer
        try await context.output.show(look) {
            guard !page.notices.isEmpty else { return "You have no notifications." }
            let clock = try await context.clock(look)
            let rows = page.notices.map { notice in
                [
                    notice.acknowledgedAt == nil ? "new" : "", clock.short(notice.happenedAt),
                    notice.words ?? NoticeText.kind(notice.kind),
                    notice.placeName, NoticeText.delivery(notice), notice.noticeID,
                ]
            }
            let older =
                page.hasMore ? page.notices.last.map { context.output.dim("\nOlder: cardea notify list --before \($0.noticeID)") } : nil
            return Table("", "WHEN", "WHAT", "WHERE", "DELIVERY", "ID", rows: rows).text(context.output) + (older ?? "")
        }
    }
}

enum NoticeText {
    static func kind(_ kind: String) -> String {
        switch kind {
        case "ask": "approval request"
        case "ring": "doorbell"
        case "unusual": "unusual"
        case "danger": "DANGER"
        default: kind
        }
    }

    /// The delivery of a notification, as text.
    static func delivery(_ notice: NoticeAnswer) -> String {
        if notice.quiet { return "kept" }
        let taken = notice.deliveries.filter { $0.state == "taken" }.count
        let words =
            notice.deliveries.isEmpty
            ? "here" : taken == notice.deliveries.count ? "sent" : "sent to \(taken) of \(notice.deliveries.count)"
        return notice.escalated ? words + ", passed on to you" : words
    }
}

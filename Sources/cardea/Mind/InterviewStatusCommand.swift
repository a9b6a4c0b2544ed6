import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync
import Foundation

struct InterviewStatusCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the progress of the latest conversation and the devices found.",
        discussion: "  cardea interview status\n  cardea interview status --json | jq '.candidates[].description'")

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let all = try await context.query(.interviews)
        guard let latest = all.answer.interviews.first else {
            return try await context.output.show(all) { "No interview yet. Start one: cardea interview" }
        }
        let look = try await context.query(.interview(latest.interviewID))
        try await context.output.show(look) { InterviewText.text(look.answer, context.output) }
    }
}

struct InterviewConfirmCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "confirm", abstract: "Confirm the devices found, and add them to the house.",
        discussion: """
            Without ids, all open devices are confirmed.

              cardea interview confirm
              cardea interview confirm candidate_1 --reject candidate_2
            """)

    @Argument(help: "The devices to add, by the ids that `cardea interview status` shows.")
    var candidates: [String] = []
    @Option(name: .long, help: "A device to leave out, by id. Can be repeated.")
    var reject: [String] = []
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let open = try await InterviewText.openInterview(client)
        let named = candidates.isEmpty && reject.isEmpty ? nil : candidates
        let reply = try await client.interviews.confirm(named, reject: reject.isEmpty ? nil : reject, in: open.interviewID)
        try await context.output.show(reply) { InterviewText.text(reply, context.output) }
    }
}

struct InterviewCancelCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "End the open conversation. Confirmed devices stay.",
        discussion: "  cardea interview cancel")

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let open = try await InterviewText.openInterview(client)
        try await client.interviews.cancel(open.interviewID)
        try await context.output.show(JSONValue.object(["cancelled": .string(open.interviewID)])) {
            "The conversation has ended. Devices added so far stay."
        }
    }
}

/// Conversations about devices, in words.
enum InterviewText {
    /// The conversation that has not ended.
    static func openInterview(_ client: CardeaClient) async throws -> InterviewSummaryAnswer {
        guard let open = try await client.interviews.list().interviews.first(where: { ["active", "paused"].contains($0.status) }) else {
            throw CommandLineError(status: .refused, code: "not_found", message: "No conversation is open. Start one: cardea interview")
        }
        return open
    }

    static func text(_ reply: InterviewReplyAnswer, _ output: Output) -> String {
        let made = reply.createdDevices.map { device in
            let state = ["connected": "connected", "existing": "already in the house"][device.status] ?? "not connected yet"
            let steps = device.nextSteps.enumerated().map { "    \($0.offset + 1). \($0.element)" }
            return (["  \(output.bold(device.name)): \(state)."] + steps).joined(separator: "\n")
        }
        return ([reply.aiResponse] + made).joined(separator: "\n")
    }

    static func text(_ status: InterviewStatusAnswer, _ output: Output) -> String {
        let progress = status.progress
        let said = "\(progress.devicesConfirmed) of \(progress.totalDevicesMentioned) devices added."
        var parts = ["The conversation is \(status.status), at \(status.currentPhase.replacingOccurrences(of: "_", with: " ")). \(said)"]
        let rows = status.candidates.map { candidate in
            [
                candidate.id, candidate.description, candidate.status.replacingOccurrences(of: "_", with: " "),
                candidate.missing.joined(separator: ", "),
            ]
        }
        if !rows.isEmpty { parts.append(Table("ID", "DEVICE", "STATE", "UNKNOWN", rows: rows).text(output)) }
        let notes = status.notes.filter { $0.supersededAt == nil }.map { note in "  \(note.text)" + (note.room.map { " (\($0))" } ?? "") }
        if !notes.isEmpty { parts.append("Noted:\n" + notes.joined(separator: "\n")) }
        return parts.joined(separator: "\n\n")
    }
}

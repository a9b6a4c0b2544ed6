import ArgumentParser
import CardeaClient
import CardeaModel
import CardeaSecurity
import CardeaSync
import Foundation

struct LogoutCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout", abstract: "Sign out, or remove your passes from this terminal.",
        discussion: """
            Tokens are always removed here. If the hub cannot be reached, a message says that the session is still open there.

              cardea logout
              cardea logout --passes
            """)

    @Flag(help: "Remove the passes instead of the session. To get one back, you need a new link.")
    var passes = false
    @Flag(help: "Sign out even if changes are queued. They are never sent.")
    var force = false
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        guard !passes else { return try await deletePasses(context) }
        guard !context.usesAPIToken else {
            throw CommandLineError.usage(
                """
                CARDEA_TOKEN_FILE is set, and a program's token has no session to end. To revoke the token where you are signed in: \
                env -u CARDEA_TOKEN_FILE cardea tokens revoke NAME
                """)
        }
        let client = try context.client()
        try await deleteReplica(client, context)
        do {
            try await client.sessions.logout()
        } catch {
            if case .storage = error, context.credentials.isSessionUnavailable(at: client.hub) {
                try await context.credentialStore.update { $0.set(nil, at: client.hub) }
                throw CommandLineError(
                    status: .unreachable, code: "tokens_locked",
                    message: "Signed out here. The stored tokens could not be read, so the session on the hub stays open until it expires.")
            }
            guard error.isRetryable else { throw error }
            throw CommandLineError(
                status: .unreachable, code: "no_connection",
                message: "Signed out here. The hub could not be reached, so the session there stays open until it expires.")
        }
        try await context.output.show(JSONValue.object(["signed_out": true])) { "Signed out." }
    }

    /// Deletes the replica with the session. Waiting operations are reported first, unless `--force` is given.
    private func deleteReplica(_ client: CardeaClient, _ context: CommandContext) async throws {
        guard let username = context.credentials.username else { return }
        do {
            guard let replica = try await context.replica(of: client) else { return }
            let waiting = try await replica.outboxEntries().count { !$0.isEnded } + replica.conflicts().count
            if waiting > 0, !force {
                throw CommandLineError.refused(
                    "queue_not_empty",
                    "Queued changes: \(waiting). Run `cardea sync` first, or sign out with --force; they are then never sent.")
            }
            try await replica.close()
        } catch let problem as SecretStoreError where !force {
            throw CommandLineError.refused(
                "queue_locked", "\(problem) Or sign out with --force; queued changes are then never sent.")
        } catch is SecretStoreError {
            // An outbox that cannot be opened is deleted unread.
        } catch let problem as ClientError {
            guard force, case .storage = problem else { throw problem }
        }
        try ReplicaFile(folder: context.credentialStore.folder).remove(client.hub, username)
        try PictureFolder(home: context.credentialStore.folder).clear()
    }

    private func deletePasses(_ context: CommandContext) async throws {
        let count = context.credentials.passes.count
        try await context.credentialStore.update { $0.passes = [] }
        try await context.output.show(JSONValue.object(["forgotten": .number(Double(count))])) {
            count == 1 ? "The pass is removed." : "\(count) passes are removed."
        }
    }
}

import CardeaHub
import Logging
import NIOWebSocket

/// Sees to it that those who listen still may: it asks when told to and several times a second, and lets go who may not.
struct RealtimeRights: Sendable {
    private let members: RealtimeMembers
    private let viewing: Viewing
    private let logger: Logger
    private let changed = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    /// How often it is asked. Revoking acts within a second.
    private static let recheck = Duration.milliseconds(250)
    /// For how long somebody is told on where their rights cannot be looked at: four rounds, the second within which revoking acts.
    private static let unlooked = Duration.seconds(1)

    init(of members: RealtimeMembers, viewing: Viewing, logger: Logger) {
        self.members = members
        self.viewing = viewing
        self.logger = logger
    }

    /// Asks at once, as after a change of somebody's rights.
    func look() { changed.continuation.yield() }

    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask {
                while !Task.isCancelled {
                    do { try await Task.sleep(for: Self.recheck) } catch { return }
                    look()
                }
            }
            for await _ in changed.stream { await recheck() }
            group.cancelAll()
        }
    }

    /// Asks for each who listens whether they still may, and what they may see now.
    private func recheck() async {
        struct Onlooker: Hashable {
            let credential: Credential
            let isLocal: Bool
        }
        var looks: [Onlooker: Look] = [:]
        for (id, member) in members.everybody {
            let key = Onlooker(credential: member.credential, isLocal: member.isLocal)
            let look: Look
            if let known = looks[key] {
                look = known
            } else {
                look = await self.look(for: member.credential, isLocal: member.isLocal)
                looks[key] = look
            }
            switch look {
            case .saw(let viewer, let moment):
                if viewer == member.audience.viewer {
                    members.looked(id, at: moment)
                } else {
                    members.end(id, viewer == nil ? "not allowed any longer" : "your rights have changed")
                }
            case .failed:
                // Nobody is told on in the dark: they may no longer be allowed to hear it.
                guard members.isUnlooked(id, for: Self.unlooked) else { continue }
                members.end(id, "your rights could not be looked at; come back with your cursor", code: .unknown(1013))
            }
        }
    }

    private enum Look {
        /// What somebody may see, nothing where they may not look, and when that was asked.
        case saw(Viewer?, ContinuousClock.Instant)
        case failed
    }

    /// What somebody may see now, by the token they showed when they came.
    private func look(for credential: Credential, isLocal: Bool) async -> Look {
        let moment = ContinuousClock.now
        do {
            return .saw(try await viewing.viewer(of: credential.principal, by: credential.token, isLocal: isLocal), moment)
        } catch {
            logger.error("rights could not be checked", metadata: ["error": "\(type(of: error))"])
            return .failed
        }
    }
}

import CardeaHub
import Logging
import NIOWebSocket

/// Sees to it that those who listen still may: it asks when told to and several times a second, and lets go who may not.
struct SubscriptionAuthorizer: Sendable {
    private let subscribers: SubscriberRegistry
    private let visibilityFilter: VisibilityResolver
    private let logger: Logger
    private let recheckRequests = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    /// How often it is asked. Revoking acts within a second.
    private static let recheckInterval = Duration.milliseconds(250)
    /// For how long somebody is told on where their rights cannot be looked at: four rounds, the second within which revoking acts.
    private static let recheckTimeout = Duration.seconds(1)

    init(of members: SubscriberRegistry, viewing: VisibilityResolver, logger: Logger) {
        self.subscribers = members
        self.visibilityFilter = viewing
        self.logger = logger
    }

    /// Asks at once, as after a change of somebody's rights.
    func requestRecheck() { recheckRequests.continuation.yield() }

    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask {
                while !Task.isCancelled {
                    do { try await Task.sleep(for: Self.recheckInterval) } catch { return }
                    requestRecheck()
                }
            }
            for await _ in recheckRequests.stream { await recheck() }
            group.cancelAll()
        }
    }

    /// Asks for each who listens whether they still may, and what they may see now.
    private func recheck() async {
        struct Onlooker: Hashable {
            let credential: Credential
            let isLocal: Bool
        }
        var looks: [Onlooker: CheckResult] = [:]
        for (id, member) in subscribers.all {
            let key = Onlooker(credential: member.credential, isLocal: member.isLocal)
            let look: CheckResult
            if let known = looks[key] {
                look = known
            } else {
                look = await self.check(for: member.credential, isLocal: member.isLocal)
                looks[key] = look
            }
            switch look {
            case .visible(let viewer, let moment):
                if viewer == member.audience.visibility {
                    subscribers.recordCheck(id, at: moment)
                } else {
                    subscribers.disconnect(id, viewer == nil ? "not allowed any longer" : "your rights have changed")
                }
            case .failed:
                // Nobody is told on in the dark: they may no longer be allowed to hear it.
                guard subscribers.isCheckOverdue(id, for: Self.recheckTimeout) else { continue }
                subscribers.disconnect(id, "your rights could not be looked at; come back with your cursor", code: .unknown(1013))
            }
        }
    }

    private enum CheckResult {
        /// What somebody may see, nothing where they may not look, and when that was asked.
        case visible(Visibility?, ContinuousClock.Instant)
        case failed
    }

    /// What somebody may see now, by the token they showed when they came.
    private func check(for credential: Credential, isLocal: Bool) async -> CheckResult {
        let moment = ContinuousClock.now
        do {
            return .visible(try await visibilityFilter.visibility(of: credential.principal, by: credential.token, isLocal: isLocal), moment)
        } catch {
            logger.error("rights could not be checked", metadata: ["error": "\(type(of: error))"])
            return .failed
        }
    }
}

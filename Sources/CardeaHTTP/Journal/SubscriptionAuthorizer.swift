import CardeaHub
import Logging
import NIOWebSocket

/// Checks the rights of subscribers on request and several times a second, and disconnects those who lost them.
struct SubscriptionAuthorizer: Sendable {
    private let subscribers: SubscriberRegistry
    private let visibilityFilter: VisibilityResolver
    private let logger: Logger
    private let recheckRequests = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    /// The interval of the check. A revocation takes effect within a second.
    private static let recheckInterval = Duration.milliseconds(250)
    /// The time for which events are sent while rights cannot be checked: four rounds, the second within which revoking acts.
    private static let recheckTimeout = Duration.seconds(1)

    init(of members: SubscriberRegistry, viewing: VisibilityResolver, logger: Logger) {
        self.subscribers = members
        self.visibilityFilter = viewing
        self.logger = logger
    }

    /// Requests a check at once, as after a change of a person's rights.
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

    /// Rechecks each subscriber's permission and visibility.
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
                    subscribers.disconnect(id, viewer == nil ? "no longer allowed" : "your rights have changed")
                }
            case .failed:
                // No events without a permission check: the subscriber may no longer be allowed to receive them.
                guard subscribers.isCheckOverdue(id, for: Self.recheckTimeout) else { continue }
                subscribers.disconnect(id, "your rights could not be checked; reconnect with your cursor", code: .unknown(1013))
            }
        }
    }

    private enum CheckResult {
        /// The subscriber's visibility, nil if they may not read events, and the time of the check.
        case visible(Visibility?, ContinuousClock.Instant)
        case failed
    }

    /// Checks what the subscriber may see now, by the token with which they connected.
    private func check(for credential: Credential, isLocal: Bool) async -> CheckResult {
        let moment = ContinuousClock.now
        do {
            return .visible(try await visibilityFilter.visibility(of: credential.principal, by: credential.token, isLocal: isLocal), moment)
        } catch {
            logger.error("subscriber permissions could not be checked", metadata: ["error": "\(type(of: error))"])
            return .failed
        }
    }
}

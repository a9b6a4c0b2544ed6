import CardeaHub
import CardeaModel
import CardeaTestSupport
import Foundation
import Synchronization

/// A broker that handles published messages as the test scripts it.
final class ScriptedBroker: DeviceBackend, MessagePublisher {
    struct Script: Sendable {
        var carriage = PublishResult.acknowledged
        /// The device's reports after each message.
        var says: [String] = []
    }

    let integration = "mqtt"
    private let heard = AwaitableValue<[BrokerMessage]>([])
    private let state = Mutex((script: Script(), meant: [Bool]()))

    init(_ house: TestHouse) async {
        house.hub.integrations.add(self)
        await house.hub.publisher.reportConnection(.mqtt, isUp: true)
    }

    var messages: [BrokerMessage] { heard.now }
    var meant: [Bool] { state.withLock { $0.meant } }

    func script(_ change: (inout Script) -> Void) {
        state.withLock { state in
            state.meant = []
            change(&state.script)
        }
    }

    func until(_ isSo: @escaping @Sendable ([BrokerMessage]) -> Bool) async throws { try await heard.waitUntil("it is published", isSo) }

    func publish(_ message: BrokerMessage) async -> PublishResult {
        let script = state.withLock { $0.script }
        heard.change { $0.append(message) }
        for word in script.says {
            guard let answer = message.expectedReply else { break }
            let isMeant = answer.matches(Array(word.replacingOccurrences(of: "@id", with: message.commandID).utf8))
            state.withLock { $0.meant.append(isMeant) }
            if isMeant { await answer.onReply() }
        }
        return script.carriage
    }

    func perform(_ backendCommand: BackendCommand) async -> DispatchResult { .refused(reason: "has no devices") }

    func refresh(entityID: String) async {}

    func health() async -> IntegrationHealth { IntegrationHealth(status: .connected, since: Date(timeIntervalSince1970: 0)) }
}

import CardeaAutomations
import CardeaHub
import CardeaMind
import CardeaModel
import CardeaMindAdapter
import Foundation
import Logging

extension TestHouse {
    /// Creates an automation as a person with the right to.
    @discardableResult
    public func automation(_ draft: AutomationDraft, by principal: Principal) async throws -> Automation {
        try await automations.add(draft, by: author(principal))
    }

    /// An author, as the route makes one.
    public func author(_ principal: Principal) async throws -> CardeaAutomations.Automations.Author {
        let (hands, insight) = (HubHouseActuator(hub.automationGateway), hub.mindFeed)
        return .init(
            try await insight.requester(principal, for: "automation.add", needing: .modifySettings, origin: .house),
            record: insight.recorder("automation.add", by: principal, origin: .house),
            write: { try insight.requiringStepUpForWiderAccess(for: principal, in: $0, $1) },
            nameProblem: { try await insight.nameProblem($0) },
            objection: { try await hands.objection(to: $0, previous: $1, by: principal, origin: .house) })
    }

    /// Automations of a second mind of this house, with its own reader and clock.
    public func automations(
        reading reader: any HouseReader, now: @escaping @Sendable () -> Date, logger: Logger = .silent
    ) throws -> CardeaAutomations.Automations {
        CardeaAutomations.Automations(
            store: store, houseReader: reader, actuator: HubHouseActuator(hub.automationGateway), now: now, lexicon: try .english(),
            logger: logger)
    }

    /// Runs the mind's poll and its actions.
    public func runMind() async {
        await mind.poll(isAsked: true)
        await automations.runPending()
    }

    public var lightOff: AutomationAction { .control(DeviceAction(deviceID: "hall-light", verb: .off)) }

    public func locks(_ device: String) -> AutomationAction { .control(DeviceAction(deviceID: device, verb: .lock)) }
}

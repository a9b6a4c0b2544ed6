import CardeaAutomations
import CardeaHub
import CardeaMind
import CardeaModel
import CardeaMindAdapter
import Foundation
import Logging

extension TestHouse {
    /// Has the house do something by itself, as somebody who may.
    @discardableResult
    public func automation(_ draft: AutomationDraft, by principal: Principal) async throws -> Automation {
        try await automations.add(draft, by: author(principal))
    }

    /// Somebody who writes one, as the route makes them.
    public func author(_ principal: Principal) async throws -> CardeaAutomations.Automations.Author {
        let (hands, insight) = (HubHouseActuator(hub.automationGateway), hub.mindFeed)
        return .init(
            try await insight.asker(principal, for: "automation.add", needing: .modifySettings, origin: .house),
            record: insight.recorder("automation.add", by: principal, origin: .house),
            write: { try insight.requiringStepUpForWiderAccess(for: principal, in: $0, $1) },
            nameProblem: { try await insight.nameProblem($0) },
            objection: { try await hands.objection(to: $0, kept: $1, by: principal, origin: .house) })
    }

    /// Automations of a second mind of this house, which has a reader and a clock of its own.
    public func automations(
        reading reader: any HouseReader, now: @escaping @Sendable () -> Date, logger: Logger = .silent
    ) throws -> CardeaAutomations.Automations {
        CardeaAutomations.Automations(
            store: store, houseReader: reader, actuator: HubHouseActuator(hub.automationGateway), now: now, lexicon: try .english(),
            logger: logger)
    }

    /// Lets the mind look at what happened, and do what is to be done.
    public func runMind() async {
        await mind.poll(isAsked: true)
        await automations.runPending()
    }

    public var lightOff: AutomationAction { .control(DeviceAction(deviceID: "hall-light", verb: .off)) }

    public func locks(_ device: String) -> AutomationAction { .control(DeviceAction(deviceID: device, verb: .lock)) }
}

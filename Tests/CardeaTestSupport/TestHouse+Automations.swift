import CardeaHub
import CardeaMind
import CardeaModel

extension TestHouse {
    /// Has the house do something by itself, as somebody who may.
    @discardableResult
    public func automation(_ draft: AutomationDraft, by principal: Principal) async throws -> Automation {
        let person = try await hub.insight.asker(principal, for: "automation.add", needing: .modifySettings, origin: .house)
        return try await mind.automations.add(
            draft, by: person, record: hub.insight.recorder("automation.add", by: principal, origin: .house))
    }

    /// Lets the mind look at what happened, and do what is to be done.
    public func thinkAndDo() async {
        await mind.look(isAsked: true)
        await mind.automations.carryOut()
    }

    public var lightOff: AutomationAction { .control(DeviceAction(deviceID: "hall-light", verb: .off)) }

    public func locks(_ device: String) -> AutomationAction { .control(DeviceAction(deviceID: device, verb: .lock)) }
}

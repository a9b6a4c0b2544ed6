import CardeaModel

extension WatchRule {
    /// The notifications that these automations already give about an entity. Known are automations that notify once the entity has had a
    /// state for a time, with no condition other than hours of the day. If one of them has more conditions, the result is `unknown`.
    static func former(of entityID: String, in automations: [Automation]) -> Baseline {
        var rules: [WatchRule] = []
        for automation in automations where automation.isOn && automation.notifies {
            for trigger in automation.triggers where trigger.entityID == entityID {
                guard case .state(_, let word, let seconds) = trigger, let hours = ActiveHours(automation.conditions) else {
                    return .unknown
                }
                rules.append(
                    WatchRule(
                        entityID: entityID, words: [word], longerThan: Double(seconds), between: hours.between, waits: false))
            }
        }
        return rules.isEmpty ? .nothing : .rules(rules)
    }

    /// The hours within which an automation acts, if it has no other condition.
    private struct ActiveHours {
        /// Nil for always.
        let between: QuietHours?

        init?(_ conditions: [AutomationCondition]) {
            guard conditions.count <= 1 else { return nil }
            switch conditions.first {
            case nil: between = nil
            case .time(let from, let to): between = QuietHours(from: from, to: to)
            default: return nil
            }
        }
    }
}

extension Automation {
    /// True if it sends a notification.
    fileprivate var notifies: Bool {
        actions.contains { if case .notify = $0 { true } else { false } }
    }
}

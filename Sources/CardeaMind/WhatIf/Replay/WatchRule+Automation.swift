import CardeaModel

extension WatchRule {
    /// What tells of an entity, of these automations: those that say something once it has said a word for so long, at most within some hours.
    /// Where one of them asks for more than that, what it would have told is not known here.
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

    /// Within which hours an automation does anything, where nothing else is asked for.
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
    /// Whether it says something to somebody.
    fileprivate var notifies: Bool {
        actions.contains { if case .notify = $0 { true } else { false } }
    }
}

import Foundation

/// When the house puts down by itself that a battery is to be changed.
public enum LowBatteryPolicy {
    /// Percent at which a battery is low.
    public static let threshold = 20.0
    /// Seconds after somebody said that it is done in which a new battery may not have said a word yet. Whoever only ticked it off is asked
    /// again then: to know by the level alone, it would have to be kept what every battery has said since.
    public static let gracePeriod: TimeInterval = 86_400

    /// What the lowest battery of a device says, in percent; nil where it has none that says so.
    public static func level(of device: Device) -> Double? {
        device.entities.compactMap { level(of: $0) }.min()
    }

    private static func level(of entity: Entity) -> Double? {
        guard entity.isEnabled, entity.deviceClass == "battery", entity.unit == "%",
            let level = ReadingPolicy.number(entity.state, of: entity.kind), (0...100).contains(level)
        else { return nil }
        return level
    }

    /// Whether it is to be put down that a battery is to be changed.
    ///
    /// - Parameters:
    ///   - hasOpenTask: whether that stands among what is to be done already.
    ///   - settledAt: when such a task was done or taken out the last time; nil where there was none.
    public static func shouldCreateTask(at level: Double, hasOpenTask: Bool, settledAt: Date?, now: Date) -> Bool {
        guard level <= threshold, !hasOpenTask else { return false }
        return settledAt.map { now >= $0.addingTimeInterval(gracePeriod) } ?? true
    }

    /// The one task about the batteries of a device, however often it is made. A task's id has no colon.
    public static func taskID(for deviceID: String) -> String { "task_battery_" + deviceID.replacing(":", with: "_") }

    /// What is to be done, as a person would put it down.
    public static func title(for deviceName: String) -> String {
        Name.cleaned("Change the battery of \(deviceName)", else: "Change the battery")
    }
}

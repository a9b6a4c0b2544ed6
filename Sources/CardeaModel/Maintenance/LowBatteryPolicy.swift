import Foundation

/// Decides when the hub creates a task to change a battery.
public enum LowBatteryPolicy {
    /// Percent at which a battery is low.
    public static let threshold = 20.0
    /// Seconds after a task is settled before the next one is created, because a new battery may not have reported yet. A person who only
    /// ticked the task off is asked again after that: to decide by the level alone, every battery's reports since then would have to be
    /// stored.
    public static let gracePeriod: TimeInterval = 86_400

    /// Returns the level of the device's lowest battery, in percent; nil if it reports none.
    public static func level(of device: Device) -> Double? {
        device.entities.compactMap { level(of: $0) }.min()
    }

    private static func level(of entity: Entity) -> Double? {
        guard entity.isEnabled, entity.deviceClass == "battery", entity.unit == "%",
            let level = ReadingPolicy.number(entity.state, of: entity.kind), (0...100).contains(level)
        else { return nil }
        return level
    }

    /// Returns whether a task to change the battery is to be created.
    ///
    /// - Parameters:
    ///   - hasOpenTask: whether such a task is open already.
    ///   - settledAt: when such a task was last completed or removed; nil if there was none.
    public static func shouldCreateTask(at level: Double, hasOpenTask: Bool, settledAt: Date?, now: Date) -> Bool {
        guard level <= threshold, !hasOpenTask else { return false }
        return settledAt.map { now >= $0.addingTimeInterval(gracePeriod) } ?? true
    }

    /// The id of the only task about the batteries of a device, however often it is created. A task's id has no colon.
    public static func taskID(for deviceID: String) -> String { "task_battery_" + deviceID.replacing(":", with: "_") }

    /// Returns the task's title.
    public static func title(for deviceName: String) -> String {
        Name.cleaned("Change the battery of \(deviceName)", else: "Change the battery")
    }
}

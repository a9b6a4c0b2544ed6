import CardeaModel
import Foundation

/// Automations, as the mind drives them: it has them evaluated when it polls, and polls again at their next deadline.
///
/// The mind declares this port and does not know the effects of automations. The composition of the hub passes the implementation in.
public protocol AutomationRunner: Sendable {
    /// Evaluates the rules on all events since the last call, and records the runs that follow.
    ///
    /// - Parameter isAtEnd: whether all that has happened is remembered by now. As long as it is not, the clock goes no further than the
    ///   events: a state that had to last may have ended already.
    func evaluate(_ house: HouseSnapshot, isAtEnd: Bool) async throws

    /// The earliest time at which a trigger is due without an event; nil if that is not before `end`.
    func nextDeadline(before end: Date) -> Date?

    /// Performs recorded runs until the task is cancelled.
    func run() async

    /// All automations by name, as values: what-if compares with the ones that notify.
    func all() async throws -> [Automation]
}

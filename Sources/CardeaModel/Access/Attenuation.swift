import Foundation

/// The rule that a person can grant only what they hold.
public enum Attenuation {
    /// Checks every action of a new pass against the granter's own grant, as if used from the house now and as often as one likes.
    ///
    /// - Throws: the granter's own refusal of the first action they do not hold.
    public static func check(_ requests: [Gate.Request], heldBy granter: Grant) throws(Refusal) {
        for request in requests {
            var held = granter
            held.schedule = nil
            guard case .deny(let refusal) = Gate.decide(request, by: held, at: .distantPast, zone: .gmt) else { continue }
            throw refusal
        }
    }
}

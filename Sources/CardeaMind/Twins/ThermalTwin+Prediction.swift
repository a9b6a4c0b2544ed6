import Foundation

/// Predictions of a thermal twin.
extension ThermalTwin {
    /// A stretch of a plan.
    public struct PlanSegment: Hashable, Sendable {
        /// Hours.
        public let hours: Double
        /// °C, on average.
        public let outside: Double
        public let heating: Heating

        public enum Heating: Hashable, Sendable {
            /// A fixed share of the full heating.
            case share(Double)
            /// As much heating as is needed for this temperature in °C at the end of the stretch; none if it is warmer anyway.
            case setPoint(Double)
        }

        public init(hours: Double, outside: Double, heating: Heating) {
            self.hours = hours
            self.outside = outside
            self.heating = heating
        }
    }

    /// The end of a stretch.
    public struct PredictedPoint: Hashable, Sendable {
        /// Hours from the beginning.
        public let hours: Double
        /// °C. In 95 of 100 cases a reading lies between low and high, if the outside temperature is as given.
        public let inside: Estimate
        /// The mean heating in the stretch.
        public let heating: Double
    }

    /// Predicts the temperature under a plan.
    ///
    /// - Parameters:
    ///   - start: °C now.
    ///   - capacity: the most the heating gives; 1 if heating is a share.
    public func predict(from start: Double, under plan: [PlanSegment], capacity: Double = 1) -> [PredictedPoint] {
        let plan = plan.filter { $0.hours > 0 && $0.hours.isFinite && $0.outside.isFinite }
        let base = Self.simulate(constants, from: start, under: plan, capacity: capacity)
        let moved = (0..<3).map { place -> (up: [SimulatedPoint], down: [SimulatedPoint]) in
            (
                Self.simulate(constants.shifted(place, by: Self.differenceStep), from: start, under: plan, capacity: capacity),
                Self.simulate(constants.shifted(place, by: -Self.differenceStep), from: start, under: plan, capacity: capacity)
            )
        }
        var hours = 0.0
        var wander = 0.0
        return plan.indices.map { place in
            hours += plan[place].hours
            let keep = exp(-plan[place].hours / constants.tau)
            let fresh = disturbance * disturbance * constants.tau / 2 * (1 - keep * keep)
            // A thermostat with power to spare corrects earlier influences on the room.
            wander = base[place].isHeld ? fresh : keep * keep * wander + fresh
            let slopes = moved.map { ($0.up[place].inside - $0.down[place].inside) / (2 * Self.differenceStep) }
            let reach =
                Self.confidenceFactor * (covariance.variance(along: slopes) + wander + sensorNoise * sensorNoise).squareRoot()
            let inside = base[place].inside
            return PredictedPoint(
                hours: hours, inside: Estimate(inside, low: inside - reach, high: inside + reach), heating: base[place].heating)
        }
    }

    /// The mean heating needed to keep a temperature, as a share or in kW, as the twin was fitted; 0 if none is needed.
    ///
    /// - Returns: nil if `capacity` is not enough.
    public func heating(toHold inside: Double, outside: Double, capacity: Double = 1) -> Estimate? {
        let need = estimate { ((inside - outside) / $0.tau - $0.gain) / $0.rate }
        guard need.value <= capacity else { return nil }
        return Estimate(max(need.value, 0), low: max(need.low, 0), high: max(need.high, 0))
    }

    /// kWh needed to keep a temperature.
    ///
    /// - Parameter kilowatts: the power of full heating; 1 if heating is in kW.
    public func energy(
        toHold inside: Double, outside: Double, hours: Double, kilowatts: Double, capacity: Double = 1
    ) -> Estimate? {
        guard let share = heating(toHold: inside, outside: outside, capacity: capacity) else { return nil }
        let factor = max(hours, 0) * kilowatts
        return Estimate(share.value * factor, low: share.low * factor, high: share.high * factor)
    }

    /// Hours of full heating from one temperature up to another; nil if it is never reached.
    public func warmUp(from start: Double, to goal: Double, outside: Double, capacity: Double = 1) -> Estimate? {
        guard goal > start else { return Estimate(0, low: 0, high: 0) }
        return duration(from: start, to: goal) { outside + $0.tau * ($0.rate * capacity + $0.gain) }
    }

    /// Hours without heating from one temperature down to another; nil if it is never reached.
    public func coolDown(from start: Double, to goal: Double, outside: Double) -> Estimate? {
        guard goal < start else { return Estimate(0, low: 0, high: 0) }
        return duration(from: start, to: goal) { outside + $0.tau * $0.gain }
    }

    /// Hours from `start` to `goal` on the exponential way to a final temperature that is never quite reached.
    private func duration(from start: Double, to goal: Double, end: (Constants) -> Double) -> Estimate? {
        func hours(_ constants: Constants) -> Double {
            let left = (end(constants) - start) / (end(constants) - goal)
            return left > 1 ? constants.tau * log(left) : .infinity
        }
        guard hours(constants).isFinite else { return nil }
        let estimate = estimate(hours)
        return Estimate(estimate.value, low: max(estimate.low, 0), high: estimate.high)
    }

    // MARK: Runs

    /// A number calculated from the constants, with the interval that follows from their uncertainty.
    func estimate(_ number: (Constants) -> Double) -> Estimate {
        let value = number(constants)
        let slopes = (0..<3).map { place in
            (number(constants.shifted(place, by: Self.differenceStep)) - number(constants.shifted(place, by: -Self.differenceStep)))
                / (2 * Self.differenceStep)
        }
        // If a small change makes it impossible, the upper bound is unknown.
        guard slopes.allSatisfy(\.isFinite) else { return Estimate(value, low: 0, high: .infinity) }
        let reach = Self.confidenceFactor * covariance.variance(along: slopes).squareRoot()
        return Estimate(value, low: value - reach, high: value + reach)
    }

    /// The uncertainties of several numbers that are calculated from the constants.
    func uncertainties(_ numbers: (Constants) -> [Double]) -> [Double] {
        let up = (0..<3).map { numbers(constants.shifted($0, by: Self.differenceStep)) }
        let down = (0..<3).map { numbers(constants.shifted($0, by: -Self.differenceStep)) }
        let count = (up + down).map(\.count).min() ?? 0
        return (0..<count).map { number in
            let slopes = zip(up, down).map { ($0[number] - $1[number]) / (2 * Self.differenceStep) }
            guard slopes.allSatisfy(\.isFinite) else { return .infinity }
            return Self.confidenceFactor * covariance.variance(along: slopes).squareRoot()
        }
    }

    static let differenceStep = 1e-3

    struct SimulatedPoint {
        var inside: Double
        var heating: Double
        var isHeld: Bool
    }

    static func simulate(_ constants: Constants, from start: Double, under plan: [PlanSegment], capacity: Double) -> [SimulatedPoint] {
        var inside = start
        return plan.map { stretch in
            let keep = exp(-stretch.hours / constants.tau)
            let drift = keep * inside + (1 - keep) * (stretch.outside + constants.tau * constants.gain)
            let lift = (1 - keep) * constants.tau * constants.rate
            var isHeld = false
            let heating: Double
            switch stretch.heating {
            case .share(let share): heating = min(max(share, 0), capacity)
            case .setPoint(let goal):
                let need = (goal - drift) / lift
                isHeld = need > 0 && need < capacity
                heating = min(max(need, 0), capacity)
            }
            inside = drift + lift * heating
            return SimulatedPoint(inside: inside, heating: heating, isHeld: isHeld)
        }
    }
}

import Foundation

/// A thermal model of a room, of first order with one store and one way out,
///
/// dT/dt = (T_out − T)/τ + q·u + g
///
/// fitted to the room's own readings. It has confidence intervals, and cannot be made from readings that say too little.
public struct ThermalTwin: Hashable, Sendable {
    /// τ in hours: in this time, unheated, the room loses 63 % of its temperature difference to the outside.
    public let timeConstant: Estimate
    /// q in °C per hour: the warming by full heating, or by one kW if heating is in kW.
    public let heatingRate: Estimate
    /// g in °C per hour: the mean warming by sun, people and machines.
    public let gain: Estimate
    /// °C: the root mean square error of predictions from one reading to the next.
    public let oneStepError: Double
    /// °C: the root mean square error over whole runs of which only the first reading is given.
    public let freeRunError: Double
    /// °C: the deviation of a reading from the forecast, without the room's unmeasured influences. It is the sensor's error and, if a
    /// thermostat switches within the hour, the error from not knowing when in the hour the heating will be on.
    public let sensorNoise: Double
    /// °C per √hour: the unmeasured influences on the room.
    public let disturbance: Double
    /// The number of inside readings that were fitted.
    public let readings: Int
    public let from: Date
    public let to: Date
    let covariance: ThermalCovariance

    /// The half width of a 95 % interval, in standard errors.
    static let confidenceFactor = 1.96

    var constants: Constants { Constants(tau: timeConstant.value, rate: heatingRate.value, gain: gain.value) }

    /// The constants of one simulation run.
    struct Constants: Hashable, Sendable {
        var tau: Double
        var rate: Double
        var gain: Double

        /// The same constants, moved a little along log τ, log q or g.
        func shifted(_ place: Int, by step: Double) -> Constants {
            var moved = self
            switch place {
            case 0: moved.tau *= exp(step)
            case 1: moved.rate *= exp(step)
            default: moved.gain += step
            }
            return moved
        }
    }

    /// Fits a twin to a room's readings.
    ///
    /// - Parameter hasGain: true to fit warmth from other sources; otherwise g is 0.
    /// - Throws: the reason why no trustworthy twin can be made.
    public init(_ series: ThermalSeries, hasGain: Bool = true) throws(ThermalTwinError) {
        let steps = series.steps
        try Self.validate(steps)
        guard let first = series.samples.first?.at, let last = series.samples.last?.at else {
            throw .tooFewReadings(readings: 0, needed: Self.minimumReadings)
        }

        let fit = ThermalFit(steps: steps, spacing: series.spacing, hasGain: hasGain)
        let solution = fit.best()
        guard solution.cost.isFinite, let covariance = fit.covariance(solution) else { throw .unexcited }
        let tauError = covariance[0, 0].squareRoot()
        guard Self.plausibleTau.contains(solution.tau) else { throw .unphysical(.timeConstant(hours: solution.tau)) }
        guard solution.rate > 0 else { throw .unphysical(.heatingCools(rate: solution.rate)) }
        // Wider than a factor of two on either side is no time constant but a guess.
        guard tauError <= 0.36, covariance[1, 1].squareRoot() <= 0.36 else {
            throw .undetermined(spread: exp(Self.confidenceFactor * tauError))
        }

        let freeRun = fit.freeRunError(solution)
        guard freeRun < max(Self.spread(of: steps), 0.05) else { throw .poor(error: freeRun) }

        // The accuracy of forecasts differs from that of the constants: it cannot be foreseen when in an hour the heating will be on.
        let foresight = fit.hasMeans ? fit.forecastFit : fit
        var foreseen = fit.hasMeans ? foresight.best(at: solution.logTau) : solution
        (foreseen.rate, foreseen.gain) = (solution.rate, solution.gain)
        let plain = foresight.residuals(foreseen, logTau: solution.logTau).plain
        self.init(solution, covariance, foreseen, plain, freeRun: freeRun, from: first, to: last)
    }

    /// - Parameters:
    ///   - foreseen: with the noise that is left of a step that is foreseen.
    ///   - misses: °C, from each reading to the next.
    private init(
        _ solution: ThermalFit.Solution, _ covariance: ThermalCovariance, _ foreseen: ThermalFit.Solution, _ misses: [Double],
        freeRun: Double, from: Date, to: Date
    ) {
        func about(_ value: Double, _ place: Int) -> Estimate {
            let factor = exp(Self.confidenceFactor * covariance[place, place].squareRoot())
            return Estimate(value, low: value / factor, high: value * factor)
        }
        let gainReach = Self.confidenceFactor * covariance[2, 2].squareRoot()
        timeConstant = about(solution.tau, 0)
        heatingRate = about(solution.rate, 1)
        gain = Estimate(solution.gain, low: solution.gain - gainReach, high: solution.gain + gainReach)
        oneStepError = (misses.reduce(0) { $0 + $1 * $1 } / Double(max(misses.count, 1))).squareRoot()
        freeRunError = freeRun
        sensorNoise = foreseen.noise.squareRoot()
        disturbance = (foreseen.noise * foreseen.ratio).squareRoot()
        readings = solution.count
        self.from = from
        self.to = to
        self.covariance = covariance
    }

    // MARK: Limits

    /// The least number of readings: two days of hours.
    static let minimumReadings = 48
    static let plausibleTau = 0.5...2000.0

    private static func validate(_ steps: [ThermalStep]) throws(ThermalTwinError) {
        let reached = steps.map(\.reached).filter { !$0.isNaN }
        let hours = steps.reduce(0) { $0 + $1.hours }
        guard reached.count >= minimumReadings, hours >= Double(minimumReadings) - 1 else {
            throw .tooFewReadings(readings: min(reached.count, Int(min(max(hours, 0), 1e6))), needed: minimumReadings)
        }
        guard let low = reached.min(), let high = reached.max(), high - low >= 0.3 else { throw .constant }
        let heating = steps.map(\.heating)
        guard let least = heating.min(), let most = heating.max(), most - least > 0.02 * max(most, 0.5) else { throw .unexcited }
    }

    /// °C: the standard deviation about the mean.
    private static func spread(of steps: [ThermalStep]) -> Double {
        let reached = steps.map(\.reached).filter { !$0.isNaN }
        let mean = reached.reduce(0, +) / Double(max(reached.count, 1))
        return (reached.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(max(reached.count, 1))).squareRoot()
    }
}

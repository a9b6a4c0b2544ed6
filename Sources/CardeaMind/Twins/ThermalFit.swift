import Foundation

/// The least squares behind a thermal twin.
///
/// A sensor's noise and the unmeasured influences on a room (sun, windows, guests) differ: noise affects one reading,
/// influences persist in the walls. So the squares are those of a Kalman filter's innovations. For a given time constant and ratio of the
/// two noises the filter does not depend on the measurements, the innovations are linear in heating rate and gain, and those two come
/// from a weighted least squares of two unknowns; only the time constant and the ratio are searched. This is the maximum of the
/// likelihood for Gaussian noise, as in the grey-box models of buildings (Bacher and Madsen, Energy and Buildings 43, 2011), and it stays
/// right where a thermostat reacts to the noise.
///
/// If the mean temperature of a room in a step is known, its loss is known as well: the equation integrated over the step,
///
/// T₁ − T₀ = Δt · ((T_out − T_mean)/τ + q·u + g)
///
/// holds whenever in the step the heating was on. With single samples an hour, that time is missing: a light room's thermostat switches
/// every few minutes, the warming up in the morning is at the beginning of its hour, and the resulting error is as large as the gain of a
/// quiet room.
struct ThermalFit {
    let steps: [ThermalStep]
    /// Hours between two reports of the sensor; 0 if each reading is of its moment.
    let spacing: Double
    let hasGain: Bool

    struct Solution {
        var logTau: Double
        var logRatio: Double
        /// °C per hour at full heating.
        var rate = 0.0
        /// °C per hour.
        var gain = 0.0
        /// The variance of the sensor's noise, °C².
        var noise = 0.0
        var count = 0
        /// Minus twice the log of the likelihood, without its constant; infinite if it cannot be calculated.
        var cost = Double.infinity

        var tau: Double { exp(logTau) }
        var ratio: Double { exp(logRatio) }
    }

    static let tauRange = log(0.25)...log(5000.0)
    static let ratioRange = log(1e-7)...log(1e5)

    /// The best solution of a coarse grid, refined.
    func best() -> Solution {
        var best = Solution(logTau: 0, logRatio: 0)
        for tau in stride(from: log(1.0), through: log(800.0), by: 0.6) {
            for ratio in [1e-5, 1e-2, 1, 100] {
                let here = solve(tau, log(ratio))
                if here.cost < best.cost { best = here }
            }
        }
        guard best.cost.isFinite else { return best }
        return refine(best)
    }

    /// The state of the filter along the steps: the temperature without heating and gain, the contribution of one unit of each, and the
    /// uncertainty, as a variance in units of the sensor's.
    private struct KalmanFilter {
        let tau: Double
        let ratio: Double
        private var (room, heat, gain, spread) = (0.0, 0.0, 0.0, 1.0)

        /// The variance of an hourly mean, in units of one reading's, as if it were made of that many readings.
        private static let meanSpread = 1 / Double(ThermalSeries.frequentReportCount)

        init(tau: Double, ratio: Double) {
            self.tau = tau
            self.ratio = ratio
        }

        /// The part of a reading that was not foreseen.
        struct Innovation {
            let residual: Double
            let heat: Double
            let gain: Double
            /// Its variance, in units of the sensor's.
            let total: Double
        }

        /// - Returns: nil if there is no measurement.
        mutating func update(_ step: ThermalStep) -> Innovation? {
            if !step.start.isNaN { (room, heat, gain, spread) = (step.start, 0, 0, 1) }
            if step.mean.isNaN {
                let keep = exp(-step.hours / tau)
                let weight = (1 - keep) * tau
                room = keep * room + (1 - keep) * step.outside
                heat = keep * heat + weight * step.heating
                gain = keep * gain + weight
                spread = keep * keep * spread + ratio * tau / 2 * (1 - keep * keep)
            } else {
                let lost = step.hours / tau
                room += lost * (step.outside - step.mean)
                heat += step.hours * step.heating
                gain += step.hours
                spread += ratio * step.hours + lost * lost * Self.meanSpread
            }
            guard !step.reached.isNaN else { return nil }
            let found = Innovation(residual: step.reached - room, heat: heat, gain: gain, total: spread + 1)
            let blend = spread / found.total
            room += blend * found.residual
            heat *= 1 - blend
            gain *= 1 - blend
            spread *= 1 - blend
            return found
        }
    }

    /// One pass of the filter.
    func solve(_ logTau: Double, _ logRatio: Double) -> Solution {
        var solution = Solution(logTau: logTau, logRatio: logRatio)
        guard Self.tauRange.contains(logTau), Self.ratioRange.contains(logRatio) else { return solution }
        var filter = KalmanFilter(tau: exp(logTau), ratio: exp(logRatio))
        var (uu, ug, gg, uy, gy, yy, logs, count) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0)
        for step in steps {
            guard let found = filter.update(step) else { continue }
            uu += found.heat * found.heat / found.total
            ug += found.heat * found.gain / found.total
            gg += found.gain * found.gain / found.total
            uy += found.heat * found.residual / found.total
            gy += found.gain * found.residual / found.total
            yy += found.residual * found.residual / found.total
            logs += log(found.total)
            count += 1
        }
        guard count > 3 else { return solution }
        let determinant = uu * gg - ug * ug
        if hasGain, determinant > 1e-12 * uu * gg {
            solution.rate = (uy * gg - gy * ug) / determinant
            solution.gain = (gy * uu - uy * ug) / determinant
        } else if !hasGain, uu > 0 {
            solution.rate = uy / uu
        } else {
            return solution
        }
        let left = yy - solution.rate * uy - solution.gain * gy
        // At least a millionth of a degree: generated houses fit without any error, and the logarithm of zero is infinite.
        solution.noise = max(left / Double(count), 1e-12)
        solution.count = count
        solution.cost = Double(count) * log(solution.noise) + logs
        return solution
    }

    /// The same fit for forecasts: the start of each step and its heating are known, the mean temperature within it is not.
    var forecastFit: ThermalFit {
        ThermalFit(
            steps: steps.map { step in
                var step = step
                step.mean = .nan
                return step
            }, spacing: spacing, hasGain: hasGain)
    }

    /// True if the mean temperature of any step is known.
    var hasMeans: Bool { steps.contains { !$0.mean.isNaN } }

    /// The best solution for a given time constant. Only the ratio is searched, by the golden section.
    func best(at logTau: Double) -> Solution {
        let golden = (5.0.squareRoot() - 1) / 2
        var (low, high) = (Self.ratioRange.lowerBound, Self.ratioRange.upperBound)
        var (left, right) = (solve(logTau, high - golden * (high - low)), solve(logTau, low + golden * (high - low)))
        for _ in 0..<24 {
            if left.cost <= right.cost {
                (high, right) = (right.logRatio, left)
                left = solve(logTau, high - golden * (high - low))
            } else {
                (low, left) = (left.logRatio, right)
                right = solve(logTau, low + golden * (high - low))
            }
        }
        return left.cost <= right.cost ? left : right
    }

    /// Nelder and Mead's simplex over the two logarithms.
    private func refine(_ start: Solution) -> Solution {
        var simplex = [start, solve(start.logTau + 0.25, start.logRatio), solve(start.logTau, start.logRatio + 1.5)]
        for _ in 0..<120 {
            simplex.sort { $0.cost < $1.cost }
            let (best, middle, worst) = (simplex[0], simplex[1], simplex[2])
            let size =
                abs(worst.logTau - best.logTau) + abs(middle.logTau - best.logTau)
                + 0.1 * (abs(worst.logRatio - best.logRatio) + abs(middle.logRatio - best.logRatio))
            if size < 1e-6 { break }
            let (x, y) = ((best.logTau + middle.logTau) / 2, (best.logRatio + middle.logRatio) / 2)
            func along(_ factor: Double) -> Solution {
                solve(x + factor * (x - worst.logTau), clampedRatio(y + factor * (y - worst.logRatio)))
            }
            let mirrored = along(1)
            if mirrored.cost < best.cost {
                let further = along(2)
                simplex[2] = further.cost < mirrored.cost ? further : mirrored
            } else if mirrored.cost < middle.cost {
                simplex[2] = mirrored
            } else {
                let inner = along(mirrored.cost < worst.cost ? 0.5 : -0.5)
                if inner.cost < min(worst.cost, mirrored.cost) {
                    simplex[2] = inner
                } else {
                    for place in 1...2 {
                        simplex[place] = solve(
                            (best.logTau + simplex[place].logTau) / 2, (best.logRatio + simplex[place].logRatio) / 2)
                    }
                }
            }
        }
        return simplex.min { $0.cost < $1.cost } ?? start
    }

    /// For a sensor without noise, or a room without surprises, the best ratio is at an end of the range. That is not an error.
    private func clampedRatio(_ logRatio: Double) -> Double {
        min(max(logRatio, Self.ratioRange.lowerBound), Self.ratioRange.upperBound)
    }
}

// MARK: Uncertainty

extension ThermalFit {
    /// The innovations scaled by their own spread, with the contributions of heating and gain to each.
    struct Residuals {
        var left: [Double] = []
        var heat: [Double] = []
        var gain: [Double] = []
        /// °C, not weighted.
        var plain: [Double] = []
    }

    func residuals(_ solution: Solution, logTau: Double) -> Residuals {
        var filter = KalmanFilter(tau: exp(logTau), ratio: solution.ratio)
        var residuals = Residuals()
        for step in steps {
            guard let found = filter.update(step) else { continue }
            let spread = found.total.squareRoot()
            let left = found.residual - solution.rate * found.heat - solution.gain * found.gain
            residuals.left.append(left / spread)
            residuals.heat.append(found.heat / spread)
            residuals.gain.append(found.gain / spread)
            residuals.plain.append(left)
        }
        return residuals
    }

    /// The covariance of (log τ, log q, g).
    ///
    /// The innovations should be white. If they are not (a rounding sensor shows the same value for an hour), Newey and West's sandwich
    /// over six hours widens the plain inverse. It never narrows it.
    func covariance(_ solution: Solution) -> ThermalCovariance? {
        let step = 0.01
        let (here, below, above) = (
            residuals(solution, logTau: solution.logTau), residuals(solution, logTau: solution.logTau - step),
            residuals(solution, logTau: solution.logTau + step)
        )
        let count = here.left.count
        guard count > 3 else { return nil }
        var slopes: [[Double]] = [[], [], []]
        for place in 0..<count {
            slopes[0].append((above.left[place] - below.left[place]) / (2 * step))
            slopes[1].append(-here.heat[place] * solution.rate)
            slopes[2].append(hasGain ? -here.gain[place] : 0)
        }
        var information = ThermalCovariance.zero
        for row in 0..<3 {
            for column in 0..<3 {
                information[row, column] = product(slopes[row], slopes[column])
            }
        }
        // Without a gain its row has no meaning.
        if !hasGain { information[2, 2] = 1 }
        guard let bread = information.inverse else { return nil }
        let freedom = Double(count) / Double(max(count - 4, 1))
        let plain = bread.scaled(by: solution.noise * freedom)
        let robust = bread.times(meat(slopes, here.left, lags: lags(count))).times(bread).scaled(by: freedom)
        var widened = plain
        for row in 0..<3 {
            for column in 0..<3 {
                widened[row, column] *= widening(row, plain, robust) * widening(column, plain, robust)
            }
        }
        if !hasGain { for place in 0..<3 { (widened[2, place], widened[place, 2]) = (0, 0) } }
        let blur = systematicUncertainty(solution)
        widened[0, 0] += blur.tau * blur.tau
        widened[1, 1] += blur.rate * blur.rate
        widened[2, 2] += blur.gain * blur.gain
        return widened.isFinite ? widened : nil
    }

    private func widening(_ place: Int, _ plain: ThermalCovariance, _ robust: ThermalCovariance) -> Double {
        plain[place, place] > 0 ? max(1, robust[place, place] / plain[place, place]).squareRoot() : 1
    }

    private func lags(_ count: Int) -> Int {
        min(max(Int(6 / max(medianStep, 1.0 / 60)), 4), max(count / 10, 1))
    }

    /// Hours.
    private var medianStep: Double {
        let hours = steps.map(\.hours).sorted()
        return hours.isEmpty ? 1 : hours[hours.count / 2]
    }

    /// The uncertainty that no number of readings removes, as a standard deviation of the two logarithms and of the gain. When in its
    /// hour the heating was on is not known, and within a step a thermostat has already reacted to the temperature that the step is
    /// judged by. Errors in the heating are taken for a gain.
    ///
    /// If the mean temperature of a step is known, it does not matter when in it the heating was on: a quarter of this contribution to
    /// the gain remains, since a sensor reports some minutes late. Those minutes shift time constant and heating rate as before: with a
    /// narrower spread, fewer than nine in ten of the true values would lie within.
    ///
    /// A sensor that reports every few minutes shows the temperature of some minutes ago: the end of an hour lags behind its heating,
    /// which looks like a room that responds less. The size of the lag is not recorded. The factors are those of generated rooms.
    private func systematicUncertainty(_ solution: Solution) -> (tau: Double, rate: Double, gain: Double) {
        let step = medianStep
        let timing = 0.12 * step / solution.tau
        let answered = 0.5 * (solution.noise * solution.ratio / step).squareRoot() / max(solution.rate, 1e-6)
        let hours = steps.reduce(0) { $0 + $1.hours }
        let heated = steps.reduce(0) { $0 + $1.hours * $1.heating } / max(hours, step)
        let sampled = Double(steps.count { $0.mean.isNaN }) / Double(max(steps.count, 1))
        let late = 0.06 * spacing.squareRoot()
        let unknown = hypot(0.3 * timing * (sampled + (1 - sampled) / 4), 0.012 * spacing)
        return (
            hypot(timing, late), (timing * timing + answered * answered + late * late).squareRoot(),
            hasGain ? unknown * solution.rate * heated : 0
        )
    }

    private func meat(_ slopes: [[Double]], _ left: [Double], lags: Int) -> ThermalCovariance {
        let scores = slopes.map { zip($0, left).map(*) }
        var meat = ThermalCovariance.zero
        for lag in 0...lags {
            let weight = 1 - Double(lag) / Double(lags + 1)
            for row in 0..<3 {
                for column in 0..<3 {
                    let sum = product(scores[row], scores[column], lag: lag)
                    meat[row, column] += weight * sum
                    if lag > 0 { meat[column, row] += weight * sum }
                }
            }
        }
        return meat
    }

    /// The sum of the products of elements `lag` places apart. It takes most of a fit's time, so it avoids iterators.
    private func product(_ later: [Double], _ earlier: [Double], lag: Int = 0) -> Double {
        var (sum, place) = (0.0, lag)
        while place < later.count {
            sum += later[place] * earlier[place - lag]
            place += 1
        }
        return sum
    }

    /// °C: the root mean square error of a simulation that knows only its start.
    func freeRunError(_ solution: Solution) -> Double {
        var (room, squares, count) = (0.0, 0.0, 0)
        for step in steps {
            if !step.start.isNaN { room = step.start }
            let keep = exp(-step.hours / solution.tau)
            room = keep * room + (1 - keep) * (step.outside + solution.tau * (solution.rate * step.heating + solution.gain))
            if step.reached.isNaN { continue }
            squares += (step.reached - room) * (step.reached - room)
            count += 1
        }
        return count > 0 ? (squares / Double(count)).squareRoot() : 0
    }
}

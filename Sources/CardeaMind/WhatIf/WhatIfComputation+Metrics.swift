import CardeaModel
import Foundation

/// Turns the simulated windows into figures with their errors.
extension WhatIfComputation {
    /// The sums of one metric.
    private struct Total {
        var baseline = 0.0
        var predicted = 0.0
        var difference = 0.0
        /// The errors of the sums. The weather shifts all rooms in the same direction, so the errors add up instead of averaging out.
        var baselineReach = 0.0
        var predictedReach = 0.0
        var differenceReach = 0.0
        var series: [(baseline: Double, predicted: Double, reach: Double)]

        init(hours: Int) { series = Array(repeating: (0, 0, 0), count: hours) }

        mutating func add(_ before: [Double], _ after: [Double], half: Double) {
            let difference = PredictionInterval.estimate(zip(before, after).map { $1 - $0 }, more: half)
            let (baseline, predicted) = (PredictionInterval.estimate(before), PredictionInterval.estimate(after, more: half))
            self.baseline += baseline.value
            self.predicted += predicted.value
            self.difference += difference.value
            baselineReach += baseline.high - baseline.value
            predictedReach += predicted.high - predicted.value
            differenceReach += difference.high - difference.value
        }

        mutating func add(hour place: Int, _ before: [Double], _ after: [Double], half: Double) {
            let predicted = PredictionInterval.estimate(after, more: half)
            series[place].baseline += PredictionInterval.estimate(before).value
            series[place].predicted += predicted.value
            series[place].reach += predicted.high - predicted.value
        }
    }

    mutating func computeEnergy() {
        func refuse(_ problem: WhatIfError, of metrics: [WhatIfMetric] = [.energy, .cost]) {
            for metric in metrics where question.metrics.contains(metric) { errors[metric] = problem }
        }
        guard history.seesEnergy else { return refuse(.energyHidden) }
        if let problem = energyError ?? roomError { return refuse(problem) }
        if let silent = rooms.first(where: { $0.perHeating == nil }) { return refuse(.heatingNotMetered(roomID: silent.roomID)) }
        let kinds = Set(rooms.map(\.kind) + meters.map(\.kind))
        guard let kind = kinds.first else { return refuse(.tooFewPeriods(have: 0, needed: PredictionInterval.minimumCount)) }
        guard kinds.count == 1 else { return refuse(.severalKinds(kinds.sorted { $0.rawValue < $1.rawValue })) }

        var sum = Total(hours: windows.slots.count)
        for room in rooms {
            let (before, after) = amounts(room, room.outcomes)
            sum.add(before.map { $0.reduce(0, +) }, after.map { $0.reduce(0, +) }, half: uncertainty(room))
            for (place, half) in uncertainties(room).enumerated() {
                sum.add(hour: place, before.map { $0[place] }, after.map { $0[place] }, half: half)
            }
        }
        for meter in meters {
            sum.add(meter.before.map { $0.reduce(0, +) }, meter.after.map { $0.reduce(0, +) }, half: 0)
            for place in windows.slots.indices {
                sum.add(hour: place, meter.before.map { $0[place] }, meter.after.map { $0[place] }, half: 0)
            }
        }
        // Consumption is never negative.
        let baseline = Self.figure(sum.baseline, sum.baselineReach, atLeast: 0)
        let predicted = Self.figure(sum.predicted, sum.predictedReach, atLeast: 0)
        let difference = Self.figure(sum.difference, sum.differenceReach)
        let series = zip(windows.slots, sum.series).map { slot, hour in
            WhatIfResult.Point(
                at: max(slot.hour, windows.from), baseline: hour.baseline, predicted: hour.predicted,
                low: max(hour.predicted - hour.reach, min(hour.predicted, 0)), high: hour.predicted + hour.reach)
        }
        if question.metrics.contains(.energy) {
            answers[.energy] = .init(
                baseline: baseline, predicted: predicted, difference: difference, unit: kind.unit,
                words: self.text.change(of: .energy, baseline, predicted, difference, unit: kind.unit), series: series)
        }
        guard question.metrics.contains(.cost) else { return }
        guard let rate = kind.cost(of: 1, by: history.preferences) else { return refuse(.noRate(kind), of: [.cost]) }
        answers[.cost] = .init(
            baseline: baseline.scaled(by: rate), predicted: predicted.scaled(by: rate), difference: difference.scaled(by: rate),
            unit: "",
            words: self.text.change(
                of: .cost, baseline.scaled(by: rate), predicted.scaled(by: rate), difference.scaled(by: rate), unit: ""),
            series: series.map {
                .init(at: $0.at, baseline: $0.baseline * rate, predicted: $0.predicted * rate, low: $0.low * rate, high: $0.high * rate)
            })
    }

    mutating func computeTemperature() {
        if let problem = roomError { return errors[.temperature] = problem }
        guard let room = rooms.first else { return errors[.temperature] = .noRoom }
        // The first of several rooms is shown: a mean over rooms is the temperature of none of them.
        let before = room.outcomes.map { weighted($0.insideBefore) }
        let after = room.outcomes.map { weighted($0.insideAfter) }
        let model = spread(room) { (stretch: HeatingResimulation.Outcome) -> Double in weighted(stretch.insideAfter) }
        let step = ThermalTwin.confidenceFactor * room.simulator.twin.oneStepError
        let half = (model * model + step * step).squareRoot()
        let hourly = spreads(room) { $0.insideAfter }
        let series = windows.slots.enumerated().map { place, slot in
            let off = (hourly[place] * hourly[place] + step * step).squareRoot()
            let there = PredictionInterval.estimate(room.outcomes.map { $0.insideAfter[place] }, more: off)
            let usual = PredictionInterval.estimate(room.outcomes.map { $0.insideBefore[place] })
            return point(slot, usual, there)
        }
        let (baseline, predicted) = (PredictionInterval.estimate(before), PredictionInterval.estimate(after, more: half))
        let difference = PredictionInterval.estimate(zip(before, after).map { $1 - $0 }, more: half)
        answers[.temperature] = .init(
            baseline: baseline, predicted: predicted, difference: difference, unit: "°C",
            words: withRoomName(room, self.text.change(of: .temperature, baseline, predicted, difference, unit: "°C")), series: series)
    }

    /// Adds the name of the room if others are asked about too.
    private func withRoomName(_ room: RoomComputation, _ words: String) -> String {
        guard rooms.count > 1 else { return words }
        return self.text.roomSentence(history.house.rooms.first { $0.id == room.roomID }?.name ?? room.roomID, words)
    }

    mutating func computeComfort() {
        if let problem = roomError { return errors[.comfort] = problem }
        guard let room = rooms.first else { return errors[.comfort] = .noRoom }
        let own = history.house.rooms.first { $0.id == room.roomID }?.traits.preferredTemperature
        guard let wanted = own ?? history.house.defaultTemperature else { return errors[.comfort] = .noPreference }
        func isWell(_ celsius: Double, within degrees: Double = 1) -> Double { abs(celsius - wanted) <= degrees ? 1 : 0 }
        func share(_ inside: [Double], within degrees: Double = 1) -> Double { weighted(inside.map { isWell($0, within: degrees) }) }
        func mean(within degrees: Double) -> Double {
            room.outcomes.reduce(0) { $0 + share($1.insideAfter, within: degrees) } / Double(max(room.outcomes.count, 1))
        }
        // At the limit of comfort a small error decides.
        let error = ThermalTwin.confidenceFactor * room.simulator.twin.oneStepError
        let (strict, plain, loose) = (mean(within: 1 - error), mean(within: 1), mean(within: 1 + error))
        let half = max(loose - plain, plain - strict)
        func held(_ figure: Estimate) -> Estimate {
            Estimate(figure.value, low: min(max(figure.low, 0), 1), high: min(max(figure.high, 0), 1))
        }
        let before = room.outcomes.map { share($0.insideBefore) }
        let after = room.outcomes.map { share($0.insideAfter) }
        let (baseline, predicted) = (held(PredictionInterval.estimate(before)), held(PredictionInterval.estimate(after, more: half)))
        let difference = PredictionInterval.estimate(zip(before, after).map { $1 - $0 }, more: half)
        let series = windows.slots.enumerated().map { place, slot in
            let there = held(PredictionInterval.estimate(room.outcomes.map { isWell($0.insideAfter[place]) }))
            return point(slot, PredictionInterval.estimate(room.outcomes.map { isWell($0.insideBefore[place]) }), there)
        }
        answers[.comfort] = .init(
            baseline: baseline, predicted: predicted,
            difference: Estimate(difference.value, low: max(difference.low, -1), high: min(difference.high, 1)), unit: "share of hours",
            words: withRoomName(room, self.text.comfort(baseline, predicted, wanted: wanted)), series: series)
    }

    private func point(_ slot: WhatIfWindows.Slot, _ usual: Estimate, _ there: Estimate) -> WhatIfResult.Point {
        WhatIfResult.Point(
            at: max(slot.hour, windows.from), baseline: usual.value, predicted: there.value, low: there.low, high: there.high)
    }

    // MARK: Heating

    /// The consumption before and after, by window and slot, in the kind's unit.
    func amounts(_ room: RoomComputation, _ stretches: [HeatingResimulation.Outcome]) -> (before: [[Double]], after: [[Double]]) {
        let unit = room.perHeating ?? 0
        func before(_ stretch: HeatingResimulation.Outcome) -> [Double] {
            zip(stretch.heatingBefore, windows.slots).map { $0 * $1.weight * unit }
        }
        func after(_ stretch: HeatingResimulation.Outcome) -> [Double] {
            windows.slots.indices.map { place in
                let given = stretch.heatingBefore[place]
                return (given * windows.slots[place].weight + (stretch.heatingAfter[place] - given) * share(ofChangeIn: place)) * unit
            }
        }
        return (stretches.map(before), stretches.map(after))
    }

    /// The share of a change in a slot that counts. In the first hour only the part inside the window is heated differently, so all of its
    /// change counts.
    private func share(ofChangeIn place: Int) -> Double { place == 0 ? 1 : windows.slots[place].weight }

    /// The error of the mean: the twin is not exactly the room, a thermostat is not exactly at its setting, and the setting is not always
    /// known.
    func uncertainty(_ room: RoomComputation) -> Double {
        let model = spread(room) { (stretch: HeatingResimulation.Outcome) -> Double in
            amount(stretch.heatingAfter, less: stretch.heatingBefore, of: room)
        }
        let unseen = mean(room.outcomes, room) - mean(resimulate(room, constants: room.simulator.twin.constants, heatsUnseen: false), room)
        // If no heating differs, there is no error.
        let isChanged = room.outcomes.contains { $0.heatingAfter != $0.heatingBefore }
        return (pow(model, 2) + pow(isChanged ? thresholdUncertainty(room) : 0, 2) + pow(unseen, 2)).squareRoot()
    }

    /// The mean increase in consumption, in the kind's unit.
    private func mean(_ stretches: [HeatingResimulation.Outcome], _ room: RoomComputation) -> Double {
        let amounts = stretches.map { amount($0.heatingAfter, less: $0.heatingBefore, of: room) }
        return amounts.reduce(0, +) / Double(max(amounts.count, 1))
    }

    /// The same for each slot.
    private func uncertainties(_ room: RoomComputation) -> [Double] {
        let (before, after) = amounts(room, room.outcomes)
        let model = spreads(room) { (stretch: HeatingResimulation.Outcome) -> [Double] in amounts(room, [stretch]).after.first ?? [] }
        return windows.slots.indices.map { place in
            let isChanged = zip(before, after).contains { $0[place] != $1[place] }
            return (pow(model[place], 2) + pow(isChanged ? thresholdUncertainty(room) : 0, 2)).squareRoot()
        }
    }

    /// The consumption for ending a little warmer or colder than predicted, in the kind's unit. Before and after the change, the thermostat
    /// may then be anywhere in its swing.
    func thresholdUncertainty(_ room: RoomComputation) -> Double {
        let (step, swing) = (room.simulator.twin.oneStepError, room.simulator.swing)
        let off = (step * step + 2 * swing * swing).squareRoot()
        return ThermalTwin.confidenceFactor * off / room.simulator.twin.heatingRate.value * (room.perHeating ?? 0)
    }

    /// The difference in consumption between two ways of heating, in the kind's unit.
    func amount(_ heating: [Double], less other: [Double], of room: RoomComputation) -> Double {
        var sum = 0.0
        for place in windows.slots.indices { sum += (heating[place] - other[place]) * share(ofChangeIn: place) }
        return sum * (room.perHeating ?? 0)
    }

    private func spread(_ room: RoomComputation, of number: (HeatingResimulation.Outcome) -> Double) -> Double {
        let estimate = room.simulator.twin.estimate { constants in
            let numbers = resimulate(room, constants: constants).map(number)
            return numbers.reduce(0, +) / Double(max(numbers.count, 1))
        }
        return (estimate.high - estimate.low) / 2
    }

    /// The spread of a number for each slot.
    private func spreads(_ room: RoomComputation, of numbers: (HeatingResimulation.Outcome) -> [Double]) -> [Double] {
        room.simulator.twin.uncertainties { constants in
            let rows = resimulate(room, constants: constants).map(numbers)
            return windows.slots.indices.map { place in
                rows.reduce(0.0) { $0 + ($1.indices.contains(place) ? $1[place] : 0) } / Double(max(rows.count, 1))
            }
        }
    }

    /// Simulates the same days with other constants, or held so many °C cooler.
    func resimulate(
        _ room: RoomComputation, cooler: Double = 0, constants: ThermalTwin.Constants, heatsUnseen: Bool = true
    ) -> [HeatingResimulation.Outcome] {
        zip(room.windows, room.goals).compactMap { window, goals in
            room.simulator.resimulate(
                window.hours, goals: goals.map { $0.map { $0 - cooler } }, constants: constants, part: windows.slots.first?.weight ?? 1,
                heatsUnseen: heatsUnseen)
        }
    }

    /// The mean over the imagined time, weighted by the slots.
    private func weighted(_ hours: [Double]) -> Double {
        let total = windows.slots.reduce(0) { $0 + $1.weight }
        return zip(hours, windows.slots).reduce(0) { $0 + $1.0 * $1.1.weight } / max(total, 1e-9)
    }

    private static func figure(_ value: Double, _ reach: Double, atLeast least: Double = -.infinity) -> Estimate {
        Estimate(max(value, least), low: max(value - reach, least), high: max(value + reach, least))
    }
}

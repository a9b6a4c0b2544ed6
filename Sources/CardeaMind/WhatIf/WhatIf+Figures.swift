import CardeaModel
import Foundation

/// From what was looked at to figures with their errors.
extension WhatIfWork {
    /// What is added up, of one kind.
    private struct Sum {
        var baseline = 0.0
        var predicted = 0.0
        var difference = 0.0
        /// How far each may be off. What throws one room off is the weather, and throws all of them off together: it does not even out.
        var baselineReach = 0.0
        var predictedReach = 0.0
        var differenceReach = 0.0
        var series: [(baseline: Double, predicted: Double, reach: Double)]

        init(hours: Int) { series = Array(repeating: (0, 0, 0), count: hours) }

        mutating func add(_ before: [Double], _ after: [Double], half: Double) {
            let difference = WhatIfSpread.next(zip(before, after).map { $1 - $0 }, more: half)
            let (baseline, predicted) = (WhatIfSpread.next(before), WhatIfSpread.next(after, more: half))
            self.baseline += baseline.value
            self.predicted += predicted.value
            self.difference += difference.value
            baselineReach += baseline.high - baseline.value
            predictedReach += predicted.high - predicted.value
            differenceReach += difference.high - difference.value
        }

        mutating func add(hour place: Int, _ before: [Double], _ after: [Double], half: Double) {
            let predicted = WhatIfSpread.next(after, more: half)
            series[place].baseline += WhatIfSpread.next(before).value
            series[place].predicted += predicted.value
            series[place].reach += predicted.high - predicted.value
        }
    }

    mutating func tellEnergy() {
        func refuse(_ problem: WhatIfProblem, of metrics: [WhatIfMetric] = [.energy, .cost]) {
            for metric in metrics where question.metrics.contains(metric) { problems[metric] = problem }
        }
        guard history.seesEnergy else { return refuse(.energyHidden) }
        if let problem = energyProblem ?? roomProblem { return refuse(problem) }
        if let silent = rooms.first(where: { $0.perHeating == nil }) { return refuse(.heatingNotMetered(roomID: silent.roomID)) }
        let kinds = Set(rooms.map(\.kind) + meters.map(\.kind))
        guard let kind = kinds.first else { return refuse(.tooThin(have: 0, needed: WhatIfSpread.fewest)) }
        guard kinds.count == 1 else { return refuse(.severalKinds(kinds.sorted { $0.rawValue < $1.rawValue })) }

        var sum = Sum(hours: windows.slots.count)
        for room in rooms {
            let (before, after) = amounts(room, room.stretches)
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
        // Nobody uses less than nothing.
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
                words: self.words.change(of: .energy, baseline, predicted, difference, unit: kind.unit), series: series)
        }
        guard question.metrics.contains(.cost) else { return }
        guard let rate = kind.cost(of: 1, by: history.preferences) else { return refuse(.noRate(kind), of: [.cost]) }
        answers[.cost] = .init(
            baseline: baseline.scaled(by: rate), predicted: predicted.scaled(by: rate), difference: difference.scaled(by: rate),
            unit: "",
            words: self.words.change(
                of: .cost, baseline.scaled(by: rate), predicted.scaled(by: rate), difference.scaled(by: rate), unit: ""),
            series: series.map {
                .init(at: $0.at, baseline: $0.baseline * rate, predicted: $0.predicted * rate, low: $0.low * rate, high: $0.high * rate)
            })
    }

    mutating func tellTemperature() {
        if let problem = roomProblem { return problems[.temperature] = problem }
        guard let room = rooms.first else { return problems[.temperature] = .noRoom }
        // Of several rooms the first is told: a mean over rooms is nobody's temperature.
        let before = room.stretches.map { weighted($0.insideBefore) }
        let after = room.stretches.map { weighted($0.insideAfter) }
        let model = spread(room) { (stretch: HeatingAgain.Stretch) -> Double in weighted(stretch.insideAfter) }
        let step = ThermalTwin.reach * room.again.twin.oneStepError
        let half = (model * model + step * step).squareRoot()
        let hourly = spreads(room) { $0.insideAfter }
        let series = windows.slots.enumerated().map { place, slot in
            let off = (hourly[place] * hourly[place] + step * step).squareRoot()
            let there = WhatIfSpread.next(room.stretches.map { $0.insideAfter[place] }, more: off)
            let usual = WhatIfSpread.next(room.stretches.map { $0.insideBefore[place] })
            return point(slot, usual, there)
        }
        let (baseline, predicted) = (WhatIfSpread.next(before), WhatIfSpread.next(after, more: half))
        let difference = WhatIfSpread.next(zip(before, after).map { $1 - $0 }, more: half)
        answers[.temperature] = .init(
            baseline: baseline, predicted: predicted, difference: difference, unit: "°C",
            words: told(room, self.words.change(of: .temperature, baseline, predicted, difference, unit: "°C")), series: series)
    }

    /// What is said of one room, with its name where others are asked about too.
    private func told(_ room: RoomWork, _ words: String) -> String {
        guard rooms.count > 1 else { return words }
        return self.words.oneRoom(history.house.rooms.first { $0.id == room.roomID }?.name ?? room.roomID, words)
    }

    mutating func tellComfort() {
        if let problem = roomProblem { return problems[.comfort] = problem }
        guard let room = rooms.first else { return problems[.comfort] = .noRoom }
        let own = history.house.rooms.first { $0.id == room.roomID }?.traits.preferredTemperature
        guard let wanted = own ?? history.house.defaultTemperature else { return problems[.comfort] = .noPreference }
        func isWell(_ celsius: Double, within degrees: Double = 1) -> Double { abs(celsius - wanted) <= degrees ? 1 : 0 }
        func share(_ inside: [Double], within degrees: Double = 1) -> Double { weighted(inside.map { isWell($0, within: degrees) }) }
        func mean(within degrees: Double) -> Double {
            room.stretches.reduce(0) { $0 + share($1.insideAfter, within: degrees) } / Double(max(room.stretches.count, 1))
        }
        // At the border of what is well, a little more or less decides.
        let error = ThermalTwin.reach * room.again.twin.oneStepError
        let (strict, plain, loose) = (mean(within: 1 - error), mean(within: 1), mean(within: 1 + error))
        let half = max(loose - plain, plain - strict)
        func held(_ figure: Estimate) -> Estimate {
            Estimate(figure.value, low: min(max(figure.low, 0), 1), high: min(max(figure.high, 0), 1))
        }
        let before = room.stretches.map { share($0.insideBefore) }
        let after = room.stretches.map { share($0.insideAfter) }
        let (baseline, predicted) = (held(WhatIfSpread.next(before)), held(WhatIfSpread.next(after, more: half)))
        let difference = WhatIfSpread.next(zip(before, after).map { $1 - $0 }, more: half)
        let series = windows.slots.enumerated().map { place, slot in
            let there = held(WhatIfSpread.next(room.stretches.map { isWell($0.insideAfter[place]) }))
            return point(slot, WhatIfSpread.next(room.stretches.map { isWell($0.insideBefore[place]) }), there)
        }
        answers[.comfort] = .init(
            baseline: baseline, predicted: predicted,
            difference: Estimate(difference.value, low: max(difference.low, -1), high: min(difference.high, 1)), unit: "share of hours",
            words: told(room, self.words.comfort(baseline, predicted, wanted: wanted)), series: series)
    }

    private func point(_ slot: WhatIfWindows.Slot, _ usual: Estimate, _ there: Estimate) -> WhatIfResult.Point {
        WhatIfResult.Point(
            at: max(slot.hour, windows.from), baseline: usual.value, predicted: there.value, low: there.low, high: there.high)
    }

    // MARK: Heating

    /// By window and slot, what it took and what it would have, in the kind's unit.
    func amounts(_ room: RoomWork, _ stretches: [HeatingAgain.Stretch]) -> (before: [[Double]], after: [[Double]]) {
        let unit = room.perHeating ?? 0
        func before(_ stretch: HeatingAgain.Stretch) -> [Double] {
            zip(stretch.heatingBefore, windows.slots).map { $0 * $1.weight * unit }
        }
        func after(_ stretch: HeatingAgain.Stretch) -> [Double] {
            windows.slots.indices.map { place in
                let given = stretch.heatingBefore[place]
                return (given * windows.slots[place].weight + (stretch.heatingAfter[place] - given) * share(ofChangeIn: place)) * unit
            }
        }
        return (stretches.map(before), stretches.map(after))
    }

    /// What of a change in a slot's hour belongs to it. The first hour is heated otherwise only in its part of it, so that all of the change is.
    private func share(ofChangeIn place: Int) -> Double { place == 0 ? 1 : windows.slots[place].weight }

    /// How far the mean may be off because the twin is not quite the room, a thermostat not quite where it is set, and what it is set to not
    /// always known.
    func uncertainty(_ room: RoomWork) -> Double {
        let model = spread(room) { (stretch: HeatingAgain.Stretch) -> Double in
            amount(stretch.heatingAfter, less: stretch.heatingBefore, of: room)
        }
        let unseen = mean(room.stretches, room) - mean(again(room, constants: room.again.twin.constants, heatsUnseen: false), room)
        // Where nothing is heated otherwise, nothing is off.
        let isChanged = room.stretches.contains { $0.heatingAfter != $0.heatingBefore }
        return (pow(model, 2) + pow(isChanged ? border(room) : 0, 2) + pow(unseen, 2)).squareRoot()
    }

    /// What it takes more than it took, on average.
    private func mean(_ stretches: [HeatingAgain.Stretch], _ room: RoomWork) -> Double {
        let amounts = stretches.map { amount($0.heatingAfter, less: $0.heatingBefore, of: room) }
        return amounts.reduce(0, +) / Double(max(amounts.count, 1))
    }

    /// The same for each slot by itself.
    private func uncertainties(_ room: RoomWork) -> [Double] {
        let (before, after) = amounts(room, room.stretches)
        let model = spreads(room) { (stretch: HeatingAgain.Stretch) -> [Double] in amounts(room, [stretch]).after.first ?? [] }
        return windows.slots.indices.map { place in
            let isChanged = zip(before, after).contains { $0[place] != $1[place] }
            return (pow(model[place], 2) + pow(isChanged ? border(room) : 0, 2)).squareRoot()
        }
    }

    /// In the kind's unit: what it takes to end a little warmer or colder than foreseen. As it was and as it would be, its thermostat may be
    /// anywhere in its swing by then.
    func border(_ room: RoomWork) -> Double {
        let (step, swing) = (room.again.twin.oneStepError, room.again.swing)
        let off = (step * step + 2 * swing * swing).squareRoot()
        return ThermalTwin.reach * off / room.again.twin.heatingRate.value * (room.perHeating ?? 0)
    }

    /// What one way of heating takes more than another, in the kind's unit.
    func amount(_ heating: [Double], less other: [Double], of room: RoomWork) -> Double {
        var sum = 0.0
        for place in windows.slots.indices { sum += (heating[place] - other[place]) * share(ofChangeIn: place) }
        return sum * (room.perHeating ?? 0)
    }

    private func spread(_ room: RoomWork, of number: (HeatingAgain.Stretch) -> Double) -> Double {
        let estimate = room.again.twin.estimate { constants in
            let numbers = again(room, constants: constants).map(number)
            return numbers.reduce(0, +) / Double(max(numbers.count, 1))
        }
        return (estimate.high - estimate.low) / 2
    }

    /// The same of a number for each slot.
    private func spreads(_ room: RoomWork, of numbers: (HeatingAgain.Stretch) -> [Double]) -> [Double] {
        room.again.twin.reaches { constants in
            let rows = again(room, constants: constants).map(numbers)
            return windows.slots.indices.map { place in
                rows.reduce(0.0) { $0 + ($1.indices.contains(place) ? $1[place] : 0) } / Double(max(rows.count, 1))
            }
        }
    }

    /// The same days with other constants, or held so many °C cooler.
    func again(
        _ room: RoomWork, cooler: Double = 0, constants: ThermalTwin.Constants, heatsUnseen: Bool = true
    ) -> [HeatingAgain.Stretch] {
        zip(room.windows, room.goals).compactMap { window, goals in
            room.again.again(
                window.hours, goals: goals.map { $0.map { $0 - cooler } }, constants: constants, part: windows.slots.first?.weight ?? 1,
                heatsUnseen: heatsUnseen)
        }
    }

    /// The mean over the time that is imagined.
    private func weighted(_ hours: [Double]) -> Double {
        let total = windows.slots.reduce(0) { $0 + $1.weight }
        return zip(hours, windows.slots).reduce(0) { $0 + $1.0 * $1.1.weight } / max(total, 1e-9)
    }

    private static func figure(_ value: Double, _ reach: Double, atLeast least: Double = -.infinity) -> Estimate {
        Estimate(max(value, least), low: max(value - reach, least), high: max(value + reach, least))
    }
}

import CardeaAPI
import CardeaHub
import CardeaMind
import CardeaModel
import Foundation
import HTTPTypes
import Hummingbird

/// `/api/v1/predictions`: what would be. Nothing is done by asking.
struct PredictionsHarness: Sendable {
    let hub: Hub
    let mind: Mind

    func add(to table: RouteTable) {
        table.person(.whatIf, whatIf)
    }

    func whatIf(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        let body = try await request.read(WhatIfBody.self)
        guard (body.scenario?.unicodeScalars.count ?? 0) <= WhatIfBody.longestScenario else {
            throw Problem.validation("scenario", "has at most \(WhatIfBody.longestScenario) characters")
        }
        let person = try await hub.insight.asker(principal, origin: context.origin)
        let draft = WhatIfDraft(
            scenario: body.scenario ?? "", changes: body.changes, duration: body.duration, metrics: body.metrics, from: body.from,
            days: body.days)
        let answer = try await mind.imagining.answer(
            draft, seenBy: Sight(of: person), preferences: try await hub.preferences.preferences(of: principal))
        await hub.insight.answered(person, restingOn: answer.result.replay?.rows.count ?? 0, by: principal, origin: context.origin)
        return try .encoding(PredictionWire.answer(answer, id: "analysis_" + hub.surroundings.newID(), in: mind.lexicon))
    }
}

/// What would be, in `/api/v1`'s words.
enum PredictionWire {
    /// Rows that an answer names: nobody reads more.
    private static let most = 200

    static func answer(_ answer: Imagining.Answer, id: String, in lexicon: Lexicon) -> WhatIfAnswer {
        let result = answer.result
        return WhatIfAnswer(
            analysisID: id, response: answer.words, about: result.about,
            results: Dictionary(result.answers.map { ($0.key.rawValue, metric($0.value)) }, uniquingKeysWith: { first, _ in first }),
            problems: Dictionary(
                result.problems.map { ($0.key.rawValue, $0.value.words(in: lexicon)) }, uniquingKeysWith: { first, _ in first }),
            recommendations: result.recommendations.map { .init(words: $0.words, saving: EstimateAnswer($0.saving), unit: $0.unit) },
            basis: .init(
                words: result.basis.words, readings: result.basis.readings, entities: result.basis.entities,
                windows: result.basis.windows.map { .init(from: $0.start, to: $0.end) }),
            replay: result.replay.map { replay($0, of: answer.house, in: lexicon) },
            notices: result.notices.isEmpty ? nil : result.notices.mapValues(notices))
    }

    private static func notices(_ comparison: WatchRule.Comparison) -> WhatIfAnswer.Notices {
        WhatIfAnswer.Notices(
            kept: comparison.former == .unknown ? nil : comparison.kept.count, added: comparison.added.map(\.at),
            missed: comparison.missed.map(\.at))
    }

    private static func metric(_ answer: WhatIfResult.Answer) -> WhatIfAnswer.Metric {
        WhatIfAnswer.Metric(
            baseline: EstimateAnswer(answer.baseline), predicted: EstimateAnswer(answer.predicted),
            difference: EstimateAnswer(answer.difference), unit: answer.unit, words: answer.words,
            series: answer.series.map { point in
                let predicted = EstimateAnswer(Estimate(point.predicted, low: point.low, high: point.high))
                return .init(
                    at: point.at, baseline: point.baseline, predicted: predicted.value, low: predicted.low, high: predicted.high)
            })
    }

    private static func replay(
        _ comparison: Replay.Comparison, of house: HousePicture, in lexicon: Lexicon
    ) -> WhatIfAnswer.Replay {
        let names = Dictionary((house.people + house.guests).map { ($0.key, $0.name) }, uniquingKeysWith: { first, _ in first })
        let turned = comparison.turned
        return WhatIfAnswer.Replay(
            openedThenShut: comparison.doorsShut.count, shutThenOpened: comparison.doorsOpened.count, asked: comparison.doorsAsked.count,
            unknown: comparison.unknown.count,
            rows: turned.suffix(most).reversed().map { row in
                .init(
                    at: row.attempt.at, deviceID: row.attempt.deviceID, who: row.attempt.actor.map { names[$0] ?? $0 },
                    was: row.before.words(in: lexicon), wouldBe: row.after.words(in: lexicon))
            }, moreRows: turned.count > most ? turned.count - most : nil)
    }
}

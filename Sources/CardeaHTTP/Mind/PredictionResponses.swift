import CardeaAPI
import CardeaHub
import CardeaMind
import CardeaModel
import Foundation
import HTTPTypes
import Hummingbird

/// Predictions, as bodies of `/api/v1`.
enum PredictionResponses {
    /// Rows that an answer names at most.
    private static let maxRows = 200

    static func answer(_ answer: WhatIfService.Answer, id: String, in lexicon: Lexicon) -> WhatIfAnswer {
        let result = answer.result
        return WhatIfAnswer(
            analysisID: id, response: answer.words, about: result.subject,
            results: Dictionary(result.answers.map { ($0.key.rawValue, metric($0.value)) }, uniquingKeysWith: { first, _ in first }),
            problems: Dictionary(
                result.errors.map { ($0.key.rawValue, $0.value.text(in: lexicon)) }, uniquingKeysWith: { first, _ in first }),
            recommendations: result.recommendations.map { .init(words: $0.words, saving: EstimateAnswer($0.saving), unit: $0.unit) },
            basis: .init(
                words: result.basis.words, readings: result.basis.readings, entities: result.basis.entities,
                windows: result.basis.windows.map { .init(from: $0.start, to: $0.end) }),
            replay: result.replay.map { replay($0, of: answer.house, in: lexicon) },
            notices: result.notices.isEmpty ? nil : result.notices.mapValues(notices))
    }

    private static func notices(_ comparison: WatchRule.Comparison) -> WhatIfAnswer.Notices {
        WhatIfAnswer.Notices(
            kept: comparison.baseline == .unknown ? nil : comparison.kept.count, added: comparison.added.map(\.at),
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
        _ comparison: AccessReplay.Comparison, of house: HouseSnapshot, in lexicon: Lexicon
    ) -> WhatIfAnswer.Replay {
        let names = Dictionary((house.people + house.guests).map { ($0.key, $0.name) }, uniquingKeysWith: { first, _ in first })
        let turned = comparison.changed
        return WhatIfAnswer.Replay(
            openedThenShut: comparison.doorsShut.count, shutThenOpened: comparison.doorsOpened.count, asked: comparison.doorsAsked.count,
            unknown: comparison.unknown.count,
            rows: turned.suffix(maxRows).reversed().map { row in
                .init(
                    at: row.attempt.at, deviceID: row.attempt.deviceID, who: row.attempt.actor.map { names[$0] ?? $0 },
                    was: row.before.text(in: lexicon), wouldBe: row.after.text(in: lexicon))
            }, moreRows: turned.count > maxRows ? turned.count - maxRows : nil)
    }
}

import CardeaMind
import CardeaModel
import Foundation

/// Smoke and water.
extension QuestionSetBuilder {
    mutating func alarms() {
        let truth = truth
        func last(_ entity: String) -> [String] { truth.house.events.last { $0.entityID == entity }.map { [$0.id] } ?? [] }
        let (smoke, water) = (last("binary_sensor.hall_smoke"), last("binary_sensor.cellar_leak"))
        // Unreported alarms are known from each sensor's last state.
        let alarm = LabelledQuestion.ExpectedEvidence.states(of: ["binary_sensor.hall_smoke"])
        each(
            ["Is there smoke?", "is there any smoke in the hall?", "is there a fire?", "is the smoke alarm going off?"], .truth(false),
            about: alarm)
        each(["is there smoke", "is there a fire in the house?", "is ther smoke?"], .events(smoke))
        each(["is there a leak?", "is anything leaking?", "is there water in the cellar?", "is the cellar flooded?"], .events(water))
        let toast = truth.house.events.filter {
            $0.entityID == "binary_sensor.hall_smoke" && $0.at >= GroundTruth.at(-3, "00:00") && $0.at < GroundTruth.at(-2, "00:00")
        }
        each(
            [
                "did the smoke alarm go off on Monday?", "did the fire alarm go off on Monday?", "was there smoke on Monday?",
                "when did the smoke alarm go off?", "did any alarm go off this week?", "when was there last smoke?",
                "did the hall smoke alarm go off on Monday?",
            ], .events(toast.map(\.id)))
        each(
            ["did the smoke alarm go off today?", "has the smoke alarm gone off today?", "was there a fire yesterday?"], .truth(false),
            about: alarm)
        each(["how often did the smoke alarm go off this week?", "how many times was there smoke this week"], .count(1), about: alarm)
        each(["is there gas?", "is there any carbon monoxide?", "is there smoke in the kitchen?"], .unknown)
    }
}

import CardeaMind
import CardeaModel
import Foundation

/// What-if questions about a room with known constants: the room is simulated again, minute by minute, with another set point.
extension QuestionSetBuilder {
    mutating func whatIf() {
        func imagined(_ from: Date, _ wish: (_ hour: Int) -> Double?) -> LabelledQuestion.Expected {
            .imagined(RecordedHouse.extraEnergy(from: from, wish: wish), rate: 0.15)
        }
        func isNight(_ hour: Int) -> Bool { hour >= 22 || hour < 6 }
        // A night is counted with the day after it: a warm room needs no warm-up in the morning.
        let evening = RecordedHouse.moment(0, "22:00")
        each(
            [
                "What would it cost to keep 22 degrees all night?", "waht would it cost to keep 22 degrees all night?",
                "what would it cost to keep 22 degrees in the living room all night",
                "how much would it cost to keep the living room at 22 degrees all night?",
                "what would it cost to keep 22 degrees in the livign room all night?",
            ], imagined(evening) { isNight($0) ? 22 : nil })
        // It is kept so at night already.
        each(["what if we keep 20 degrees in the living room all night"], imagined(evening) { isNight($0) ? 20 : nil })
        // A change from now on begins with the next full hour.
        each(["what would it cost to keep 20 degrees all day?"], imagined(RecordedHouse.moment(0, "21:00")) { _ in 20 })
    }
}

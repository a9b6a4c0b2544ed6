import CardeaAPI
import CardeaHub
import CardeaModel
import HTTPTypes

/// What can be wrong with buttons and tags, as status and code.
extension Problem {
    static func buttons(_ problem: Buttons.Problem) -> Problem {
        switch problem {
        case .notFound: .noButton
        case .title(let problem): .name(problem, field: "title")
        case .countdown: .validation("countdown", "is 0 to \(Button.countdowns.upperBound) seconds")
        case .action(let refusal): .ofBody("action", Problem(refusal))
        case .publication(let problem):
            Problem(.badRequest, "invalid_publication", problem.rawValue, details: ["field": .string(problem.field)])
        case .unsigned: Problem(.conflict, "conflict", "The button publishes nothing that is signed.")
        case .isOff: Problem(.conflict, "conflict", "The button is switched off.")
        case .full: Problem(.conflict, "conflict", "The house has as many buttons as it can keep. Remove one first.")
        case .stale(let button): .stale(ButtonAnswer(button), version: button.version)
        }
    }

    static func tags(_ problem: Tags.Problem) -> Problem {
        switch problem {
        case .notFound: Problem(.notFound, "tag_not_found", "There is no such tag.")
        case .noButton: .noButton
        case .label(let problem): .name(problem, field: "label")
        case .uid: .validation("uid", "has 14 hexadecimal digits")
        case .names: .validation("names", "are three different words of 1 to 16 letters")
        case .sameKeys: .validation("file_key", "is the same as meta_key. Give the tag a key of its own")
        case .taken: Problem(.conflict, "conflict", "Another tag of the house has this UID. Remove it first.")
        case .changed: Problem(.conflict, "conflict", "The button was changed meanwhile. Look at what it does now.")
        case .tooMany: .rateLimited(1)
        case .notReadBack: Problem(.badRequest, "not_read_back", "What was read back is not this tag's link. Write it again.")
        case .keyless: Problem(.conflict, "conflict", "Only a tag that proves its touches, and is written, has keys that can be changed.")
        case .noOther: Problem(.conflict, "conflict", "The tag that is to be replaced is none of this button's.")
        case .full: Problem(.conflict, "conflict", "The button has \(Tag.mostPerButton) tags already. Remove one first.")
        }
    }

    private static let noButton = Problem(.notFound, "button_not_found", "There is no such button.")
}

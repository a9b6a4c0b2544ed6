import CardeaAPI
import CardeaHub
import CardeaModel
import HTTPTypes

/// Errors of buttons and tags, as status and code.
extension APIResponseError {
    static func buttons(_ problem: Buttons.ButtonError) -> APIResponseError {
        switch problem {
        case .notFound: .noButton
        case .title(let problem): .name(problem, field: "title")
        case .countdown: .validation("countdown", "is 0 to \(Button.countdowns.upperBound) seconds")
        case .action(let refusal): .inField("action", APIResponseError(refusal))
        case .publication(let problem):
            APIResponseError(.badRequest, "invalid_publication", problem.rawValue, details: ["field": .string(problem.field)])
        case .unsigned: APIResponseError(.conflict, "conflict", "The button publishes nothing that is signed.")
        case .isOff: APIResponseError(.conflict, "conflict", "The button is switched off.")
        case .full: APIResponseError(.conflict, "conflict", "The house has as many buttons as it can keep. Remove one first.")
        case .stale(let button): .preconditionFailed(ButtonAnswer(button), version: button.version)
        }
    }

    static func tags(_ problem: Tags.TagError) -> APIResponseError {
        switch problem {
        case .notFound: APIResponseError(.notFound, "tag_not_found", "There is no such tag.")
        case .noButton: .noButton
        case .label(let problem): .name(problem, field: "label")
        case .uid: .validation("uid", "has 14 hexadecimal digits")
        case .names: .validation("names", "are three different words of 1 to 16 letters")
        case .sameKeys: .validation("file_key", "is the same as meta_key. Give the tag a key of its own")
        case .uidInUse: APIResponseError(.conflict, "conflict", "Another tag of the house has this UID. Remove it first.")
        case .changed: APIResponseError(.conflict, "conflict", "The button was changed meanwhile. Look at what it does now.")
        case .tooMany: .rateLimited(1)
        case .notReadBack: APIResponseError(.badRequest, "not_read_back", "What was read back is not this tag's link. Write it again.")
        case .keyless:
            APIResponseError(.conflict, "conflict", "Only a tag that proves its touches, and is written, has keys that can be changed.")
        case .noReplacedTag: APIResponseError(.conflict, "conflict", "The tag that is to be replaced is none of this button's.")
        case .full: APIResponseError(.conflict, "conflict", "The button has \(Tag.limitPerButton) tags already. Remove one first.")
        }
    }

    private static let noButton = APIResponseError(.notFound, "button_not_found", "There is no such button.")
}

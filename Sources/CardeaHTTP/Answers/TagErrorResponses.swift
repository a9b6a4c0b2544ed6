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
        case .countdown: .validation("countdown", "must be from 0 to \(Button.countdowns.upperBound) seconds")
        case .action(let refusal): .inField("action", APIResponseError(refusal))
        case .publication(let problem):
            APIResponseError(.badRequest, "invalid_publication", problem.rawValue, details: ["field": .string(problem.field)])
        case .unsigned:
            APIResponseError(
                .conflict, "conflict", "The button's message is not signed, so it has no signing key. Switch signing on first.")
        case .isOff: APIResponseError(.conflict, "conflict", "The button is switched off. Switch it on first.")
        case .full: APIResponseError(.conflict, "conflict", "The house has the maximum number of buttons. Delete one first.")
        case .stale(let button): .preconditionFailed(ButtonAnswer(button), version: button.version)
        }
    }

    static func tags(_ problem: Tags.TagError) -> APIResponseError {
        switch problem {
        case .notFound: APIResponseError(.notFound, "tag_not_found", "There is no tag with this id. Reload the list of tags.")
        case .noButton: .noButton
        case .label(let problem): .name(problem, field: "label")
        case .uid: .validation("uid", "must have 14 hexadecimal digits")
        case .names: .validation("names", "must be three different words of 1 to 16 letters")
        case .sameKeys: .validation("file_key", "must differ from meta_key")
        case .uidInUse: APIResponseError(.conflict, "conflict", "This uid is used by another tag of this house. Remove that tag first.")
        case .changed:
            APIResponseError(.conflict, "conflict", "The button has changed since you read it. Check what it does now, then try again.")
        case .tooMany: .rateLimited(1)
        case .notReadBack:
            APIResponseError(.badRequest, "not_read_back", "The link read from the tag is not this tag's link. Write it again.")
        case .keyless:
            APIResponseError(.conflict, "conflict", "This tag has no keys to change: they exist only on a written tag of kind sun.")
        case .noReplacedTag: APIResponseError(.conflict, "conflict", "replaces must be a tag of the same button.")
        case .full: APIResponseError(.conflict, "conflict", "The button has the maximum of \(Tag.limitPerButton) tags. Remove one first.")
        }
    }

    private static let noButton = APIResponseError(
        .notFound, "button_not_found", "There is no button with this id. Reload the list of buttons.")
}

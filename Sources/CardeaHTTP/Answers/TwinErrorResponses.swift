import CardeaMind
import HTTPTypes

/// Errors of twins and of what-if questions, as status and code.
extension APIResponseError {
    static func twins(_ problem: Twins.TwinError) -> APIResponseError {
        switch problem {
        case .notFound: APIResponseError(.notFound, "twin_not_found", "There is no twin with this id. Reload the list of twins.")
        case .isDefault:
            APIResponseError(.conflict, "conflict", "This is the device's default twin, which cannot be deleted.")
        case .field(let field, let words): .validation(field, words)
        case .limitReached: APIResponseError(.conflict, "conflict", "The house has the maximum number of twins. Delete one first.")
        }
    }

    static func whatIf(_ fault: WhatIfFieldError) -> APIResponseError { .validation(fault.field, fault.words) }
}

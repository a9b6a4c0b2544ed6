import CardeaMind
import HTTPTypes

/// Errors of twins and of what-if questions, as status and code.
extension APIResponseError {
    static func twins(_ problem: Twins.TwinError) -> APIResponseError {
        switch problem {
        case .notFound: APIResponseError(.notFound, "twin_not_found", "There is no such twin.")
        case .isDefault:
            APIResponseError(.conflict, "conflict", "This twin is there by itself; nothing was made of it that could be taken back.")
        case .field(let field, let words): .validation(field, words)
        case .limitReached: APIResponseError(.conflict, "conflict", "The house has as many twins as it can keep. Remove one first.")
        }
    }

    static func whatIf(_ fault: WhatIfFieldError) -> APIResponseError { .validation(fault.field, fault.words) }
}

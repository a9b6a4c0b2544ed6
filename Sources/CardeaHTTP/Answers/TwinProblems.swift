import CardeaMind
import HTTPTypes

/// What can be wrong with twins and with what is imagined, as status and code.
extension Problem {
    static func twins(_ problem: Twins.Problem) -> Problem {
        switch problem {
        case .notFound: Problem(.notFound, "twin_not_found", "There is no such twin.")
        case .byItself:
            Problem(.conflict, "conflict", "This twin is there by itself; nothing was made of it that could be taken back.")
        case .field(let field, let words): .validation(field, words)
        case .full: Problem(.conflict, "conflict", "The house has as many twins as it can keep. Remove one first.")
        }
    }

    static func whatIf(_ fault: WhatIfFault) -> Problem { .validation(fault.field, fault.words) }
}

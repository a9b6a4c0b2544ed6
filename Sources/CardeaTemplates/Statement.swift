/// A statement of a template, compiled.
indirect enum Statement: Sendable {
    case data(String)
    case output(Expression)
    case condition([(test: Expression, body: [Statement])], otherwise: [Statement])
    case loop(Loop)
    case set(Target, Expression)
    case setBlock(String, body: [Statement], filters: Expression?)
    case with([(target: Target, value: Expression)], body: [Statement])
    case filterBlock(Expression, body: [Statement])
    case breakLoop
    case continueLoop

    struct Loop: Sendable {
        let target: Target
        let source: Expression
        let condition: Expression?
        let body: [Statement]
        let otherwise: [Statement]
    }

    /// A place that a value is assigned to.
    indirect enum Target: Sendable {
        case name(String)
        case member(of: String, String)
        case tuple([Target])
    }

    /// The variable in which a filter block or a filtered assignment hands its text to the filters.
    static let blockText = " block"
}

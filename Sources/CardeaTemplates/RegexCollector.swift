/// Finds the constant regular expressions of a template, so that they are compiled once.
enum RegexCollector {
    static func patterns(in statements: [Statement]) -> [String: PythonRegex] {
        var patterns: [String: PythonRegex] = [:]
        collect(statements, into: &patterns)
        return patterns
    }

    private static func collect(_ statements: [Statement], into patterns: inout [String: PythonRegex]) {
        for statement in statements {
            switch statement {
            case .data, .breakLoop, .continueLoop: break
            case .output(let expression), .set(_, let expression): collect(expression, into: &patterns)
            case .condition(let branches, let otherwise):
                for branch in branches {
                    collect(branch.test, into: &patterns)
                    collect(branch.body, into: &patterns)
                }
                collect(otherwise, into: &patterns)
            case .loop(let loop):
                collect(loop.source, into: &patterns)
                if let condition = loop.condition { collect(condition, into: &patterns) }
                collect(loop.body, into: &patterns)
                collect(loop.otherwise, into: &patterns)
            case .setBlock(_, let body, let filters):
                if let filters { collect(filters, into: &patterns) }
                collect(body, into: &patterns)
            case .with(let values, let body):
                for value in values { collect(value.value, into: &patterns) }
                collect(body, into: &patterns)
            case .filterBlock(let filters, let body):
                collect(filters, into: &patterns)
                collect(body, into: &patterns)
            }
        }
    }

    private static func collect(_ expression: Expression, into patterns: inout [String: PythonRegex]) {
        switch expression.kind {
        case .filter(_, let builtin, let arguments):
            switch builtin {
            case .regexMatch, .regexSearch, .regexReplace, .regexFindAll, .regexFindAllIndex: add(arguments, to: &patterns)
            default: break
            }
        case .test(_, let test, let arguments): if test == .match || test == .search { add(arguments, to: &patterns) }
        default: break
        }
        for child in expression.children { collect(child, into: &patterns) }
    }

    private static func add(_ arguments: Expression.Arguments, to patterns: inout [String: PythonRegex]) {
        let argument = arguments.positional.first ?? arguments.keywords.first { $0.name == "find" }?.value
        guard case .constant(.string(let source))? = argument?.kind, patterns[source] == nil else { return }
        // An invalid pattern raises where it is used.
        guard let pattern = try? PythonRegexCompiler.pattern(source) else { return }
        patterns[source] = pattern
    }
}

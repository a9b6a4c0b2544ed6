extension Parser {
    /// One expression, or a tuple without parentheses.
    mutating func tuple(
        isConditionalAllowed: Bool = true, end: String? = nil, isParenthesized: Bool = false
    ) throws(TemplateError) -> Expression {
        var elements: [Expression] = []
        var isTuple = false
        while !isTupleEnd(end) {
            elements.append(isConditionalAllowed ? try expression() : try alternative())
            guard accept(",") else { break }
            isTuple = true
        }
        if !isTuple, let first = elements.first { return first }
        guard isTuple || isParenthesized else { throw unexpected("expected an expression") }
        return try Expression(.tuple(elements), over: elements)
    }

    private func isTupleEnd(_ end: String?) -> Bool {
        switch current.kind {
        case .variableEnd, .blockEnd, .symbol(")"): true
        case .name(let name): name == end
        default: false
        }
    }

    /// An expression with its inline conditions.
    mutating func expression() throws(TemplateError) -> Expression {
        try nested { (parser) throws(TemplateError) in
            let known = parser.failures.count
            var result = try parser.alternative()
            while parser.accept(name: "if") {
                let test = try parser.alternative()
                let otherwise = parser.accept(name: "else") ? try parser.expression() : nil
                let children = otherwise.map { [result, test, $0] } ?? [result, test]
                result = try Expression(.conditional(test: test, then: result, otherwise: otherwise), over: children)
                parser.failures.removeSubrange(min(known, parser.failures.count)...)
            }
            return result
        }
    }

    private mutating func alternative() throws(TemplateError) -> Expression {
        var parts = [try conjunction()]
        while accept(name: "or") { parts.append(try conjunction()) }
        return parts.count == 1 ? parts[0] : try Expression(.any(parts), over: parts)
    }

    private mutating func conjunction() throws(TemplateError) -> Expression {
        var parts = [try negation()]
        while accept(name: "and") { parts.append(try negation()) }
        return parts.count == 1 ? parts[0] : try Expression(.all(parts), over: parts)
    }

    private mutating func negation() throws(TemplateError) -> Expression {
        guard accept(name: "not") else { return try comparison() }
        let inner = try nested { (parser) throws(TemplateError) in try parser.negation() }
        return try Expression(.not(inner), over: [inner])
    }

    private mutating func comparison() throws(TemplateError) -> Expression {
        let first = try sum()
        var others: [(Expression.Comparison, Expression)] = []
        while let comparison = acceptComparison() { others.append((comparison, try sum())) }
        return others.isEmpty ? first : try Expression(.comparison(first, others), over: [first] + others.map(\.1))
    }

    private mutating func acceptComparison() -> Expression.Comparison? {
        if accept("==") { return .equal }
        if accept("!=") { return .notEqual }
        if accept("<=") { return .lessOrEqual }
        if accept(">=") { return .greaterOrEqual }
        if accept("<") { return .less }
        if accept(">") { return .greater }
        if accept(name: "in") { return .contained }
        return acceptNotIn() ? .notContained : nil
    }

    private mutating func sum() throws(TemplateError) -> Expression {
        var left = try concatenation()
        while let operation: Expression.Operation = accept("+") ? .add : accept("-") ? .subtract : nil {
            let right = try concatenation()
            left = try Expression(.arithmetic(operation, left, right), over: [left, right])
        }
        return left
    }

    private mutating func concatenation() throws(TemplateError) -> Expression {
        var parts = [try product()]
        while accept("~") { parts.append(try product()) }
        return parts.count == 1 ? parts[0] : try Expression(.concatenation(parts), over: parts)
    }

    private mutating func product() throws(TemplateError) -> Expression {
        var left = try power()
        while let operation = acceptProductOperator() {
            let right = try power()
            left = try Expression(.arithmetic(operation, left, right), over: [left, right])
        }
        return left
    }

    private mutating func acceptProductOperator() -> Expression.Operation? {
        if accept("*") { return .multiply }
        if accept("/") { return .divide }
        if accept("//") { return .floorDivide }
        return accept("%") ? .remainder : nil
    }

    private mutating func power() throws(TemplateError) -> Expression {
        var left = try unary(isFiltered: true)
        while accept("**") {
            let right = try unary(isFiltered: true)
            left = try Expression(.arithmetic(.power, left, right), over: [left, right])
        }
        return left
    }

    private mutating func unary(isFiltered: Bool) throws(TemplateError) -> Expression {
        var result: Expression
        let isNegative = isAt("-")
        if isNegative || isAt("+") {
            advance()
            let inner = try nested { (parser) throws(TemplateError) in try parser.unary(isFiltered: false) }
            result = try Expression(isNegative ? .negative(inner) : .positive(inner), over: [inner])
        } else {
            result = try primary()
        }
        result = try postfix(of: result)
        return isFiltered ? try filters(of: result) : result
    }

    private mutating func primary() throws(TemplateError) -> Expression {
        let token = current
        switch token.kind {
        case .name(let name):
            advance()
            switch name {
            case "true", "True": return try Expression(.constant(.bool(true)))
            case "false", "False": return try Expression(.constant(.bool(false)))
            case "none", "None": return try Expression(.constant(.null))
            default:
                use(name: name)
                return try Expression(.name(name))
            }
        case .string(var text):
            advance()
            while case .string(let more) = current.kind {
                text += more
                advance()
            }
            return try Expression(.constant(.string(text)))
        case .integer(let number):
            advance()
            return try Expression(.constant(.integer(number)))
        case .float(let number):
            advance()
            return try Expression(.constant(.float(number)))
        case .symbol("("):
            advance()
            let inner = try nested { (parser) throws(TemplateError) in try parser.tuple(isParenthesized: true) }
            try expect(")")
            return inner
        case .symbol("["): return try list()
        case .symbol("{"): return try dictionary()
        default: throw .syntax("unexpected \(token.description)", line: token.line)
        }
    }

    private mutating func list() throws(TemplateError) -> Expression {
        advance()
        var elements: [Expression] = []
        while !isAt("]") {
            if !elements.isEmpty { try expect(",") }
            if isAt("]") { break }
            elements.append(try expression())
        }
        try expect("]")
        return try Expression(.list(elements), over: elements)
    }

    private mutating func dictionary() throws(TemplateError) -> Expression {
        advance()
        var members: [(key: Expression, value: Expression)] = []
        while !isAt("}") {
            if !members.isEmpty { try expect(",") }
            if isAt("}") { break }
            let key = try expression()
            try expect(":")
            members.append((key, try expression()))
        }
        try expect("}")
        return try Expression(.dictionary(members), over: members.flatMap { [$0.key, $0.value] })
    }

    // MARK: Postfix operators

    private mutating func postfix(of expression: Expression) throws(TemplateError) -> Expression {
        var result = expression
        while true {
            if accept(".") {
                result = try member(of: result)
            } else if accept("[") {
                result = try subscripted(result)
            } else if isAt("(") {
                result = try call(of: result)
            } else {
                return result
            }
        }
    }

    private mutating func filters(of expression: Expression) throws(TemplateError) -> Expression {
        var result = expression
        while true {
            if accept("|") {
                result = try filter(of: result)
            } else if accept(name: "is") {
                result = try test(of: result)
            } else if isAt("(") {
                result = try call(of: result)
            } else {
                return result
            }
        }
    }

    private mutating func member(of base: Expression) throws(TemplateError) -> Expression {
        switch current.kind {
        case .name(let name):
            advance()
            if let path = try Self.path(of: base, .attribute(name)) { return path }
            return try Expression(.attribute(base, name), over: [base])
        case .integer(let place):
            advance()
            if let path = try Self.path(of: base, .index(place)) { return path }
            let index = try Expression(.constant(.integer(place)))
            return try Expression(.item(base, index), over: [base, index])
        default: throw unexpected("expected a name or a number")
        }
    }

    /// The path that `step` extends; nil when `base` is something else.
    private static func path(of base: Expression, _ step: Expression.Step) throws(TemplateError) -> Expression? {
        switch base.kind {
        case .name(let name): return try Expression(.path(name, [step]), over: [base])
        case .path(let name, let steps):
            guard steps.count < TemplateLimits.height else { throw .limit(.depth) }
            return try Expression(.path(name, steps + [step]))
        default: return nil
        }
    }

    private mutating func subscripted(_ base: Expression) throws(TemplateError) -> Expression {
        if let slice = try sliceEnd(base, from: nil) { return slice }
        let index = try expression()
        if let slice = try sliceEnd(base, from: index) { return slice }
        if isAt(",") { throw .unknown(.method, "an index of several parts") }
        try expect("]")
        switch index.kind {
        case .constant(.string(let key)): if let path = try Self.path(of: base, .key(key)) { return path }
        case .constant(.integer(let place)): if let path = try Self.path(of: base, .index(place)) { return path }
        default: break
        }
        return try Expression(.item(base, index), over: [base, index])
    }

    /// The rest of a slice from its first colon on; nil when there is none.
    private mutating func sliceEnd(_ base: Expression, from start: Expression?) throws(TemplateError) -> Expression? {
        guard accept(":") else { return nil }
        let end = isAt(":") || isAt("]") ? nil : try expression()
        let step = accept(":") && !isAt("]") ? try expression() : nil
        try expect("]")
        return try Expression(.slice(base, start, end, step), over: [base] + [start, end, step].compactMap { $0 })
    }

    private mutating func call(of callee: Expression) throws(TemplateError) -> Expression {
        let arguments = try arguments()
        if case .name(let name) = callee.kind, UnsupportedEntityAccess.functions.contains(name) == false,
            Builtin.isUnsupportedFunction(name)
        {
            let failure = TemplateError.unknown(.function, name)
            failures.append(failure)
            return try Expression(.failure(failure))
        }
        return try Expression(.call(callee, arguments), over: [callee] + arguments.children)
    }

    private mutating func arguments() throws(TemplateError) -> Expression.Arguments {
        try expect("(")
        var arguments = Expression.Arguments()
        var isFirst = true
        while !isAt(")") {
            if !isFirst {
                try expect(",")
                if isAt(")") { break }
            }
            isFirst = false
            if isAt("*") || isAt("**") { throw .unknown(.function, "arguments with a star") }
            if let name = keyword() {
                advance()
                advance()
                arguments.keywords.append((name, try expression()))
            } else {
                guard arguments.keywords.isEmpty else { throw unexpected("expected a named argument") }
                arguments.positional.append(try expression())
            }
        }
        try expect(")")
        return arguments
    }

    mutating func filter(of value: Expression) throws(TemplateError) -> Expression {
        let name = try expectName()
        let arguments = isAt("(") ? try self.arguments() : Expression.Arguments()
        guard let builtin = Builtin.filters[name] else {
            return try unknown(UnsupportedEntityAccess.filters.contains(name) ? .otherEntity(name) : .unknown(.filter, name))
        }
        return try Expression(.filter(value, builtin, arguments), over: [value] + arguments.children)
    }

    private mutating func test(of value: Expression) throws(TemplateError) -> Expression {
        let isNegated = accept(name: "not")
        let name = try expectName()
        var arguments = Expression.Arguments()
        if isAt("(") {
            arguments = try self.arguments()
        } else if beginsArgument {
            if isAt(name: "is") { throw unexpected("tests cannot be chained") }
            let operand = try nested { (parser) throws(TemplateError) in try parser.primary() }
            arguments.positional.append(try postfix(of: operand))
        }
        guard let test = BuiltinTest.named(name) else {
            return try unknown(UnsupportedEntityAccess.tests.contains(name) ? .otherEntity(name) : .unknown(.test, name))
        }
        let result = try Expression(.test(value, test, arguments), over: [value] + arguments.children)
        return isNegated ? try Expression(.not(result), over: [result]) : result
    }

    private var beginsArgument: Bool {
        switch current.kind {
        case .name(let name): !["else", "or", "and"].contains(name)
        case .string, .integer, .float, .symbol("["), .symbol("{"): true
        default: false
        }
    }

    private mutating func unknown(_ failure: TemplateError) throws(TemplateError) -> Expression {
        failures.append(failure)
        return try Expression(.failure(failure))
    }
}

/// Makes statements of a template's tokens, by Jinja's grammar.
struct Parser {
    private let tokens: [Token]
    private var position = 0
    private var depth = 0
    private var loopDepth = 0
    /// A name that is unknown raises only when it is evaluated, as inside a Jinja condition.
    var isConditional = false
    /// Unknown names of the current statement that are not below a condition so far.
    var failures: [TemplateError] = []
    private(set) var assigned: Set<String> = []
    private(set) var otherEntity: String?

    static func statements(of source: String) throws(TemplateError) -> [Statement] {
        var parser = Parser(tokens: try Lexer.tokens(of: source))
        let statements = try parser.body(until: [])
        if let name = parser.otherEntity, !parser.assigned.contains(name) { throw .otherEntity(name) }
        return statements
    }

    private init(tokens: [Token]) {
        self.tokens = tokens
    }

    // MARK: Tokens

    var current: Token { tokens[min(position, tokens.count - 1)] }

    private var following: Token { tokens[min(position + 1, tokens.count - 1)] }

    func isAt(_ symbol: String) -> Bool { current.kind == .symbol(symbol) }

    func isAt(name: String) -> Bool { current.kind == .name(name) }

    mutating func advance() { position += 1 }

    mutating func accept(_ symbol: String) -> Bool {
        guard isAt(symbol) else { return false }
        advance()
        return true
    }

    mutating func accept(name: String) -> Bool {
        guard isAt(name: name) else { return false }
        advance()
        return true
    }

    mutating func acceptNotIn() -> Bool {
        guard isAt(name: "not"), following.kind == .name("in") else { return false }
        position += 2
        return true
    }

    mutating func expect(_ symbol: String) throws(TemplateError) {
        guard accept(symbol) else { throw unexpected("expected \(symbol)") }
    }

    mutating func expect(name: String) throws(TemplateError) {
        guard accept(name: name) else { throw unexpected("expected \(name)") }
    }

    mutating func expectName() throws(TemplateError) -> String {
        guard case .name(let name) = current.kind else { throw unexpected("expected a name") }
        advance()
        return name
    }

    /// At `name =`, as a keyword argument begins.
    func keyword() -> String? {
        guard case .name(let name) = current.kind, following.kind == .symbol("=") else { return nil }
        return name
    }

    func unexpected(_ expectation: String) -> TemplateError {
        .syntax("\(expectation), and found \(current.description)", line: current.line)
    }

    /// One level of nesting more while `parse` runs.
    mutating func nested<Result>(_ parse: (inout Parser) throws(TemplateError) -> Result) throws(TemplateError) -> Result {
        depth += 1
        defer { depth -= 1 }
        guard depth <= TemplateLimits.depth else { throw .limit(.depth) }
        return try parse(&self)
    }

    mutating func use(name: String) {
        if otherEntity == nil, UnsupportedEntityAccess.functions.contains(name) { otherEntity = name }
    }

    /// Keeps an unknown name for later, or raises it when no condition is around it.
    private mutating func raiseUnknownNames() throws(TemplateError) {
        defer { failures = [] }
        if !isConditional, let failure = failures.first { throw failure }
    }

    // MARK: Statements

    private mutating func body(until ends: Set<String>) throws(TemplateError) -> [Statement] {
        depth += 1
        defer { depth -= 1 }
        guard depth <= TemplateLimits.depth else { throw .limit(.depth) }
        var statements: [Statement] = []
        while true {
            switch current.kind {
            case .data(let text):
                statements.append(.data(text))
                advance()
            case .variableBegin:
                advance()
                let expression = try tuple()
                guard current.kind == .variableEnd else { throw unexpected("expected }}") }
                advance()
                try raiseUnknownNames()
                statements.append(.output(expression))
            case .blockBegin:
                advance()
                if case .name(let name) = current.kind, ends.contains(name) { return statements }
                statements.append(try statement())
                try expectBlockEnd()
            default:
                guard ends.isEmpty, current.kind == .end else { throw .syntax("a block has no end", line: current.line) }
                return statements
            }
        }
    }

    private mutating func expectBlockEnd() throws(TemplateError) {
        guard current.kind == .blockEnd else { throw unexpected("expected %}") }
        advance()
        try raiseUnknownNames()
    }

    private mutating func statement() throws(TemplateError) -> Statement {
        let line = current.line
        let name = try expectName()
        switch name {
        case "if": return try condition()
        case "for": return try loop()
        case "set": return try assignment()
        case "with": return try with()
        case "filter": return try filterBlock()
        case "break", "continue":
            guard loopDepth > 0 else { throw .syntax("\(name) is outside a loop", line: line) }
            return name == "break" ? .breakLoop : .continueLoop
        case "macro", "call", "import", "from", "include", "extends", "block", "do", "autoescape": throw .unknown(.statement, name)
        default: throw .syntax("unknown statement \(name)", line: line)
        }
    }

    private mutating func condition() throws(TemplateError) -> Statement {
        let wasConditional = isConditional
        defer { isConditional = wasConditional }
        isConditional = true
        var branches: [(test: Expression, body: [Statement])] = []
        var otherwise: [Statement] = []
        repeat {
            let test = try tuple(isConditionalAllowed: false)
            try expectBlockEnd()
            branches.append((test, try body(until: ["elif", "else", "endif"])))
        } while accept(name: "elif")
        if accept(name: "else") {
            try expectBlockEnd()
            otherwise = try body(until: ["endif"])
        }
        try expect(name: "endif")
        return .condition(branches, otherwise: otherwise)
    }

    private mutating func loop() throws(TemplateError) -> Statement {
        let wasConditional = isConditional
        defer { isConditional = wasConditional }
        let target = try target(ends: "in")
        try expect(name: "in")
        let source = try tuple(isConditionalAllowed: false, end: "recursive")
        let condition = accept(name: "if") ? try expression() : nil
        if isAt(name: "recursive") { throw .unknown(.statement, "recursive") }
        try expectBlockEnd()
        isConditional = false
        loopDepth += 1
        let content = try body(until: ["endfor", "else"])
        loopDepth -= 1
        var otherwise: [Statement] = []
        if accept(name: "else") {
            try expectBlockEnd()
            otherwise = try body(until: ["endfor"])
        }
        try expect(name: "endfor")
        return .loop(.init(target: target, source: source, condition: condition, body: content, otherwise: otherwise))
    }

    private mutating func assignment() throws(TemplateError) -> Statement {
        let line = current.line
        let target = try target(ends: nil)
        if accept("=") { return .set(target, try tuple()) }
        guard case .name(let name) = target else { throw .syntax("only a name takes the text of a block", line: line) }
        let filters = try blockFilters(isFirstNamed: false)
        try expectBlockEnd()
        let content = try body(until: ["endset"])
        try expect(name: "endset")
        return .setBlock(name, body: content, filters: filters)
    }

    private mutating func filterBlock() throws(TemplateError) -> Statement {
        guard let filters = try blockFilters(isFirstNamed: true) else { throw unexpected("expected a filter") }
        try expectBlockEnd()
        let content = try body(until: ["endfilter"])
        try expect(name: "endfilter")
        return .filterBlock(filters, body: content)
    }

    private mutating func blockFilters(isFirstNamed: Bool) throws(TemplateError) -> Expression? {
        var filters: Expression?
        var isNamed = isFirstNamed
        while isNamed || accept("|") {
            isNamed = false
            if let inner = filters {
                filters = try filter(of: inner)
            } else {
                filters = try filter(of: try Expression(.name(Statement.blockText)))
            }
        }
        return filters
    }

    private mutating func with() throws(TemplateError) -> Statement {
        var values: [(target: Statement.Target, value: Expression)] = []
        while current.kind != .blockEnd {
            if !values.isEmpty { try expect(",") }
            let name = try expectName()
            assigned.insert(name)
            try expect("=")
            values.append((.name(name), try expression()))
        }
        try expectBlockEnd()
        let content = try body(until: ["endwith"])
        try expect(name: "endwith")
        return .with(values, body: content)
    }

    /// Names that are assigned to, up to the name `end`.
    private mutating func target(ends end: String?) throws(TemplateError) -> Statement.Target {
        var targets: [Statement.Target] = []
        var isTuple = false
        while true {
            if let end, isAt(name: end) { break }
            if isAt("=") || isAt(")") || current.kind == .blockEnd { break }
            targets.append(try oneTarget(isMemberAllowed: end == nil))
            guard accept(",") else { break }
            isTuple = true
        }
        guard let first = targets.first else { throw unexpected("expected a name") }
        return isTuple ? .tuple(targets) : first
    }

    private mutating func oneTarget(isMemberAllowed: Bool) throws(TemplateError) -> Statement.Target {
        if accept("(") {
            let inner = try nested { (parser) throws(TemplateError) in try parser.target(ends: nil) }
            try expect(")")
            return inner
        }
        let line = current.line
        let name = try expectName()
        guard !["true", "false", "none", "True", "False", "None"].contains(name) else {
            throw .syntax("a constant cannot be assigned to", line: line)
        }
        if isMemberAllowed, accept(".") { return .member(of: name, try expectName()) }
        assigned.insert(name)
        return .name(name)
    }
}

import CardeaModel
import Foundation

/// One rendering of a template, with its variables and its remaining limits.
struct Renderer {
    let variables: TemplateVariables
    let now: Date
    let zone: TimeZone
    var patterns: [String: PythonRegex]
    private var scopes: [[String: Value]] = []
    private var namespaces: [[String: Value]] = []
    private var output = ""
    private var steps = 0
    private var rounds = 0

    /// The way on behind a statement.
    private enum Flow {
        case next
        case breakLoop
        case continueLoop
    }

    init(variables: TemplateVariables, patterns: [String: PythonRegex], now: Date, zone: TimeZone) {
        self.variables = variables
        self.patterns = patterns
        self.now = now
        self.zone = zone
    }

    // MARK: Bounds

    mutating func charge(_ count: Int = 1) throws(TemplateError) {
        steps += count
        guard steps <= TemplateLimits.steps else { throw .limit(.steps) }
    }

    /// Pays for work over a whole text.
    mutating func charge(for text: String) throws(TemplateError) {
        let size = text.utf8.count
        guard size <= TemplateLimits.text else { throw .limit(.text) }
        if size >= TemplateLimits.bytesPerStep { try charge(size / TemplateLimits.bytesPerStep) }
    }

    /// The steps that are left for a regular expression, in its own small unit.
    var patternBudget: Int { (TemplateLimits.steps - steps) * 64 }

    mutating func chargePattern(left: Int) throws(TemplateError) {
        try charge((patternBudget - left) / 64)
    }

    // MARK: Statements

    mutating func render(_ statements: [Statement]) throws(TemplateError) -> String {
        // Most templates are a single expression.
        if statements.count == 1, case .output(let expression) = statements[0] {
            return try result(try text(of: try evaluate(expression)))
        }
        scopes.append([:])
        _ = try run(statements)
        return try result(output)
    }

    private func result(_ text: String) throws(TemplateError) -> String {
        guard text.utf8.count <= TemplateLimits.output else { throw .limit(.output) }
        return PythonText.stripped(text)
    }

    private mutating func run(_ statements: [Statement]) throws(TemplateError) -> Flow {
        for statement in statements {
            let flow = try run(statement)
            if flow != .next { return flow }
        }
        return .next
    }

    private mutating func write(_ text: String) throws(TemplateError) {
        output += text
        guard output.utf8.count <= TemplateLimits.output else { throw .limit(.output) }
    }

    private mutating func run(_ statement: Statement) throws(TemplateError) -> Flow {
        try charge()
        switch statement {
        case .data(let text): try write(text)
        case .output(let expression): try write(try text(of: try evaluate(expression)))
        case .condition(let branches, let otherwise):
            for branch in branches where try evaluate(branch.test).isTrue { return try run(branch.body) }
            return try run(otherwise)
        case .loop(let loop): try run(loop)
        case .set(let target, let expression): try assign(try evaluate(expression), to: target)
        case .setBlock(let name, let body, let filters):
            let text = try captured(body)
            try assign(
                try filters.map { (filters) throws(TemplateError) in try filtered(text, by: filters) } ?? .string(text), to: .name(name))
        case .with(let values, let body):
            var scope: [String: Value] = [:]
            for (target, value) in values { if case .name(let name) = target { scope[name] = try evaluate(value) } }
            scopes.append(scope)
            defer { scopes.removeLast() }
            return try run(body)
        case .filterBlock(let filters, let body):
            let text = try captured(body)
            try write(try self.text(of: try filtered(text, by: filters)))
        case .breakLoop: return .breakLoop
        case .continueLoop: return .continueLoop
        }
        return .next
    }

    /// The output of statements, separately.
    private mutating func captured(_ statements: [Statement]) throws(TemplateError) -> String {
        let before = output
        output = ""
        scopes.append([:])
        _ = try run(statements)
        scopes.removeLast()
        let text = output
        output = before
        return text
    }

    private mutating func filtered(_ text: String, by filters: Expression) throws(TemplateError) -> Value {
        scopes.append([Statement.blockText: .string(text)])
        let value = try evaluate(filters)
        scopes.removeLast()
        return value
    }

    private mutating func run(_ loop: Statement.Loop) throws(TemplateError) {
        var elements = try elements(of: try evaluate(loop.source))
        if let condition = loop.condition {
            var kept: [Value] = []
            for element in elements {
                try chargeRound()
                scopes.append([:])
                try assign(element, to: loop.target)
                if try evaluate(condition).isTrue { kept.append(element) }
                scopes.removeLast()
            }
            elements = kept
        }
        guard !elements.isEmpty else {
            scopes.append([:])
            defer { scopes.removeLast() }
            // A `break` in `else` belongs to the outer loop.
            _ = try run(loop.otherwise)
            return
        }
        for (index, element) in elements.enumerated() {
            try chargeRound()
            let state = Value.LoopState(
                index: index, count: elements.count, depth: 1,
                previous: index > 0 ? elements[index - 1] : .undefined("there is no previous item"),
                following: index + 1 < elements.count ? elements[index + 1] : .undefined("there is no next item"))
            scopes.append(["loop": .loop(state)])
            try assign(element, to: loop.target)
            let flow = try run(loop.body)
            scopes.removeLast()
            if flow == .breakLoop { break }
        }
    }

    private mutating func chargeRound() throws(TemplateError) {
        rounds += 1
        guard rounds <= TemplateLimits.rounds else { throw .limit(.rounds) }
        try charge()
    }

    private mutating func assign(_ value: Value, to target: Statement.Target) throws(TemplateError) {
        switch target {
        case .name(let name):
            if scopes.isEmpty { scopes.append([:]) }
            scopes[scopes.count - 1][name] = value
        case .member(let name, let member):
            guard case .namespace(let place) = try resolveName(name) else {
                throw .value("only a namespace has attributes that can be set")
            }
            namespaces[place][member] = value
        case .tuple(let targets):
            let values = try elements(of: value)
            guard values.count == targets.count else { throw .value("\(values.count) values do not fit \(targets.count) names") }
            for (target, value) in zip(targets, values) { try assign(value, to: target) }
        }
    }

    // MARK: Names

    func resolveName(_ name: String) throws(TemplateError) -> Value {
        if let value = local(name) { return value }
        if let value = try variables.value(of: name) { return value }
        return Self.global(name)
    }

    private func local(_ name: String) -> Value? {
        for scope in scopes.reversed() { if let value = scope[name] { return value } }
        return nil
    }

    private static func global(_ name: String) -> Value {
        if let function = Builtin.functions[name] { return .function(function) }
        return Builtin.constants[name] ?? .undefined("'\(name)' is undefined")
    }

    mutating func makeNamespace(_ members: [String: Value]) -> Value {
        namespaces.append(members)
        return .namespace(namespaces.count - 1)
    }

    func member(_ name: String, ofNamespace place: Int) -> Value? { place < namespaces.count ? namespaces[place][name] : nil }

    /// Follows a path in JSON before it becomes a value, so that a large message costs nothing.
    mutating func follow(_ name: String, _ steps: [Expression.Step]) throws(TemplateError) -> Value {
        var value: Value?
        var rest = steps[...]
        if scopes.isEmpty || local(name) == nil, var json = variables.json(of: name) {
            while let step = rest.first, let next = Self.member(step, of: json) {
                json = next
                rest.removeFirst()
            }
            if let step = rest.first, let missing = Self.missing(step, in: json) {
                value = missing
                rest.removeFirst()
            } else {
                value = try Value(json)
            }
        }
        var result: Value
        if let value { result = value } else { result = try resolveName(name) }
        for step in rest {
            switch step {
            case .attribute(let name): result = try attribute(name, of: result)
            case .key(let key): result = try item(.string(key), of: result)
            case .index(let place): result = try item(.integer(place), of: result)
            }
        }
        return result
    }

    private static func member(_ step: Expression.Step, of json: JSONValue) -> JSONValue? {
        switch (step, json) {
        case (.attribute(let name), .object(let members)):
            return PythonMethods.mappingNames.contains(name) ? nil : members[name]
        case (.key(let name), .object(let members)): return members[name]
        case (.index(let place), .array(let elements)):
            guard elements.indices.contains(place) else { return nil }
            return elements[place]
        default: return nil
        }
    }

    /// Undefined, if a container does not have the member; nil if the step may be a method.
    private static func missing(_ step: Expression.Step, in json: JSONValue) -> Value? {
        switch (step, json) {
        case (.attribute(let name), .object), (.key(let name), .object):
            PythonMethods.mappingNames.contains(name) ? nil : .undefined("'dict object' has no attribute '\(name)'")
        case (.index(let place), .array): .undefined("there is no element \(place)")
        default: nil
        }
    }

    /// The text of a value.
    mutating func text(of value: Value) throws(TemplateError) -> String {
        switch value {
        case .string(let text):
            try charge(for: text)
            return text
        case .sequence, .mapping:
            let text = value.text
            try charge(for: text)
            return text
        default: return value.text
        }
    }
}

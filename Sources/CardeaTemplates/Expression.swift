/// An expression of a template, compiled. A class, so that a tree is copied as one reference.
final class Expression: Sendable {
    enum Kind: Sendable {
        case constant(Value)
        case name(String)
        /// Members of a variable by constant names and indexes, followed without converting the other members.
        case path(String, [Step])
        case attribute(Expression, String)
        case item(Expression, Expression)
        case slice(Expression, Expression?, Expression?, Expression?)
        case call(Expression, Arguments)
        case filter(Expression, Builtin, Arguments)
        case test(Expression, BuiltinTest, Arguments)
        case list([Expression])
        case tuple([Expression])
        case dictionary([(key: Expression, value: Expression)])
        case conditional(test: Expression, then: Expression, otherwise: Expression?)
        case all([Expression])
        case any([Expression])
        case not(Expression)
        case negative(Expression)
        case positive(Expression)
        case arithmetic(Operation, Expression, Expression)
        case comparison(Expression, [(Comparison, Expression)])
        case concatenation([Expression])
        /// A feature that is not supported, where Jinja raises only when it is evaluated.
        case failure(TemplateError)
    }

    enum Step: Hashable, Sendable {
        case attribute(String)
        case key(String)
        case index(Int)
    }

    struct Arguments: Sendable {
        var positional: [Expression] = []
        var keywords: [(name: String, value: Expression)] = []
        var children: [Expression] { positional + keywords.map(\.value) }
    }

    enum Operation: Sendable {
        case add
        case subtract
        case multiply
        case divide
        case floorDivide
        case remainder
        case power
    }

    enum Comparison: Sendable {
        case equal
        case notEqual
        case less
        case lessOrEqual
        case greater
        case greaterOrEqual
        case contained
        case notContained
    }

    let kind: Kind
    /// The height of the tree, bounded because evaluation recurses.
    let height: Int
    let children: [Expression]

    init(_ kind: Kind, over children: [Expression] = []) throws(TemplateError) {
        self.kind = kind
        self.children = children
        height = 1 + (children.lazy.map(\.height).max() ?? 0)
        guard height <= TemplateLimits.height else { throw .limit(.depth) }
    }
}

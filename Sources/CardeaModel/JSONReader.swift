/// Reads JSON (RFC 8259) with what `Builder` makes of it.
///
/// It is on the path of every door command and of every device's state, so it is inlinable: each module compiles it for its own builder.
@usableFromInline package struct JSONReader<Builder: JSONBuilder> {
    @usableFromInline var scanner: JSONScanner

    /// The value of the whole of `bytes`; nil if they are no JSON, nested too deeply, or more than the builder holds.
    @inlinable package static func read(_ bytes: [UInt8]) -> Builder.Value? {
        var reader = JSONReader(bytes)
        guard let value = reader.value(depth: 0), reader.scanner.next() == nil else { return nil }
        return value
    }

    @inlinable init(_ bytes: [UInt8]) {
        scanner = JSONScanner(bytes)
    }

    /// - Parameter depth: how many objects and lists the value is in.
    @inlinable mutating func value(depth: Int) -> Builder.Value? {
        switch scanner.next() {
        case UInt8(ascii: "\""): return scanner.string().map(Builder.string)
        case UInt8(ascii: "{"): return object(depth: depth + 1)
        case UInt8(ascii: "["): return list(depth: depth + 1)
        case UInt8(ascii: "t"): return scanner.consumeWord("true") ? Builder.bool(true) : nil
        case UInt8(ascii: "f"): return scanner.consumeWord("false") ? Builder.bool(false) : nil
        case UInt8(ascii: "n"): return scanner.consumeWord("null") ? Builder.null : nil
        case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): return scanner.number().flatMap(Builder.number)
        default: return nil
        }
    }

    @inlinable mutating func object(depth: Int) -> Builder.Value? {
        guard depth <= Builder.depthLimit, scanner.consume(UInt8(ascii: "{")) else { return nil }
        var members = Builder.noMembers
        if scanner.consume(UInt8(ascii: "}")) { return Builder.object(members) }
        repeat {
            guard scanner.next() == UInt8(ascii: "\""), let name = scanner.string(), scanner.consume(UInt8(ascii: ":")),
                let value = value(depth: depth), Builder.add(value, named: name, to: &members)
            else { return nil }
        } while scanner.consume(UInt8(ascii: ","))
        return scanner.consume(UInt8(ascii: "}")) ? Builder.object(members) : nil
    }

    @inlinable mutating func list(depth: Int) -> Builder.Value? {
        guard depth <= Builder.depthLimit, scanner.consume(UInt8(ascii: "[")) else { return nil }
        var elements: [Builder.Value] = []
        if scanner.consume(UInt8(ascii: "]")) { return Builder.list(elements) }
        repeat {
            guard let value = value(depth: depth) else { return nil }
            elements.append(value)
        } while scanner.consume(UInt8(ascii: ","))
        return scanner.consume(UInt8(ascii: "]")) ? Builder.list(elements) : nil
    }
}

/// Writes the body of a D-Bus message, little-endian and each value aligned to its size, as the specification requires.
struct DBusWriter {
    private(set) var bytes: [UInt8] = []

    mutating func align(_ size: Int) {
        while bytes.count % size != 0 { bytes.append(0) }
    }

    mutating func byte(_ value: UInt8) { bytes.append(value) }

    mutating func uint32(_ value: Int) {
        align(4)
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: value).littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func boolean(_ value: Bool) { uint32(value ? 1 : 0) }

    /// A string, or the path of an object.
    mutating func string(_ value: String) {
        uint32(value.utf8.count)
        bytes.append(contentsOf: value.utf8)
        byte(0)
    }

    mutating func signature(_ value: String) {
        byte(UInt8(truncatingIfNeeded: value.utf8.count))
        bytes.append(contentsOf: value.utf8)
        byte(0)
    }

    mutating func variant(_ type: String, _ value: (inout DBusWriter) -> Void) {
        signature(type)
        value(&self)
    }

    /// - Parameter size: what each element is aligned to: 8 for structs and the entries of a dictionary.
    mutating func array(alignedTo size: Int, _ elements: (inout DBusWriter) -> Void) {
        uint32(0)
        let afterLength = bytes.count
        align(size)
        let start = bytes.count
        elements(&self)
        var length = DBusWriter()
        length.uint32(bytes.count - start)
        bytes.replaceSubrange(afterLength - 4..<afterLength, with: length.bytes)
    }

    mutating func data(_ value: some Sequence<UInt8>) {
        array(alignedTo: 1) { $0.bytes.append(contentsOf: value) }
    }

    /// A dictionary from strings to strings.
    mutating func strings(_ values: [(String, String)]) {
        array(alignedTo: 8) { writer in
            for (key, value) in values {
                writer.align(8)
                writer.string(key)
                writer.string(value)
            }
        }
    }
}

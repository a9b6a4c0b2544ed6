import CQRencode

/// A QR code as a square of modules, ready to be drawn.
public struct QRCode: Hashable, Sendable {
    /// Modules along one side, without the quiet zone.
    public let size: Int
    private let modules: [Bool]

    /// Light modules around the code, without which readers do not find it (ISO/IEC 18004 asks for four).
    public static let margin = 4

    /// The reason why a text has no code.
    public enum QRCodeError: Error, Hashable, Sendable {
        case empty
        /// More than the largest code holds: 2 331 bytes at this level of correction.
        case tooLong
    }

    /// The smallest code that holds `text`, which stays readable with 15 % of it lost.
    public init(_ text: String) throws(QRCodeError) {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty else { throw .empty }
        guard bytes.count <= 2331, let code = QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_M) else { throw .tooLong }
        defer { QRcode_free(code) }
        let side = Int(code.pointee.width)
        guard side > 0, let data = code.pointee.data else { throw .tooLong }
        size = side
        // The lowest bit is the colour; the others are the module's type.
        modules = UnsafeBufferPointer(start: data, count: side * side).map { $0 & 1 == 1 }
    }

    /// Returns true if the module at `column`, `row` is dark. Everything around the code is light.
    public subscript(column: Int, row: Int) -> Bool {
        guard (0..<size).contains(column), (0..<size).contains(row) else { return false }
        return modules[row * size + column]
    }
}

import CardeaModel

/// A small grey picture, a byte for each place, line by line.
struct GreyFrame: Hashable, Sendable {
    static let width = 160
    static let height = 90
    static let size = width * height

    let pixels: [UInt8]

    init?(_ pixels: [UInt8]) {
        guard pixels.count == Self.size else { return nil }
        self.pixels = pixels
    }
}

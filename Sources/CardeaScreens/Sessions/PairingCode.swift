import CardeaSecurity

/// Six digits, as they are typed or pasted: `123456`, `123 456`.
public struct PairingCode: Hashable, Sendable {
    public static let length = 6

    public let digits: String

    /// Keeps 0 to 9, and no more than six of them. Full-width digits are 0 to 9 too; those of other scripts are no digits here: the house
    /// compares with 0 to 9.
    public init(_ typed: String) {
        digits = String(PastedText.visible(typed).filter { $0.isASCII && $0.isNumber }.prefix(Self.length))
    }

    /// As it is read: `123 456`.
    public var formatted: String {
        digits.count > 3 ? "\(digits.prefix(3)) \(digits.dropFirst(3))" : digits
    }

    public var isComplete: Bool { digits.count == Self.length }
}

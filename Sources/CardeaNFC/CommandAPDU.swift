/// What a card is asked (ISO/IEC 7816-4), in the short form.
public struct CommandAPDU: Hashable, Sendable {
    public let header: [UInt8]
    public let data: [UInt8]
    /// How many octets are wanted back, 1 to 256; nil where none are.
    public let expectedLength: Int?

    /// - Parameters:
    ///   - data: up to 255 octets; what goes beyond is refused by the card, and is a mistake of whoever asks.
    ///   - wanted: 1 to 256.
    public init(
        _ cla: UInt8, _ ins: UInt8, _ p1: UInt8 = 0, _ p2: UInt8 = 0, data: [UInt8] = [], wanted: Int? = nil
    ) {
        precondition(data.count <= 255 && wanted.map((1...256).contains) ?? true, "no short APDU")
        header = [cla, ins, p1, p2]
        self.data = data
        self.expectedLength = wanted
    }

    public var octets: [UInt8] {
        var octets = header
        if !data.isEmpty { octets += [UInt8(truncatingIfNeeded: data.count)] + data }
        // 256 is written as 0.
        if let expectedLength { octets.append(UInt8(truncatingIfNeeded: expectedLength)) }
        return octets
    }
}

/// What a card answers.
public struct ResponseAPDU: Hashable, Sendable {
    public let data: [UInt8]
    /// SW1 and SW2; `0x9000` is yes.
    public let status: UInt16

    public init(data: [UInt8] = [], status: UInt16) {
        self.data = data
        self.status = status
    }

    /// - Returns: nil where there is not even a status.
    public init?(_ octets: [UInt8]) {
        guard octets.count >= 2 else { return nil }
        data = Array(octets.dropLast(2))
        status = octets.suffix(2).reduce(0) { $0 << 8 | UInt16($1) }
    }

    public var isSuccess: Bool { status == 0x9000 }
}

/// A card that lies on a reader. What goes wrong between the two is thrown as whoever fills this has it.
public protocol CardChannel: Sendable {
    /// Asks once, and says what the card answered.
    func exchange(_ command: CommandAPDU) async throws -> ResponseAPDU
}

extension CardChannel {
    /// What the card answers to what it has to say yes to.
    func exchangeExpectingSuccess(_ command: CommandAPDU, for what: NFCTagError.Step) async throws -> [UInt8] {
        let answer = try await exchange(command)
        guard answer.isSuccess else { throw NFCTagError.refused(what, status: answer.status) }
        return answer.data
    }
}

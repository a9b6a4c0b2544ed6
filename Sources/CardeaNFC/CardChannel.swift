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

/// A card on a reader. Errors between the two are thrown in the implementation's own type.
public protocol CardChannel: Sendable {
    /// Sends a command once and returns the card's answer.
    func exchange(_ command: CommandAPDU) async throws -> ResponseAPDU
}

extension CardChannel {
    /// Returns the card's data. Throws if the card does not report success.
    func exchangeExpectingSuccess(_ command: CommandAPDU, for what: NFCTagError.Step) async throws -> [UInt8] {
        let answer = try await exchange(command)
        guard answer.isSuccess else { throw NFCTagError.refused(what, status: answer.status) }
        return answer.data
    }
}

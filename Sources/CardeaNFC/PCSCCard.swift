import Synchronization

#if canImport(Darwin)
    import PCSC
#else
    import CPCSC
#endif

/// A card on a reader, locked against other programs meanwhile.
public final class PCSCCard: CardChannel, @unchecked Sendable {
    public let reader: String
    /// The answer to reset (ATR) of the card, as the reader reports it.
    public let atr: [UInt8]
    private let readers: PCSCReaders
    private let handle: SCARDHANDLE
    private let activeProtocol: PCSC.Word
    private let isRemoved = Atomic(false)

    /// Called on the readers' queue.
    init(on reader: String, _ context: SCARDCONTEXT, of readers: PCSCReaders) throws(PCSCError) {
        var handle = SCARDHANDLE()
        var way = PCSC.Word(0)
        try PCSC.check(SCardConnect(context, reader, PCSC.shareShared, PCSC.protocolT0 | PCSC.protocolT1, &handle, &way))
        do throws(PCSCError) {
            // Ends with the connection.
            try PCSC.check(SCardBeginTransaction(handle))
            atr = try Self.atr(handle)
        } catch {
            _ = SCardDisconnect(handle, PCSC.leaveCard)
            throw error
        }
        (self.reader, self.readers, self.handle, self.activeProtocol) = (reader, readers, handle, way)
    }

    /// Resets the card's selection and authentication. A removed card is not reset: that would hide from pcscd that another has come in its
    /// place.
    func disconnect() async {
        let how = isRemoved.load(ordering: .relaxed) ? PCSC.leaveCard : PCSC.resetCard
        _ = try? await readers.run { [handle] in SCardDisconnect(handle, how) }
    }

    public func exchange(_ command: CommandAPDU) async throws -> ResponseAPDU {
        do {
            return try await readers.run { [self] in try response(to: command) }
        } catch PCSCError.cardRemoved {
            isRemoved.store(true, ordering: .relaxed)
            throw PCSCError.cardRemoved
        }
    }

    private func response(to command: CommandAPDU) throws(PCSCError) -> ResponseAPDU {
        let answer = try transmit(encoded(command))
        switch answer.status >> 8 {
        // With T=0, the rest of the answer is fetched, or requested again with the length that the card names.
        case 0x61: return try remainingResponse(answer)
        case 0x6C:
            let length = Int(answer.status & 0xFF)
            return try transmit(command.withExpectedLength(length == 0 ? 256 : length).octets)
        default: return answer
        }
    }

    /// With T=0 a command with data does not state its expected answer length.
    private func encoded(_ command: CommandAPDU) -> [UInt8] {
        activeProtocol == PCSC.protocolT0 && !command.data.isEmpty && command.expectedLength != nil
            ? Array(command.octets.dropLast()) : command.octets
    }

    private func remainingResponse(_ first: ResponseAPDU) throws(PCSCError) -> ResponseAPDU {
        var (data, status) = (first.data, first.status)
        // A card that announces more data without end is broken.
        for _ in 0..<64 where status >> 8 == 0x61 {
            let length = Int(status & 0xFF)
            let more = try transmit(CommandAPDU(0x00, 0xC0, wanted: length == 0 ? 256 : length).octets)
            data += more.data
            status = more.status
        }
        return ResponseAPDU(data: data, status: status)
    }

    private func transmit(_ octets: [UInt8]) throws(PCSCError) -> ResponseAPDU {
        var request = SCARD_IO_REQUEST()
        request.dwProtocol = activeProtocol
        request.cbPciLength = PCSC.Word(MemoryLayout<SCARD_IO_REQUEST>.size)
        var answer = [UInt8](repeating: 0, count: 258)
        var count = PCSC.Word(answer.count)
        try PCSC.check(SCardTransmit(handle, &request, octets, PCSC.Word(octets.count), nil, &answer, &count))
        // Some readers report a removed card only by an empty answer.
        guard let response = ResponseAPDU(Array(answer.prefix(Int(count)))) else { throw .cardRemoved }
        return response
    }

    private static func atr(_ handle: SCARDHANDLE) throws(PCSCError) -> [UInt8] {
        var atr = [UInt8](repeating: 0, count: 33)
        var count = PCSC.Word(atr.count)
        var (state, way, nameCount) = (PCSC.Word(0), PCSC.Word(0), PCSC.Word(0))
        try PCSC.check(SCardStatus(handle, nil, &nameCount, &state, &way, &atr, &count))
        return Array(atr.prefix(Int(count)))
    }
}

extension CommandAPDU {
    fileprivate func withExpectedLength(_ count: Int) -> CommandAPDU {
        CommandAPDU(header[0], header[1], header[2], header[3], data: data, wanted: count)
    }
}

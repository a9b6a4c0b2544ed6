import ArgumentParser
import CardeaNFC
import CardeaSecurity

/// Options for the reader at which a tag is awaited.
struct ReaderOptions: ParsableArguments {
    @Option(help: "The reader, by its name or a part of it. Default: the reader with a tag on it.")
    var reader: String?
    @Option(help: ArgumentHelp("Seconds to wait for a tag, 0 to 3600.", valueName: "seconds"))
    var wait: Int = 30

    func validate() throws {
        guard (0...3600).contains(wait) else { throw ValidationError("--wait needs 0 to 3600 seconds.") }
    }

    /// Waits for a tag and detects its type.
    func withTag<Answer>(_ output: Output, _ work: (PresentedTag) async throws -> Answer) async throws -> Answer {
        try await withCard(output) { card in
            try await work(PresentedTag(tag: try await NFCTag(on: card, atr: card.atr), uid: try? await NFCTag.uid(on: card)))
        }
    }

    func withCard<Answer>(_ output: Output, _ work: (PCSCCard) async throws -> Answer) async throws -> Answer {
        try await PCSCReaders.withCard(
            on: reader, timeout: .seconds(wait), isAlone: { output.note("Lay the tag on the reader.") }, work)
    }
}

/// A tag on the reader.
struct PresentedTag {
    let tag: NFCTag
    /// The number from the factory; nil if the reader does not report it.
    let uid: [UInt8]?

    var uidText: String? { uid.map { Hexadecimal.encode($0).uppercased() } }
}

extension CommandLineError {
    init(_ problem: PCSCError) {
        let code =
            switch problem {
            case .noService: "no_reader_service"
            case .accessDenied: "reader_not_allowed"
            case .noReader: "no_reader"
            case .unknownReader: "usage"
            case .noCard: "no_card"
            case .multipleCards: "usage"
            case .cardRemoved: "card_removed"
            case .unresponsiveCard: "card_mute"
            case .busy: "card_busy"
            case .other: "reader_failed"
            }
        self.init(status: code == "usage" ? .usage : .refused, code: code, message: problem.description)
    }

    init(_ problem: NFCTagError) {
        let code =
            switch problem {
            case .unsuitable: "tag_unsuitable"
            case .malformed: "tag_malformed"
            case .readOnly: "tag_read_only"
            case .unknownLock: "tag_lock_unknown"
            case .tooSmall: "tag_too_small"
            case .refused: "tag_refused"
            case .verificationFailed: "tag_not_read_back"
            }
        self = .refused(code, problem.description)
    }
}

#if canImport(CoreNFC) && os(iOS)
    import CardeaSecurity
    import CoreNFC
    import Synchronization

    /// An iPhone's reader. Needs `NFCReaderUsageDescription` in Info.plist and the entitlement
    /// `com.apple.developer.nfc.readersession.formats` with `TAG`.
    public struct CoreNFCTagWriter: TagWriter {
        public static var isAvailable: Bool { NFCNDEFReaderSession.readingAvailable }

        public init() {}

        public func write(_ link: Secret, asking words: String) async throws(TagWritingError) -> String {
            let outcome: Result<String, TagWritingError> = await withCheckedContinuation { continuation in
                let delegate = ReaderDelegate(link: link) { continuation.resume(returning: $0) }
                let session = NFCNDEFReaderSession(delegate: delegate, queue: nil, invalidateAfterFirstRead: false)
                session.alertMessage = words
                delegate.keepAlive(session)
                session.begin()
            }
            return try outcome.get()
        }

        /// Lives as long as its session, and answers once.
        private final class ReaderDelegate: NSObject, NFCNDEFReaderSessionDelegate, @unchecked Sendable {
            private let link: Secret
            private let answer: Mutex<((Result<String, TagWritingError>) -> Void)?>
            private let session = Mutex<NFCNDEFReaderSession?>(nil)
            /// A session does not hold its delegate, so it holds itself until it has answered.
            private let me = Mutex<ReaderDelegate?>(nil)

            init(link: Secret, answer: @escaping @Sendable (Result<String, TagWritingError>) -> Void) {
                self.link = link
                self.answer = Mutex(answer)
            }

            func keepAlive(_ session: NFCNDEFReaderSession) {
                self.session.withLock { $0 = session }
                me.withLock { $0 = self }
            }

            private func complete(_ result: Result<String, TagWritingError>) {
                let answer = answer.withLock { answer in
                    defer { answer = nil }
                    return answer
                }
                answer?(result)
                session.withLock { $0 = nil }
                me.withLock { $0 = nil }
            }

            func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: any Error) {
                let code = (error as? NFCReaderError)?.code
                complete(.failure(code == .readerSessionInvalidationErrorUserCanceled ? .cancelled : .reader(error.localizedDescription)))
            }

            func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage]) {
                // Handled in `readerSession(_:didDetect:)`, where tags can be written.
            }

            func readerSession(_ session: NFCNDEFReaderSession, didDetect tags: [any NFCNDEFTag]) {
                guard let tag = tags.first, tags.count == 1 else { return finish(session, .failure(.lost)) }
                Task { finish(session, await write(on: tag, session)) }
            }

            private func write(on tag: any NFCNDEFTag, _ session: NFCNDEFReaderSession) async -> Result<String, TagWritingError> {
                do {
                    try await session.connect(to: tag)
                    let (status, capacity) = try await tag.queryNDEFStatus()
                    guard status == .readWrite, let record = NFCNDEFPayload.wellKnownTypeURIPayload(string: link.reveal()) else {
                        return .failure(.readOnly)
                    }
                    let message = NFCNDEFMessage(records: [record])
                    guard message.length <= capacity else { return .failure(.tooSmall(capacity: capacity)) }
                    try await tag.writeNDEF(message)
                    let existing = try await tag.readNDEF().records.first?.wellKnownTypeURIPayload()?.absoluteString
                    return existing.map { .success($0) } ?? .failure(.notReadBack)
                } catch {
                    return .failure(.lost)
                }
            }

            private func finish(_ session: NFCNDEFReaderSession, _ result: Result<String, TagWritingError>) {
                switch result {
                case .success: session.alertMessage = TagConfiguration.done
                case .failure(let failure): session.invalidate(errorMessage: failure.words ?? "")
                }
                complete(result)
                if case .success = result { session.invalidate() }
            }
        }
    }
#endif

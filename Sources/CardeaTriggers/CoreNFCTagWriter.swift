#if canImport(CoreNFC) && os(iOS)
    import CardeaSecurity
    import CoreNFC
    import Synchronization

    /// An iPhone's reader. Needs `NFCReaderUsageDescription` in Info.plist and the entitlement `com.apple.developer.nfc.readersession.formats` with `TAG`.
    public struct CoreNFCTagWriter: TagWriter {
        public static var isAvailable: Bool { NFCNDEFReaderSession.readingAvailable }

        public init() {}

        public func write(_ link: Secret, asking words: String) async throws(TagWritingFailure) -> String {
            let outcome: Result<String, TagWritingFailure> = await withCheckedContinuation { continuation in
                let desk = Desk(link: link) { continuation.resume(returning: $0) }
                let session = NFCNDEFReaderSession(delegate: desk, queue: nil, invalidateAfterFirstRead: false)
                session.alertMessage = words
                desk.hold(session)
                session.begin()
            }
            return try outcome.get()
        }

        /// Lives as long as its session, and answers once.
        private final class Desk: NSObject, NFCNDEFReaderSessionDelegate, @unchecked Sendable {
            private let link: Secret
            private let answer: Mutex<((Result<String, TagWritingFailure>) -> Void)?>
            private let session = Mutex<NFCNDEFReaderSession?>(nil)
            /// A session does not hold its delegate, so it holds itself until it has answered.
            private let me = Mutex<Desk?>(nil)

            init(link: Secret, answer: @escaping @Sendable (Result<String, TagWritingFailure>) -> Void) {
                self.link = link
                self.answer = Mutex(answer)
            }

            func hold(_ session: NFCNDEFReaderSession) {
                self.session.withLock { $0 = session }
                me.withLock { $0 = self }
            }

            private func settle(_ result: Result<String, TagWritingFailure>) {
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
                settle(.failure(code == .readerSessionInvalidationErrorUserCanceled ? .cancelled : .reader(error.localizedDescription)))
            }

            func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage]) {
                // Tags are taken below, where they can be written.
            }

            func readerSession(_ session: NFCNDEFReaderSession, didDetect tags: [any NFCNDEFTag]) {
                guard let tag = tags.first, tags.count == 1 else { return finish(session, .failure(.lost)) }
                Task { finish(session, await write(on: tag, session)) }
            }

            private func write(on tag: any NFCNDEFTag, _ session: NFCNDEFReaderSession) async -> Result<String, TagWritingFailure> {
                do {
                    try await session.connect(to: tag)
                    let (status, capacity) = try await tag.queryNDEFStatus()
                    guard status == .readWrite, let record = NFCNDEFPayload.wellKnownTypeURIPayload(string: link.reveal()) else {
                        return .failure(.readOnly)
                    }
                    let message = NFCNDEFMessage(records: [record])
                    guard message.length <= capacity else { return .failure(.tooSmall(capacity: capacity)) }
                    try await tag.writeNDEF(message)
                    let said = try await tag.readNDEF().records.first?.wellKnownTypeURIPayload()?.absoluteString
                    return said.map { .success($0) } ?? .failure(.notReadBack)
                } catch {
                    return .failure(.lost)
                }
            }

            private func finish(_ session: NFCNDEFReaderSession, _ result: Result<String, TagWritingFailure>) {
                switch result {
                case .success: session.alertMessage = TagConfiguration.done
                case .failure(let failure): session.invalidate(errorMessage: failure.words ?? "")
                }
                settle(result)
                if case .success = result { session.invalidate() }
            }
        }
    }
#endif

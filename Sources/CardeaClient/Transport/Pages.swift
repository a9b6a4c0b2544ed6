/// All that there is, asked for page by page as it is read.
///
///     for try await entry in client.access.entries() { … }
///
/// Who stops reading stops asking.
public struct Pages<Element: Sendable>: AsyncSequence, Sendable {
    /// Asks for the page at a place, nil for the first, and says where the next one is, nil after the last.
    typealias Ask = @Sendable (_ place: Int?) async throws(ClientError) -> (elements: [Element], next: Int?)

    private let ask: Ask

    init(_ ask: @escaping Ask) {
        self.ask = ask
    }

    public func makeAsyncIterator() -> Iterator { Iterator(ask) }

    public struct Iterator: AsyncIteratorProtocol {
        private let ask: Ask
        private var page: ArraySlice<Element> = []
        private var place: Int?
        private var isOver = false

        init(_ ask: @escaping Ask) {
            self.ask = ask
        }

        /// - Throws: `ClientError`, of the page that is needed next.
        public mutating func next() async throws -> Element? {
            while page.isEmpty, !isOver {
                let answer = try await ask(place)
                page = answer.elements[...]
                place = answer.next
                isOver = answer.next == nil
            }
            return page.popFirst()
        }
    }
}

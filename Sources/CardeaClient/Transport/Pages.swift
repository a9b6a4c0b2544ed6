/// All that there is, asked for page by page as it is read.
///
///     for try await entry in client.access.entries() { … }
///
/// Who stops reading stops asking.
public struct Pages<Element: Sendable>: AsyncSequence, Sendable {
    /// Asks for the page at a place, nil for the first, and says where the next one is, nil after the last.
    typealias FetchPage = @Sendable (_ place: Int?) async throws(ClientError) -> (elements: [Element], next: Int?)

    private let fetchPage: FetchPage

    init(_ ask: @escaping FetchPage) {
        self.fetchPage = ask
    }

    public func makeAsyncIterator() -> Iterator { Iterator(fetchPage) }

    public struct Iterator: AsyncIteratorProtocol {
        private let fetchPage: FetchPage
        private var page: ArraySlice<Element> = []
        private var place: Int?
        private var isOver = false

        init(_ ask: @escaping FetchPage) {
            self.fetchPage = ask
        }

        /// - Throws: `ClientError`, of the page that is needed next.
        public mutating func next() async throws -> Element? {
            while page.isEmpty, !isOver {
                let answer = try await fetchPage(place)
                page = answer.elements[...]
                place = answer.next
                isOver = answer.next == nil
            }
            return page.popFirst()
        }
    }
}

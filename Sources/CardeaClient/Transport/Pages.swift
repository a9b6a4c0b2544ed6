/// All elements of a list, requested page by page while they are read.
///
///     for try await entry in client.access.entries() { … }
///
/// No further page is requested once the caller stops reading.
public struct Pages<Element: Sendable>: AsyncSequence, Sendable {
    /// Requests the page at a place, nil for the first, and returns the place of the next one, nil after the last.
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

        /// - Throws: `ClientError` of the next page.
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

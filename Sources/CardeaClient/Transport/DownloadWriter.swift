import CardeaSecurity
import Foundation

/// One download into a file: the received length, and the tag for requesting the rest after a lost connection (RFC 9110, sections 13.1.5
/// and 14.2).
actor DownloadWriter {
    private let draft: PrivateFile.TemporaryFile
    private let limit: Int64
    private let progress: @Sendable (TransferProgress) -> Void
    private(set) var written: Int64 = 0
    private var total: Int64?
    private var tag: String?
    private var head: (status: Int, headers: [String: String]) = (0, [:])
    /// The body of an error response that arrives in place of the file.
    private var errorBody = Data()

    init(into draft: PrivateFile.TemporaryFile, limit: Int64, progress: @escaping @Sendable (TransferProgress) -> Void) {
        self.draft = draft
        self.limit = limit
        self.progress = progress
    }

    /// Header fields that request the remaining bytes; empty unless an entity tag shows that they belong to the same version.
    func rangeHeaders() -> [String: String] {
        guard written > 0, let tag else { return [:] }
        return ["range": "bytes=\(written)-", "if-range": tag]
    }

    func receive(_ part: ResponsePart) throws(ClientError) {
        switch part {
        case .head(let status, let headers): try receiveHead(status, headers)
        case .body(let bytes): try receive(bytes)
        }
    }

    private func receiveHead(_ status: Int, _ headers: [String: String]) throws(ClientError) {
        (head, errorBody) = ((status, headers), Data())
        switch status {
        case 200:
            if written > 0 { try restart() }
            total = headers["content-length"].flatMap { Int64($0) }
            // A weak tag means that two bodies are equivalent, not that they are equal byte for byte.
            tag = headers["etag"].flatMap { $0.hasPrefix("\"") ? $0 : nil }
        case 206:
            guard let range = ContentRange(headers["content-range"] ?? ""), range.first == written, written > 0 else {
                throw .invalidResponse("it sent a different range than requested")
            }
            total = range.total ?? total
        case 416: try restart()
        case 300...399: throw .invalidResponse("it redirects to another address, which is not followed")
        default: break
        }
        if let total, total > limit, (200...299).contains(status) { throw tooLarge }
    }

    private func receive(_ bytes: Data) throws(ClientError) {
        guard (200...299).contains(head.status) else {
            errorBody.append(bytes.prefix(max(0, 64 * 1024 - errorBody.count)))
            return
        }
        guard Int64(bytes.count) <= limit - written else { throw tooLarge }
        do { try draft.append(bytes) } catch { throw ClientError(error) }
        written += Int64(bytes.count)
        progress(TransferProgress(bytes: written, total: total))
    }

    private func restart() throws(ClientError) {
        do { try draft.restart() } catch { throw ClientError(error) }
        (written, total, tag) = (0, nil, nil)
    }

    /// The answer; a requested body is in the file.
    func response() throws(TransportError) -> TransportResponse {
        if (200...299).contains(head.status), let total, written != total { throw .interrupted }
        return TransportResponse(status: head.status, headers: head.headers, body: errorBody)
    }

    private var tooLarge: ClientError { .invalidResponse("the answer is larger than \(limit) bytes") }
}

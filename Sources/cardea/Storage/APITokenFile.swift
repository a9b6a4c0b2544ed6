import CardeaClient
import CardeaSecurity
import Foundation

/// A program's token, from a file that only its owner may read. It is never renewed: when it ends, it ends.
struct APITokenFile: SessionStore {
    private let token: Secret

    init(path: String) throws {
        let bytes: Data?
        do throws(PrivateFile.FileError) {
            bytes = try PrivateFile(URL(fileURLWithPath: path)).read(upTo: 512)
        } catch {
            throw ClientError(error)
        }
        guard let bytes else { throw ClientError.storage("The file \(path) does not exist.") }
        let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty, !text.contains(where: \.isWhitespace) else { throw ClientError.storage("The file \(path) contains no token.") }
        token = Secret(text)
    }

    func load() async throws -> Session? {
        Session(accessToken: token, refreshToken: Secret(""), expiresAt: .distantFuture)
    }

    func update<Result: Sendable>(_ change: @Sendable (inout Session?) async throws -> Result) async throws -> Result {
        // A token cannot be renewed, so the error is that of a refused renewal.
        throw ClientError.unauthorized
    }
}

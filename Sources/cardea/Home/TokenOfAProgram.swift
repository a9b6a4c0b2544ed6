import CardeaClient
import CardeaSecurity
import Foundation

/// A program's token, from a file that only its owner may read. It is never renewed: when it ends, it ends.
struct TokenOfAProgram: SessionStore {
    private let token: Secret

    init(path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw ClientError.storage("\(path) cannot be read: \(TokenFile.reason()).") }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var about = stat()
        guard fstat(descriptor, &about) == 0, about.st_mode & 0o077 == 0 else {
            throw ClientError.storage("\(path) may be read by others. Run: chmod 600 \(path)")
        }
        let text = String(decoding: try handle.read(upToCount: 512) ?? Data(), as: UTF8.self).trimmingCharacters(
            in: .whitespacesAndNewlines)
        guard !text.isEmpty, !text.contains(where: \.isWhitespace) else { throw ClientError.storage("\(path) holds no token.") }
        token = Secret(text)
    }

    func load() async throws -> Session? {
        Session(accessToken: token, refreshToken: Secret(""), expiresAt: .distantFuture)
    }

    func update<Result: Sendable>(_ change: @Sendable (inout Session?) async throws -> Result) async throws -> Result {
        // There is nothing to renew it with, so whoever asks is told what a refused renewal would have said.
        throw ClientError.unauthorized
    }
}

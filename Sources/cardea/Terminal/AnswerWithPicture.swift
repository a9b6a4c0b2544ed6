import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity
import CardeaSync
import Foundation

/// A query result with the path of its picture file.
struct AnswerWithPicture<Answer: Encodable & Sendable>: Encodable, Sendable {
    let look: QueryResult<Answer>
    let file: String?

    func encode(to encoder: any Encoder) throws {
        try look.encode(to: encoder)
        guard let file else { return }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(file, forKey: .pictureFile)
    }

    private enum CodingKeys: String, CodingKey {
        case pictureFile = "picture_file"
    }
}

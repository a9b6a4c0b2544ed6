import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync
import Foundation

/// The same of several.
struct QueuedAnswers: Encodable {
    let queued: [QueueEntryAnswer]
}

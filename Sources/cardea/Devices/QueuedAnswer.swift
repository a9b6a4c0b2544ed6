import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync
import Foundation

/// What `--json` prints of something that waits here for the house.
struct QueuedAnswer: Encodable {
    let queued: QueueEntryAnswer
}

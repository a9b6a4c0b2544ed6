import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync
import Foundation

/// The `--json` output for an operation that is queued for the house.
struct QueuedAnswer: Encodable {
    let queued: QueueEntryAnswer
}

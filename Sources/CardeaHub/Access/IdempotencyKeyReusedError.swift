import CardeaModel
import CardeaSecurity
import CardeaStore
import Crypto
import Foundation
import GRDB

/// The idempotency key was used before for another request.
public struct IdempotencyKeyReusedError: Error {}

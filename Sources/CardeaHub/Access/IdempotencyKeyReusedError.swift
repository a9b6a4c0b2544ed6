import CardeaModel
import CardeaSecurity
import CardeaStore
import Crypto
import Foundation
import GRDB

/// The name was used before for something else.
public struct IdempotencyKeyReusedError: Error {}

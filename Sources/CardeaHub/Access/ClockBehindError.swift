import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Logging
import ServiceLifecycle
import Synchronization

/// The clock is behind a moment that has been: what runs out by it is not taken.
public struct ClockBehindError: Error {}

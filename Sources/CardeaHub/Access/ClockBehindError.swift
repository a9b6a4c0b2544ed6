import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Logging
import ServiceLifecycle
import Synchronization

/// The clock is behind an earlier known time, so credentials that expire are not accepted.
public struct ClockBehindError: Error {}

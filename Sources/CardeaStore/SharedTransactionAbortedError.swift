import GRDB
import Synchronization

/// The transaction that several writers shared was ended by SQLite, as on a full disk. Nothing of it stays.
public struct SharedTransactionAbortedError: Error {}

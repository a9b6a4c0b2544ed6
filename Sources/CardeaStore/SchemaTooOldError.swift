import Foundation
import GRDB

/// The database was written by an older hub, and a check must not migrate it: that hub could then not open it any more.
public struct SchemaTooOldError: Error, CustomStringConvertible {
    public var description: String {
        """
        This house was last served by an older Cardea, and this version would have to change its database to look at it; nothing was \
        changed. Look at it with the version that served it, or serve it once with this one: the house, or a copy of its folder where it is \
        to stay as it is.
        """
    }
}

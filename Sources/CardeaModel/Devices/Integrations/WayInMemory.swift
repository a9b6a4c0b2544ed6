import Foundation

/// The house's memory of an entity that is or was a way in, or that shares a topic with one.
///
/// Once a way in, it remains one: no announcement changes that. If it is announced with commands that the household does not know, only
/// residents may open it. A person who may change settings confirms that it is the same door, or that it is no way in.
public struct WayInMemory: Hashable, Sendable {
    /// A way in on whose topics another entity was announced.
    public struct Holder: Hashable, Sendable {
        public let entityID: String
        /// It is a security device, or was one.
        public let isSecurity: Bool

        public init(entityID: String, isSecurity: Bool) {
            self.entityID = entityID
            self.isSecurity = isSecurity
        }
    }

    /// It is or was a way in by itself: by its kind, its class or the household's decision. False for an entity that only shares a topic
    /// with one.
    public private(set) var isOwn: Bool
    /// It is a security device, was one, or shares a topic with one.
    public private(set) var isSecurity: Bool
    /// The way in on whose topic it was announced later.
    public private(set) var shares: String?
    /// A person confirmed that it is no way in, with its wiring since then.
    public private(set) var isReleased = false
    /// As the household knows it; nil until its integration has reported it.
    public private(set) var wiring: EntityCommandTopics?
    /// As it is announced, if that is otherwise.
    public private(set) var announced: EntityCommandTopics?

    public init(
        isOwn: Bool, isSecurity: Bool, shares: String? = nil, isReleased: Bool = false, wiring: EntityCommandTopics?,
        announced: EntityCommandTopics? = nil
    ) {
        self.isOwn = isOwn
        self.isSecurity = isSecurity
        self.shares = shares
        self.isReleased = isReleased
        self.wiring = wiring
        self.announced = announced
    }

    /// An entity found to be a way in, or to share a topic with `holder`; nil for any other.
    public init?(isOwn: Bool, isSecurity: Bool, wiring: EntityCommandTopics?, holder: Holder?) {
        guard isOwn || holder != nil else { return nil }
        self.init(isOwn: isOwn, isSecurity: isSecurity || holder?.isSecurity == true, shares: holder?.entityID, wiring: wiring)
    }

    /// Records another announcement.
    ///
    /// - Parameters:
    ///   - isOwn: it is a way in by itself, as announced.
    ///   - isSecurity: its device is a security device.
    ///   - holder: the way in on whose topics it is announced; needed only if these differ from before.
    public mutating func update(
        _ new: EntityCommandTopics?, isOwn: Bool, isSecurity: Bool, holder: () throws -> Holder?
    ) rethrows {
        // An entity that is a way in by itself again loses its release.
        if isOwn { (self.isOwn, isReleased) = (true, false) }
        if isSecurity { self.isSecurity = true }
        guard let new else { return }
        guard let wiring else { return self.wiring = new }
        guard new != wiring else { return announced = nil }
        guard new != announced else { return }
        announced = new
        isReleased = false
        guard let holder = try holder() else { return }
        shares = holder.entityID
        if holder.isSecurity { self.isSecurity = true }
    }

    /// A person says that it is the door that it was: open again to guests and tags, as it is announced now.
    public mutating func confirm() {
        normalize()
        isOwn = true
        isReleased = false
        shares = nil
    }

    /// A person says that it is no way in, as it is announced now.
    public mutating func release() {
        normalize()
        isReleased = true
    }

    /// A person says that it opens a way in.
    public mutating func mark() {
        isOwn = true
        isReleased = false
    }

    /// The way in whose topic it shares, or its own device, became a security device.
    public mutating func markSecurity() { isSecurity = true }

    /// It takes the place of another one, or is the same after all: what held for either holds for it.
    ///
    /// - Parameter isCurrent: the other one is announced, and it is not: it is told to open as that one is.
    public mutating func inherit(of other: WayInMemory, called id: String, isCurrent: Bool) {
        if other.isOwn { isOwn = true }
        if other.isSecurity { isSecurity = true }
        isReleased = isReleased && other.isReleased
        if isCurrent { (wiring, announced) = (other.wiring, other.announced) }
        if shares == id { shares = nil }
    }

    private mutating func normalize() {
        wiring = announced ?? wiring
        announced = nil
    }

    /// Its topics are kept for it: whatever else is announced there becomes a way in too.
    public var holdsTopics: Bool { isOwn && !isReleased }

    /// All its command topics, known and announced.
    public var topics: [String] { Set((wiring?.topics ?? []) + (announced?.topics ?? [])).sorted() }

    public var restrictions: WayInRestrictions {
        guard !isReleased else { return WayInRestrictions() }
        return WayInRestrictions(
            isHeld: true, isSecurity: isSecurity && shares != nil, shares: shares,
            isRewired: announced.map { $0.opening != wiring?.opening } ?? false,
            hasOtherOrders: announced.map { $0.harmless != wiring?.harmless } ?? false)
    }
}

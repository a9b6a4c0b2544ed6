/// Seed 004's kinds of rooms.
public enum RoomKind: String, Codable, Hashable, Sendable, CaseIterable {
    case bedroom, bathroom, kitchen
    case livingRoom = "living_room"
    case diningRoom = "dining_room"
    case office, garage, basement, attic, hallway, other
}

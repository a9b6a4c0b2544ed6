/// One thing a resident may do to the house, beyond opening doors.
public enum Right: String, Codable, Hashable, Sendable, CaseIterable {
    case controlDevices = "control_devices"
    case viewEnergy = "view_energy"
    case modifySettings = "modify_settings"
    case manageMaintenance = "manage_maintenance"
    case addDevices = "add_devices"
    case inviteGuests = "invite_guests"
    case managePeople = "manage_people"
}

/// Zones have names that browsers know. An offset such as GMT+0200 was taken before, and is Etc/GMT-2 from now on: the same hours.
enum TimeZoneNames59 {
    static let offsets = """
        UPDATE house SET time_zone = \(name(of: "time_zone")) WHERE \(isOffset("time_zone"));
        UPDATE notice_preferences SET quiet_zone = \(name(of: "quiet_zone")) WHERE \(isOffset("quiet_zone"));
        """

    /// Whole hours alone have such a name: up to 14 ahead, and 12 behind. Other offsets stay as they are.
    private static func isOffset(_ column: String) -> String {
        "\(column) GLOB 'GMT[+-][01][0-9]00' AND CAST(substr(\(column), 5, 2) AS INTEGER) <= iif(substr(\(column), 4, 1) = '+', 14, 12)"
    }

    /// The signs of Etc are POSIX's, which are the other way round.
    private static func name(of column: String) -> String {
        "'Etc/GMT' || iif(substr(\(column), 4, 1) = '+', '-', '+') || CAST(substr(\(column), 5, 2) AS INTEGER)"
    }
}

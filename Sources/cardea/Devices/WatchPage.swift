import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation

/// One page of a watched house: lines for a screen of a certain size, and nothing else. Never more lines, and none wider, than it has.
struct WatchPage {
    let house: WatchModel
    let now: Date
    let size: (columns: Int, rows: Int)
    let style: TerminalStyle
    /// True if keys are read, so that the page mentions them.
    var listensToKeys = true

    /// - Parameter page: which page, counted from 0; past the last it is the last.
    func lines(page: Int) -> [String] {
        guard size.rows > 0, size.columns > 0 else { return [] }
        let pages = pages
        let place = min(max(0, page), pages.count - 1)
        guard size.rows > 2 else { return Array([header].prefix(size.rows)) }
        var lines = [header] + (hasSpacing ? [""] : []) + rendered(pages[place])
        lines += Array(repeating: "", count: max(0, size.rows - 1 - lines.count))
        return lines + [footer(place, of: pages.count)]
    }

    var pageCount: Int { pages.count }

    // MARK: Header and footer

    private var clock: HouseClock { HouseClock(zone: house.zone, now: now) }

    private var header: String {
        let (long, short, paint) = connectionStatus
        let standing = TextWidth.of(long) + Self.minNameWidth <= size.columns ? long : short
        let room = size.columns - TextWidth.of(standing) - 2
        guard room >= Self.minNameWidth else { return paint(TextWidth.cut(standing, size.columns)) }
        return style.bold(TextWidth.fit(house.name, room)) + "  " + paint(standing)
    }

    private static let minNameWidth = 10

    /// The state of the connection, in long and in short.
    private var connectionStatus: (long: String, short: String, paint: (String) -> String) {
        let age = "as of \(clock.ago(house.asOf))"
        switch house.connection {
        case .connecting: return ("connecting…, \(age)", age, style.yellow)
        case .upToDate: return ("up to date", "live", style.green)
        case .unreachable(let retryAt):
            let wait = max(1, Int(min(retryAt.timeIntervalSince(now).rounded(.up), 3600)))
            let again = retryAt <= now ? "trying again" : "trying again in \(wait) s"
            return ("hub unreachable, \(age), \(again)", age, style.red)
        }
    }

    private func footer(_ page: Int, of count: Int) -> String {
        let keys = listensToKeys ? (count > 1 ? "space next, b back, q quit" : "q quit") : "Ctrl-C quit"
        let full = count > 1 ? "page \(page + 1) of \(count): \(keys)" : keys
        let short = count > 1 ? "\(page + 1)/\(count)" : ""
        let right = TextWidth.of(full) * 2 <= size.columns ? full : short
        let room = size.columns - TextWidth.of(right) - 2
        guard room > 0 else { return style.dim(TextWidth.cut(right, size.columns)) }
        let latest = house.latest.map { "\(HouseClock.seconds($0.at, in: house.zone))  \($0.words)" } ?? ""
        return style.dim(TextWidth.fit(latest, room) + "  " + right)
    }

    // MARK: The rooms

    private struct Room {
        let name: String
        var devices: [DeviceAnswer]
    }

    /// By name; devices in no room come last.
    private var rooms: [Room] {
        let named = Dictionary(grouping: house.devices.filter { $0.room != nil }) { $0.room ?? "" }
        let rooms = named.map { Room(name: $0.key, devices: $0.value) }.sorted {
            ($0.name.lowercased(), $0.name) < ($1.name.lowercased(), $1.name)
        }
        let rest = house.devices.filter { $0.room == nil }
        return rest.isEmpty ? rooms : rooms + [Room(name: "No room", devices: rest)]
    }

    private var hasSpacing: Bool { size.rows >= 12 }
    private var bodyHeight: Int { max(1, size.rows - (hasSpacing ? 3 : 2)) }

    private enum Row {
        case gap
        case head(String, goesOn: Bool)
        case device(DeviceAnswer)
    }

    /// A room that continues on the next page repeats its name. If two lines are too much, the rooms' names are left out.
    private var pages: [[Row]] {
        var pages: [[Row]] = [[]]
        func room(for count: Int) -> Bool { (pages.last?.count ?? 0) + count <= bodyHeight }
        func put(_ line: Row) { pages[pages.count - 1].append(line) }
        let (rooms, showsNames) = (rooms, bodyHeight > 1)
        // Gaps between rooms, if all of them fit on one page.
        let showsGaps = hasSpacing && house.devices.count + 2 * rooms.count - 1 <= bodyHeight
        for (number, place) in rooms.enumerated() {
            if number > 0, showsGaps { put(.gap) }
            for (index, device) in place.devices.enumerated() {
                let needsName = showsNames && (index == 0 || pages.last?.count == bodyHeight)
                if !room(for: needsName ? 2 : 1) { pages.append([]) }
                if needsName || (showsNames && pages.last?.isEmpty == true) { put(.head(place.name, goesOn: index > 0)) }
                put(.device(device))
            }
        }
        return pages
    }

    /// Only the visible page is drawn: a house may have thousands of devices.
    private func rendered(_ page: [Row]) -> [String] {
        guard !page.isEmpty else { return [TextWidth.cut("No devices.", size.columns)] }
        let names = page.compactMap { if case .device(let device) = $0 { TextWidth.of(TextWidth.printable(device.name)) } else { nil } }
        let width = min(names.max() ?? 0, max(6, size.columns * 2 / 5))
        return page.map { line in
            switch line {
            case .gap: ""
            case .head(let name, let goesOn): roomHeader(name, goesOn: goesOn)
            case .device(let device): row(device, nameWidth: width)
            }
        }
    }

    private func roomHeader(_ name: String, goesOn: Bool) -> String {
        style.dim(TextWidth.cut(name + (goesOn ? ", more" : ""), size.columns))
    }

    private func row(_ device: DeviceAnswer, nameWidth: Int) -> String {
        let indent = size.columns < 30 ? "" : "  "
        let since = size.columns < 60 ? "" : "  " + TextWidth.fit(clock.short(device.stateChangedAt), 15)
        let name = TextWidth.fit(device.name, min(nameWidth, max(0, size.columns - indent.count)))
        let room = size.columns - indent.count - TextWidth.of(name) - 2 - since.count
        guard room > 0 else { return TextWidth.cut(indent + name, size.columns) }
        let words = StateText.summary(of: device, clock)
        let state = TextWidth.cut(words, room)
        let gap = String(repeating: " ", count: max(0, room - TextWidth.of(state)))
        if house.isHighlighted(device.deviceID, at: now) {
            return indent + style.bold(name) + "  " + style.inverse(state) + gap + since
        }
        let isAnswering = device.status == .online
        return indent + name + "  " + (isAnswering ? state : style.dim(state)) + gap + style.dim(since)
    }
}

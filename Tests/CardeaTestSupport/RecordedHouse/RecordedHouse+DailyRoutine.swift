import CardeaMind
import CardeaModel
import Foundation

/// The daily activity in the house.
extension RecordedHouse {
    struct EventDraft {
        let at: Date
        var device: String?
        var entity: String?
        var actor: String?
        let fact: HouseEvent.Fact
    }

    static func recordDay(_ day: Int, _ drafts: inout [EventDraft], _ random: inout SeededGenerator) {
        func time(_ hour: Int, _ minutes: ClosedRange<Int>) -> Date {
            moment(day, "\(hour):00") + Double(Int.random(in: minutes, using: &random)) * 60
                + Double(Int.random(in: 0..<50, using: &random))
        }
        func set(_ device: String, _ entity: String, _ value: String, _ at: Date, by actor: String? = nil, _ verb: Verb? = nil) {
            if let verb {
                drafts.append(
                    EventDraft(at: at - 2, device: device, entity: entity, actor: actor, fact: .command(verb, .confirmed, refusal: nil)))
            }
            drafts.append(EventDraft(at: at, device: device, entity: entity, actor: actor, fact: .state(value)))
        }
        func pass(_ door: String, _ at: Date, by actor: String?) {
            let entity = "lock." + door.replacingOccurrences(of: "-", with: "_")
            set(door, entity, "unlocked", at, by: actor, actor == nil ? nil : .unlock)
            set(door, entity, "locked", at + 120, by: actor, actor == nil ? nil : .lock)
        }
        func presence(_ who: String, _ isHome: Bool, _ at: Date) {
            drafts.append(EventDraft(at: at, actor: who, fact: .presence(isHome: isHome)))
        }
        let weekday = calendar.component(.weekday, from: moment(day, "12:00"))
        let isWorkday = (2...6).contains(weekday)
        if day == -29 {
            for device in devices {
                for entity in device.entities where entity.kind != .sensor {
                    set(device.id, entity.id, entity.state.value, moment(day, "00:00") + 1)
                }
            }
            for who in ["ada", "ben", "cleo", "dan"] { presence("person:" + who, true, moment(day, "00:01")) }
        }

        let breakfast = time(7, 0...10)
        set("kitchen-light", "light.kitchen", "on", breakfast, by: "person:ada", .on)
        set("coffee-maker", "switch.coffee", "on", breakfast + 120, by: "person:ada", .on)
        set("coffee-maker", "switch.coffee", "off", breakfast + 1800, by: "person:ben", .off)
        set("kitchen-light", "light.kitchen", "off", breakfast + 2700, by: "person:ada", .off)
        if isWorkday {
            for (who, hour) in [("ada", 8), ("ben", 8), ("cleo", 9)] {
                let leaving = time(hour, who == "ben" ? 0...9 : 20...40)
                if who == "ben" {
                    set("garage-door", "cover.garage", "open", leaving, by: "person:ben", .open)
                    set("garage-door", "cover.garage", "closed", leaving + 180, by: "person:ben", .close)
                } else {
                    pass("front-door", leaving, by: "person:" + who)
                }
                presence("person:" + who, false, leaving + 300)
            }
            for (who, hour) in [("ada", 16), ("ben", 18), ("cleo", 17)] {
                let coming = time(hour, who == "ben" ? 0...9 : 20...40)
                if who == "ben" {
                    set("garage-door", "cover.garage", "open", coming, by: "person:ben", .open)
                    set("garage-door", "cover.garage", "closed", coming + 240, by: "person:ben", .close)
                } else {
                    pass("front-door", coming, by: "person:" + who)
                }
                presence("person:" + who, true, coming + 60)
            }
        }
        if day == -1 {
            // The evening that the questions are about.
            let evening = moment(day, "19:04") + 10
            set("back-door", "lock.back_door", "unlocked", evening, by: "person:ada", .unlock)
            set("back-door", "lock.back_door", "locked", evening + 130, by: nil)
        } else if day != -2, Int.random(in: 0..<10, using: &random) < 7 {
            pass(
                "back-door", time(19, 0...50), by: ["person:ada", "person:ben", "person:cleo", nil][Int.random(in: 0..<4, using: &random)])
        }
        if day == -4 {
            // Dan left on Sunday and has been away since.
            pass("front-door", moment(day, "14:30"), by: "person:dan")
            presence("person:dan", false, moment(day, "14:35"))
        }
        if weekday == 3 || weekday == 6 { pass("front-door", time(10, 0...30), by: "guest:greta") }
        if day == -8 { pass("back-door", moment(day, "11:20"), by: "guest:paul") }
        if day.isMultiple(of: 2) {
            let noon = time(12, 0...20)
            set("kitchen-window", "binary_sensor.kitchen_window", "on", noon)
            set("kitchen-window", "binary_sensor.kitchen_window", "off", noon + 1500)
        }
        for (device, entity, hour) in [("hall-light", "light.hall", 17), ("sofa-lamp", "light.sofa", 18), ("desk-lamp", "light.desk", 19)] {
            set(
                device, entity, "on", time(hour, 0...20), by: ["person:ada", "person:cleo", nil][Int.random(in: 0..<3, using: &random)], nil
            )
            if day != 0 { set(device, entity, "off", time(22, 0...40), by: "person:ada", .off) }
        }
        if day != 0 {
            set("television", "media.tv", "on", time(20, 0...10), by: "person:dan", .on)
            set("television", "media.tv", "off", time(21, 0...50), by: "person:dan", .off)
        } else {
            set("bedroom-window", "binary_sensor.bedroom_window", "on", moment(0, "18:40"))
        }
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            drafts.append(
                EventDraft(
                    at: time(Int.random(in: 9...18, using: &random), 0...59), device: "front-camera", entity: "binary_sensor.front_camera",
                    fact: .sighting(type: "person", words: "A person walks up to the front door")))
        }
        if weekday == 4 {
            drafts.append(
                EventDraft(
                    at: moment(day, "11:12"), device: "front-camera", entity: "binary_sensor.front_camera",
                    fact: .sighting(type: "package", words: "A courier leaves a parcel")))
        }
        if day.isMultiple(of: 5) {
            drafts.append(
                EventDraft(
                    at: moment(day, "15:30"), device: "front-camera", entity: "binary_sensor.front_camera",
                    fact: .sighting(type: "ring", words: "Somebody rang the bell")))
        }
        if (day + 30).isMultiple(of: 4) {
            let who = (day + 30).isMultiple(of: 8) ? "person:cleo" : "guest:greta"
            drafts.append(
                EventDraft(
                    at: moment(day, "16:45") + 30, device: "garage-door", entity: "cover.garage", actor: who,
                    fact: .command(.open, .expired, refusal: "security_device")))
        }
        if day == 0 {
            // Within the hours that still affect the mood.
            for (who, time) in [("guest:greta", "16:45"), ("person:cleo", "17:50")] {
                drafts.append(
                    EventDraft(
                        at: moment(day, time), device: "garage-door", entity: "cover.garage", actor: who,
                        fact: .command(.open, .expired, refusal: "security_device")))
            }
        }
        if day == -3 {
            // Burnt toast.
            set("hall-smoke", "binary_sensor.hall_smoke", "on", moment(day, "13:05") + 20)
            set("hall-smoke", "binary_sensor.hall_smoke", "off", moment(day, "13:09"))
        }
        if day == -10 { drafts.append(EventDraft(at: moment(day, "03:00"), device: "study-sensor", fact: .deviceStatus(.offline))) }
        if day == -9 { drafts.append(EventDraft(at: moment(day, "09:30"), device: "study-sensor", fact: .deviceStatus(.online))) }
        if day == -2 { drafts.append(EventDraft(at: moment(day, "05:40"), device: "cellar-sensor", fact: .deviceStatus(.offline))) }
    }
}

import CardeaMind
import CardeaModel
import Foundation

/// About thirty houses, and how their people describe them.
extension InterviewScenario {
    private static func thing(
        _ id: String, _ name: String, _ kind: EntityKind? = nil, brand: String? = nil, model: String? = nil, room: String? = nil,
        source: DiscoveredDevice.Source = .homeAssistant
    ) -> DiscoveredDevice {
        DiscoveredDevice(id: id, name: name, kind: kind, brand: brand, model: model, room: room, source: source)
    }

    static let all: [InterviewScenario] = plain + misspelt + corrected + matched + odd + spoken

    private static let plain: [InterviewScenario] = [
        InterviewScenario(
            name: "Two lamps over the sofa and a lock at the back",
            messages: ["There are two Hue lamps over the sofa and a Yale lock at the back.", "done", "yes"],
            expectedDevices: ["1 Yale lock", "2 Hue light @ living-room"], isOrderIndependent: false),
        InterviewScenario(
            name: "A kitchen with a dishwasher and three spots",
            messages: ["In the kitchen we've got a Bosch dishwasher and three spots.", "done", "yes"],
            expectedDevices: ["1 Bosch dishwasher @ kitchen", "3 - light @ kitchen"]),
        InterviewScenario(
            name: "A garage with a door opener that isn't connected",
            messages: ["The garage has an old door opener that isn't connected.", "done"],
            expectedDevices: [], expectedNotes: ["- door_opener @ Garage"]),
        InterviewScenario(
            name: "Room by room, as it asks",
            rooms: rooms(("Kitchen", .kitchen, 0), ("Hall", .hallway, 0), ("Bedroom", .bedroom, 1)),
            messages: ["next", "a fridge and two spots", "nothing", "a Tado thermostat", "we have a Viessmann heat pump", "no", "yes"],
            expectedDevices: ["1 - fridge @ kitchen", "1 Tado thermostat @ bedroom", "1 Viessmann heating", "2 - light @ kitchen"]),
        InterviewScenario(
            name: "Everything in one breath",
            messages: [
                "We have a Nuki lock on the front door, a Ring doorbell outside, a Sonos speaker in the kitchen and in the bathroom, and a Roomba.",
                "that's all", "yes please",
            ],
            expectedDevices: [
                "1 Nuki lock", "1 Ring doorbell", "1 Sonos speaker @ bathroom", "1 Sonos speaker @ kitchen", "1 iRobot vacuum",
            ]),
        InterviewScenario(
            name: "One sentence for each room, in any order",
            messages: [
                "There's a Miele washing machine in the bathroom.", "In the study there are four Ikea lamps and a printer.",
                "The kitchen has a Siemens oven, a Liebherr fridge and a kettle.",
                "In the garden there's a Gardena mower and a Shelly switch.",
                "There is a Honeywell thermostat in the hall.",
            ],
            expectedDevices: [
                "1 - kettle @ kitchen", "1 - printer @ study", "1 Gardena mower @ garden", "1 Honeywell thermostat @ hall",
                "1 Liebherr fridge @ kitchen", "1 Miele washing_machine @ bathroom", "1 Shelly switch @ garden", "1 Siemens oven @ kitchen",
                "4 Ikea light @ study",
            ], isOrderIndependent: true),
        InterviewScenario(
            name: "Lists with the room at the end",
            messages: [
                "A TV, a soundbar and two floor lamps in the living room.", "a Dyson fan and an air purifier in the bedroom", "done", "ok",
            ],
            expectedDevices: [
                "1 - air_purifier @ bedroom", "1 - speaker @ living-room", "1 - television @ living-room", "1 Dyson fan @ bedroom",
                "2 - light @ living-room",
            ]),
        InterviewScenario(
            name: "Two rooms in one sentence",
            messages: [
                "In the kitchen there's a microwave and in the hall there's a smart lock from Yale.",
                "The bedroom has a lamp, the bathroom a heated towel rail.", "done", "yes",
            ],
            expectedDevices: ["1 - light @ bedroom", "1 - microwave @ kitchen", "1 - radiator_valve @ bathroom", "1 Yale lock @ hall"]),
        InterviewScenario(
            name: "The same in every bedroom",
            rooms: rooms(
                ("Main bedroom", .bedroom, 1), ("Guest bedroom", .bedroom, 1), ("Nursery", .bedroom, 1), ("Kitchen", .kitchen, 0)),
            messages: [
                "There's a Tado radiator valve in every bedroom and a smoke detector in the kitchen.", "two blinds in the guest bedroom",
                "done", "yes",
            ],
            expectedDevices: [
                "1 - smoke_detector @ kitchen", "1 Tado radiator_valve @ guest-bedroom", "1 Tado radiator_valve @ main-bedroom",
                "1 Tado radiator_valve @ nursery", "2 - blind @ guest-bedroom",
            ]),
        InterviewScenario(
            name: "A new house without rooms",
            rooms: [],
            messages: [
                "Kitchen, two bedrooms and a scullery.", "In the kitchen there is a hob.", "there's a freezer in the scullery", "done",
                "yes",
            ],
            expectedDevices: ["1 - freezer @ +Scullery", "1 - hob @ +Kitchen"],
            expectedNewRooms: ["Bedroom 1", "Bedroom 2", "Kitchen", "Scullery"]),
        InterviewScenario(
            name: "A room the house does not have yet",
            messages: ["There's a chest freezer in the basement and a dehumidifier in the wine cellar", "done", "yes"],
            expectedDevices: ["1 - freezer @ +Basement", "1 - humidifier @ +Wine cellar"], expectedNewRooms: ["Basement", "Wine cellar"]),
        InterviewScenario(
            name: "Numbers in words and figures",
            messages: [
                "a couple of lamps in the hall, half a dozen spots in the bathroom and 12 blinds in the living room.",
                "2x speakers in the study", "done", "yes",
            ],
            expectedDevices: ["12 - blind @ living-room", "2 - light @ hall", "2 - speaker @ study", "6 - light @ bathroom"]),
    ]

    private static let misspelt: [InterviewScenario] = [
        InterviewScenario(
            name: "Typed in a hurry",
            messages: [
                "ther are tow Hue lapms in the kichen and a Boshc dishwaser", "in the same room", "an Ikea spekaer in the bedrom", "done",
                "yes",
            ],
            expectedDevices: ["1 Bosch dishwasher @ kitchen", "1 Ikea speaker @ bedroom", "2 Hue light @ kitchen"]),
        InterviewScenario(
            name: "Typed with one thumb",
            messages: ["In the livng room: a telvision, a thermstat and three blids.", "the garge has a camra", "dnoe", "yse"],
            expectedDevices: [
                "1 - camera @ garage", "1 - television @ living-room", "1 - thermostat @ living-room", "3 - blind @ living-room",
            ]),
        InterviewScenario(
            name: "Accents, capitals and no punctuation",
            messages: [
                "IN THE STUDY WE HAVE AN IKEA TRÅDFRI LAMP", "there’s a “Moonlight” lamp", "in the hall a sonos one", "done", "yes",
            ],
            expectedDevices: ["1 - light @ kitchen", "1 Ikea light @ study", "1 Sonos speaker @ hall"]),
        InterviewScenario(
            name: "Words that only look like things",
            messages: [
                "I looked over the block of flats, lots of luck. We have a big family and two cats.", "The best lack is a lump.",
                "a fan in the study", "done", "yes",
            ],
            expectedDevices: ["1 - fan @ study"]),
        InterviewScenario(
            name: "The loo, the lounge and the telly",
            rooms: rooms(("Living room", .livingRoom, 0), ("Toilet", .bathroom, 0), ("Kitchen", .kitchen, 0)),
            messages: ["There's a telly in the lounge, an extractor fan in the loo and a hoover.", "done", "yes"],
            expectedDevices: ["1 - fan @ toilet", "1 - television @ living-room", "1 - vacuum"]),
    ]

    private static let corrected: [InterviewScenario] = [
        InterviewScenario(
            name: "No, three lamps",
            messages: ["There are two lamps in the hall.", "no, three lamps", "done", "yes"], expectedDevices: ["3 - light @ hall"]),
        InterviewScenario(
            name: "An August, not a Yale",
            messages: ["A Yale lock in the hall and a fan in the study.", "The lock is an August, not a Yale.", "done", "yes"],
            expectedDevices: ["1 - fan @ study", "1 August lock @ hall"]),
        InterviewScenario(
            name: "Forget the fan",
            messages: ["A Yale lock in the hall and a fan in the study.", "Forget the fan.", "yes", "done", "yes"],
            expectedDevices: ["1 Yale lock @ hall"]
        ),
        InterviewScenario(
            name: "Changed their mind about everything",
            messages: [
                "There's a Bosch oven in the kitchen.", "Sorry, it's a Siemens.", "And two lamps in the bedroom.",
                "Actually they're in the study.",
                "Make it four.", "It isn't an oven, it's a dishwasher.", "The oven is a Neff.", "the kitchen",
                "We don't have a dishwasher.", "yes", "done",
                "yes",
            ],
            expectedDevices: ["1 Neff oven @ kitchen", "4 - light @ study"]),
        InterviewScenario(
            name: "It isn't connected after all",
            messages: [
                "There's a Dyson fan in the bedroom.", "it isn't connected", "In the hall there is a doorbell, but it's not smart.", "done",
            ],
            expectedDevices: [], expectedNotes: ["- doorbell @ Hall", "Dyson fan @ Bedroom"]),
        InterviewScenario(
            name: "It is connected now",
            messages: [
                "The boiler isn't connected.", "The fan in the hall isn't connected.", "The boiler is connected now.", "forget the fan",
                "done", "yes",
            ],
            expectedDevices: ["1 - heating"], expectedPastNotes: ["- fan @ Hall", "- heating"]),
        InterviewScenario(
            name: "All but the fan",
            messages: ["A fan, a lamp and a speaker in the study.", "done", "all but the fan"],
            expectedDevices: ["1 - light @ study", "1 - speaker @ study"]),
        InterviewScenario(
            name: "Only the lock",
            messages: ["A lamp and a Nuki lock in the hall", "done", "just the lock"], expectedDevices: ["1 Nuki lock @ hall"]),
        InterviewScenario(
            name: "Scratch that",
            messages: [
                "a kettle in the kitchen", "scratch that", "yes", "a toaster in the kitchen", "not the kitchen, the study", "done", "yes",
            ],
            expectedDevices: ["1 - toaster @ study"]),
        InterviewScenario(
            name: "They are something new",
            messages: [
                "There's a smoke alarm in the hall and a fridge in the kitchen.", "They are Hue lights over zigbee", "two", "the study",
                "done", "yes",
            ],
            expectedDevices: ["1 - fridge @ kitchen", "1 - smoke_detector @ hall", "2 Hue light @ study"]),
        InterviewScenario(
            name: "Those that were spoken of before",
            messages: [
                "Two lamps in the living room.", "There's a smoke alarm in the hall and a fridge in the kitchen.",
                "Those are Hue lights over zigbee.", "done", "yes",
            ],
            expectedDevices: ["1 - fridge @ kitchen", "1 - smoke_detector @ hall", "2 Hue light @ living-room"]),
        InterviewScenario(
            name: "Only what it fits",
            messages: ["Two lamps and a lock in the hall.", "They're Hue lights.", "done", "yes"],
            expectedDevices: ["1 - lock @ hall", "2 Hue light @ hall"]),
        InterviewScenario(
            name: "It's a Bosch",
            messages: ["There's a smoke alarm in the hall and a fridge in the kitchen.", "It's a Bosch.", "done", "yes"],
            expectedDevices: ["1 - smoke_detector @ hall", "1 Bosch fridge @ kitchen"]),
        InterviewScenario(
            name: "The fridge is elsewhere",
            messages: [
                "There's a smoke alarm in the hall and a fridge in the garage.", "no, the fridge is in the kitchen", "done", "yes",
            ],
            expectedDevices: ["1 - fridge @ kitchen", "1 - smoke_detector @ hall"]),
        InterviewScenario(
            name: "The fridge stays",
            messages: [
                "There's a smoke alarm in the hall and a fridge in the kitchen.", "remove the fridge", "no", "We don't have a smoke alarm.",
                "yes, forget it", "remove the fridge", "done", "yes",
            ],
            expectedDevices: ["1 - fridge @ kitchen"]),
        InterviewScenario(
            name: "Another and another",
            messages: ["There's a lamp in the hall.", "There is another lamp in the hall.", "one more lamp in the hall", "done", "yes"],
            expectedDevices: ["3 - light @ hall"]),
    ]

    private static let matched: [InterviewScenario] = [
        InterviewScenario(
            name: "Upstairs or downstairs",
            rooms: rooms(("Kitchen", .kitchen, 0), ("Landing", .hallway, 1)),
            discovered: [
                thing("hue-1", "Hue lamp A", .light, brand: "Philips Hue", room: "Kitchen"),
                thing("hue-2", "Hue lamp B", .light, brand: "Philips Hue", room: "landing"),
            ],
            messages: ["There's a Hue lamp.", "the upstairs one", "no", "done", "yes"], expectedDevices: ["1 Hue light @ landing = hue-2"]),
        InterviewScenario(
            name: "Both of them",
            discovered: [
                thing("hue-1", "Hue 1", .light, brand: "Hue", room: "hall"), thing("hue-2", "Hue 2", .light, brand: "Hue", room: "hall"),
            ],
            messages: ["A Hue light in the hall", "both", "done", "yes"], expectedDevices: ["2 Hue light @ hall = hue-1 hue-2"]),
        InterviewScenario(
            name: "Two lamps for two things are not asked about",
            discovered: [
                thing("hue-1", "Hue 1", .light, brand: "Hue"), thing("hue-2", "Hue 2", .light, brand: "Hue"),
                thing("yale", "Yale Assure", .lock, brand: "Yale", room: "Hall"),
            ],
            messages: ["There are two Hue lamps over the sofa and a Yale lock at the back.", "done", "yes"],
            expectedDevices: ["1 Yale lock @ hall = yale", "2 Hue light @ living-room = hue-1 hue-2"]),
        InterviewScenario(
            name: "Who comes first does not get what fits only the second",
            discovered: [
                thing("a", "Shelly dimmer", .light, brand: "Shelly", room: "Study"), thing("b", "Ceiling lamp", .light, room: "Study"),
            ],
            messages: ["A lamp in the study and a Shelly light in the study.", "done", "yes"],
            expectedDevices: ["1 - light @ study = b", "1 Shelly light @ study = a"]),
        InterviewScenario(
            name: "Nobody knows which",
            discovered: [thing("s1", "Speaker A", .media, brand: "Sonos"), thing("s2", "Speaker B", .media, brand: "Sonos")],
            messages: ["a Sonos speaker in the kitchen", "I don't know", "done", "yes"], expectedDevices: ["1 Sonos speaker @ kitchen"]),
        InterviewScenario(
            name: "What was found speaks for itself",
            discovered: [thing("d", "Dishwasher", .switch, brand: "Bosch", model: "SMV4", room: "Kitchen", source: .mdns)],
            messages: ["there's a Bosch in the kitchen", "done", "yes"], expectedDevices: ["1 Bosch dishwasher @ kitchen = d"]),
        InterviewScenario(
            name: "Found, and nobody had spoken of it",
            rooms: rooms(("Kitchen", .kitchen, 0), ("Study", .office, 1)),
            discovered: [
                thing("tv", "LG webOS TV", .media, brand: "LG", source: .mdns), thing("x", "Neighbour's printer", source: .mdns),
                thing("p", "Shelly Plug S", .switch, brand: "Shelly", room: "Study", source: .mqtt),
            ],
            messages: ["next", "nothing", "a lamp", "yes, it's in the kitchen", "no", "yes", "no", "no", "none", "yes"],
            expectedDevices: ["1 - light @ study", "1 LG television @ kitchen = tv", "1 Shelly plug @ study = p"]),
        InterviewScenario(
            name: "As many lamps as were found",
            discovered: [
                thing("l1", "Spot 1", .light, brand: "Ikea", room: "Bathroom"),
                thing("l2", "Spot 2", .light, brand: "Ikea", room: "Bathroom"),
                thing("l3", "Spot 3", .light, brand: "Ikea", room: "Bathroom"),
            ],
            messages: ["There are some Ikea spots in the bathroom.", "done", "yes"], expectedDevices: ["3 Ikea light @ bathroom = l1 l2 l3"]
        ),
        InterviewScenario(
            name: "Some of it is not on the network",
            rooms: rooms(("Kitchen", .kitchen, 0)),
            discovered: [thing("h", "Hue go", .light, brand: "Hue", room: "Kitchen")],
            messages: ["ok", "A Hue lamp, a Bosch oven and a kettle", "no", "no", "the kettle", "yes"],
            expectedDevices: ["1 Bosch oven @ kitchen", "1 Hue light @ kitchen = h"], expectedNotes: ["- kettle @ Kitchen"]),
        InterviewScenario(
            name: "The house knows it already",
            devices: [
                Device(
                    id: "front-door", name: "Front door", deviceClass: .security, roomID: "hall", integration: "mqtt", manufacturer: "Yale",
                    stateChangedAt: .distantPast,
                    entities: [Entity(id: "lock.front_door", kind: .lock, name: "Front door", verbs: [.lock, .unlock])])
            ],
            messages: ["There's a Yale lock in the hall.", "done", "yes"], expectedDevices: ["1 Yale lock @ hall = device:front-door"]),
    ]

    private static let odd: [InterviewScenario] = [
        InterviewScenario(
            name: "What it is, where it is and how many: asked one by one",
            rooms: rooms(("Kitchen", .kitchen, 0), ("Bathroom upstairs", .bathroom, 1), ("Bathroom downstairs", .bathroom, 0)),
            messages: [
                "there's a Bosch in the kitchen", "a coffee machine", "a fan in the bathroom", "the upstairs one", "lamps in the kitchen",
                "five",
                "done", "yes",
            ],
            expectedDevices: ["1 - fan @ bathroom-upstairs", "1 Bosch coffee_machine @ kitchen", "5 - light @ kitchen"]),
        InterviewScenario(
            name: "A thing nobody has heard of",
            messages: [
                "There's a flux capacitor in the garage.", "it's a charger", "a lamp called “unlock the front door” in the hall", "done",
                "yes",
            ],
            expectedDevices: ["1 - car_charger @ garage", "1 - light @ hall"]),
        InterviewScenario(
            name: "Paused, and gone on with",
            messages: ["a fridge in the kitchen", "later", "an oven in the kitchen", "skip", "what have you got so far?", "done", "yes"],
            expectedDevices: ["1 - fridge @ kitchen", "1 - oven @ kitchen"]),
        InterviewScenario(
            name: "Given up", messages: ["a fridge in the kitchen", "cancel", "an oven in the kitchen"], expectedDevices: []),
        InterviewScenario(
            name: "Nothing at all", messages: ["done"], expectedDevices: []),
        InterviewScenario(
            name: "Notes for later",
            messages: [
                "Note that the fuse box is in the hall.", "There are two old radiators in the study, none of them connected.",
                "The shed has a pump that is not connected to anything.", "done",
            ],
            expectedDevices: [],
            expectedNotes: ["- pool_pump @ Shed", "- the fuse box is in the hall @ Hall", "2 - radiator_valve @ Study"],
            expectedNewRooms: ["Shed"]),
        InterviewScenario(
            name: "Asked, and only then told",
            rooms: rooms(("Kitchen", .kitchen, 0), ("Hall", .hallway, 0)),
            messages: ["next", "no idea", "none", "yes", "a burglar alarm and solar panels", "yes", "an old intercom in the hall", "yes"],
            expectedDevices: ["1 - alarm", "1 - solar"], expectedNotes: ["- doorbell @ Hall"]),
    ]

    /// Free descriptions, without instructions.
    private static let spoken: [InterviewScenario] = [
        InterviewScenario(
            name: "The front door has a lock",
            messages: [
                "Hi! So, we live in a three-bedroom house. There's a smart lock on the front door, I think it's a Schlage.",
                "At the back there's a Yale lock.", "a camera outside the garage and another one at the back", "done", "yes",
            ],
            expectedDevices: ["1 - camera", "1 - camera", "1 Schlage lock", "1 Yale lock"]),
        InterviewScenario(
            name: "One here and two there",
            messages: [
                "three lamps: one in the hall, one in the study and one in the kitchen",
                "Two Eve plugs, one in the kitchen and one in the study.",
                "We have 3 TP-Link plugs: two in the bathroom, one in the hall",
                "I've a Hue lamp in the garage and in the garden an Ikea one", "done",
                "yes",
            ],
            expectedDevices: [
                "1 - light @ hall", "1 - light @ kitchen", "1 - light @ study", "1 Eve plug @ kitchen", "1 Eve plug @ study",
                "1 Hue light @ garage",
                "1 Ikea light @ garden", "1 TP-Link plug @ hall", "2 TP-Link plug @ bathroom",
            ]),
        InterviewScenario(
            name: "Both of the one make",
            messages: [
                "a washing machine and a tumble dryer, both Miele, in the garage", "the kitchen light and the hall light are Hue",
                "the hall thermostat is a Honeywell, the bedroom one is a Tado", "done", "yes",
            ],
            expectedDevices: [
                "1 Honeywell thermostat @ hall", "1 Hue light @ hall", "1 Hue light @ kitchen", "1 Miele dryer @ garage",
                "1 Miele washing_machine @ garage", "1 Tado thermostat @ bedroom",
            ]),
        InterviewScenario(
            name: "By the furniture",
            rooms: rooms(
                ("Living room", .livingRoom, 0), ("Dining room", .diningRoom, 0), ("Bedroom", .bedroom, 1), ("Kitchen", .kitchen, 0)),
            messages: [
                "two lamps on either side of the bed", "There's an Ikea blind on each window of the bedroom",
                "A lamp next to the TV in the living room",
                "There is also a leak sensor under the sink", "The lamp over the dining table is a Hue, the one over the sofa is a Lifx.",
                "done", "yes",
            ],
            expectedDevices: [
                "1 - leak_sensor @ kitchen", "1 - light @ living-room", "1 Hue light @ dining-room", "1 Ikea blind @ bedroom",
                "1 Lifx light @ living-room", "2 - light @ bedroom",
            ]),
        InterviewScenario(
            name: "None of it connected",
            messages: [
                "neither the oven nor the hob in the kitchen is connected",
                "The extractor hood in the kitchen is broken and isn't connected.",
                "my wife has a Philips coffee machine in the kitchen which isn't smart at all",
                "in the attic we keep an old Sony radio; it isn't connected to anything",
                "there used to be a fan in the study", "The garage door opener is a Hormann and it's not connected.", "done",
            ],
            expectedDevices: [],
            expectedNotes: [
                "- fan @ Kitchen", "- hob @ Kitchen", "- oven @ Kitchen", "Hormann door_opener @ Garage",
                "Philips coffee_machine @ Kitchen",
                "Sony speaker @ Attic",
            ], expectedNewRooms: ["Attic"]),
        InterviewScenario(
            name: "Second thoughts",
            messages: [
                "there's a Yale lock in the hall and a fan in the study", "the lock isn't ours, forget it", "yes",
                "no, the fan is in the bedroom",
                "two lamps in the hall", "sorry, I meant three", "remove one lamp",
                "there are smoke detectors in the hall, the kitchen and the bedroom",
                "no smoke detector in the hall", "yes", "done", "yes",
            ],
            expectedDevices: ["1 - fan @ bedroom", "1 - smoke_detector @ bedroom", "1 - smoke_detector @ kitchen", "2 - light @ hall"]),
        InterviewScenario(
            name: "Telegram style",
            messages: [
                "kitchen: 4 hue spots, bosch oven; hall: nuki, ring doorbell", "bedroom - tado thermostat, 2 bedside lamps",
                "garage: easee wallbox", "done", "y",
            ],
            expectedDevices: [
                "1 Bosch oven @ kitchen", "1 Easee car_charger @ garage", "1 Nuki lock @ hall", "1 Ring doorbell @ hall",
                "1 Tado thermostat @ bedroom",
                "2 - light @ bedroom", "4 Hue light @ kitchen",
            ]),
        InterviewScenario(
            name: "Everywhere, each in its own message",
            messages: [
                "Upstairs in the bathroom there's a heated towel rail", "My study has a HomePod mini and an Apple TV",
                "The living-room lamp is from Ikea",
                "The heating is by Vaillant and the thermostat's in the hall.", "Could you add a lamp in the garage?",
                "Alexa in the kitchen and bedroom",
                "The garden has an irrigation system by Gardena and three lanterns along the path.",
            ],
            expectedDevices: [
                "1 - light @ garage", "1 - radiator_valve @ bathroom", "1 - thermostat @ hall", "1 Amazon speaker @ bedroom",
                "1 Amazon speaker @ kitchen",
                "1 Apple media_player @ study", "1 Apple speaker @ study", "1 Gardena sprinkler @ garden", "1 Ikea light @ living-room",
                "1 Vaillant heating", "3 - light @ garden",
            ], isOrderIndependent: true),
    ]
}

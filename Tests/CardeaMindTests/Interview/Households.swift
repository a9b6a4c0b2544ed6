import CardeaMind
import CardeaModel
import Foundation

/// Thirty-odd houses and how their people speak of them.
extension Household {
    private static func thing(
        _ id: String, _ name: String, _ kind: EntityKind? = nil, brand: String? = nil, model: String? = nil, room: String? = nil,
        source: DiscoveredThing.Source = .homeAssistant
    ) -> DiscoveredThing {
        DiscoveredThing(id: id, name: name, kind: kind, brand: brand, model: model, room: room, source: source)
    }

    static let all: [Household] = plain + misspelt + corrected + matched + odd + spoken

    private static let plain: [Household] = [
        Household(
            name: "Two lamps over the sofa and a lock at the back",
            say: ["There are two Hue lamps over the sofa and a Yale lock at the back.", "done", "yes"],
            takes: ["1 Yale lock", "2 Hue light @ living-room"], anyOrder: false),
        Household(
            name: "A kitchen with a dishwasher and three spots",
            say: ["In the kitchen we've got a Bosch dishwasher and three spots.", "done", "yes"],
            takes: ["1 Bosch dishwasher @ kitchen", "3 - light @ kitchen"]),
        Household(
            name: "A garage with a door opener that isn't connected",
            say: ["The garage has an old door opener that isn't connected.", "done"],
            takes: [], notes: ["- door_opener @ Garage"]),
        Household(
            name: "Room by room, as it asks",
            rooms: rooms(("Kitchen", .kitchen, 0), ("Hall", .hallway, 0), ("Bedroom", .bedroom, 1)),
            say: ["next", "a fridge and two spots", "nothing", "a Tado thermostat", "we have a Viessmann heat pump", "no", "yes"],
            takes: ["1 - fridge @ kitchen", "1 Tado thermostat @ bedroom", "1 Viessmann heating", "2 - light @ kitchen"]),
        Household(
            name: "Everything in one breath",
            say: [
                "We have a Nuki lock on the front door, a Ring doorbell outside, a Sonos speaker in the kitchen and in the bathroom, and a Roomba.",
                "that's all", "yes please",
            ],
            takes: ["1 Nuki lock", "1 Ring doorbell", "1 Sonos speaker @ bathroom", "1 Sonos speaker @ kitchen", "1 iRobot vacuum"]),
        Household(
            name: "One sentence for each room, in any order",
            say: [
                "There's a Miele washing machine in the bathroom.", "In the study there are four Ikea lamps and a printer.",
                "The kitchen has a Siemens oven, a Liebherr fridge and a kettle.",
                "In the garden there's a Gardena mower and a Shelly switch.",
                "There is a Honeywell thermostat in the hall.",
            ],
            takes: [
                "1 - kettle @ kitchen", "1 - printer @ study", "1 Gardena mower @ garden", "1 Honeywell thermostat @ hall",
                "1 Liebherr fridge @ kitchen", "1 Miele washing_machine @ bathroom", "1 Shelly switch @ garden", "1 Siemens oven @ kitchen",
                "4 Ikea light @ study",
            ], anyOrder: true),
        Household(
            name: "Lists with the room at the end",
            say: [
                "A TV, a soundbar and two floor lamps in the living room.", "a Dyson fan and an air purifier in the bedroom", "done", "ok",
            ],
            takes: [
                "1 - air_purifier @ bedroom", "1 - speaker @ living-room", "1 - television @ living-room", "1 Dyson fan @ bedroom",
                "2 - light @ living-room",
            ]),
        Household(
            name: "Two rooms in one sentence",
            say: [
                "In the kitchen there's a microwave and in the hall there's a smart lock from Yale.",
                "The bedroom has a lamp, the bathroom a heated towel rail.", "done", "yes",
            ],
            takes: ["1 - light @ bedroom", "1 - microwave @ kitchen", "1 - radiator_valve @ bathroom", "1 Yale lock @ hall"]),
        Household(
            name: "The same in every bedroom",
            rooms: rooms(
                ("Main bedroom", .bedroom, 1), ("Guest bedroom", .bedroom, 1), ("Nursery", .bedroom, 1), ("Kitchen", .kitchen, 0)),
            say: [
                "There's a Tado radiator valve in every bedroom and a smoke detector in the kitchen.", "two blinds in the guest bedroom",
                "done", "yes",
            ],
            takes: [
                "1 - smoke_detector @ kitchen", "1 Tado radiator_valve @ guest-bedroom", "1 Tado radiator_valve @ main-bedroom",
                "1 Tado radiator_valve @ nursery", "2 - blind @ guest-bedroom",
            ]),
        Household(
            name: "A new house without rooms",
            rooms: [],
            say: [
                "Kitchen, two bedrooms and a scullery.", "In the kitchen there is a hob.", "there's a freezer in the scullery", "done",
                "yes",
            ],
            takes: ["1 - freezer @ +Scullery", "1 - hob @ +Kitchen"], proposes: ["Bedroom 1", "Bedroom 2", "Kitchen", "Scullery"]),
        Household(
            name: "A room the house does not have yet",
            say: ["There's a chest freezer in the basement and a dehumidifier in the wine cellar", "done", "yes"],
            takes: ["1 - freezer @ +Basement", "1 - humidifier @ +Wine cellar"], proposes: ["Basement", "Wine cellar"]),
        Household(
            name: "Numbers in words and figures",
            say: [
                "a couple of lamps in the hall, half a dozen spots in the bathroom and 12 blinds in the living room.",
                "2x speakers in the study", "done", "yes",
            ],
            takes: ["12 - blind @ living-room", "2 - light @ hall", "2 - speaker @ study", "6 - light @ bathroom"]),
    ]

    private static let misspelt: [Household] = [
        Household(
            name: "Typed in a hurry",
            say: [
                "ther are tow Hue lapms in the kichen and a Boshc dishwaser", "in the same room", "an Ikea spekaer in the bedrom", "done",
                "yes",
            ],
            takes: ["1 Bosch dishwasher @ kitchen", "1 Ikea speaker @ bedroom", "2 Hue light @ kitchen"]),
        Household(
            name: "Typed with one thumb",
            say: ["In the livng room: a telvision, a thermstat and three blids.", "the garge has a camra", "dnoe", "yse"],
            takes: ["1 - camera @ garage", "1 - television @ living-room", "1 - thermostat @ living-room", "3 - blind @ living-room"]),
        Household(
            name: "Accents, capitals and no punctuation",
            say: ["IN THE STUDY WE HAVE AN IKEA TRÅDFRI LAMP", "there’s a “Moonlight” lamp", "in the hall a sonos one", "done", "yes"],
            takes: ["1 - light @ kitchen", "1 Ikea light @ study", "1 Sonos speaker @ hall"]),
        Household(
            name: "Words that only look like things",
            say: [
                "I looked over the block of flats, lots of luck. We have a big family and two cats.", "The best lack is a lump.",
                "a fan in the study", "done", "yes",
            ],
            takes: ["1 - fan @ study"]),
        Household(
            name: "The loo, the lounge and the telly",
            rooms: rooms(("Living room", .livingRoom, 0), ("Toilet", .bathroom, 0), ("Kitchen", .kitchen, 0)),
            say: ["There's a telly in the lounge, an extractor fan in the loo and a hoover.", "done", "yes"],
            takes: ["1 - fan @ toilet", "1 - television @ living-room", "1 - vacuum"]),
    ]

    private static let corrected: [Household] = [
        Household(
            name: "No, three lamps",
            say: ["There are two lamps in the hall.", "no, three lamps", "done", "yes"], takes: ["3 - light @ hall"]),
        Household(
            name: "An August, not a Yale",
            say: ["A Yale lock in the hall and a fan in the study.", "The lock is an August, not a Yale.", "done", "yes"],
            takes: ["1 - fan @ study", "1 August lock @ hall"]),
        Household(
            name: "Forget the fan",
            say: ["A Yale lock in the hall and a fan in the study.", "Forget the fan.", "yes", "done", "yes"], takes: ["1 Yale lock @ hall"]
        ),
        Household(
            name: "Changed their mind about everything",
            say: [
                "There's a Bosch oven in the kitchen.", "Sorry, it's a Siemens.", "And two lamps in the bedroom.",
                "Actually they're in the study.",
                "Make it four.", "It isn't an oven, it's a dishwasher.", "The oven is a Neff.", "the kitchen",
                "We don't have a dishwasher.", "yes", "done",
                "yes",
            ],
            takes: ["1 Neff oven @ kitchen", "4 - light @ study"]),
        Household(
            name: "It isn't connected after all",
            say: [
                "There's a Dyson fan in the bedroom.", "it isn't connected", "In the hall there is a doorbell, but it's not smart.", "done",
            ],
            takes: [], notes: ["- doorbell @ Hall", "Dyson fan @ Bedroom"]),
        Household(
            name: "It is connected now",
            say: [
                "The boiler isn't connected.", "The fan in the hall isn't connected.", "The boiler is connected now.", "forget the fan",
                "done", "yes",
            ],
            takes: ["1 - heating"], past: ["- fan @ Hall", "- heating"]),
        Household(
            name: "All but the fan",
            say: ["A fan, a lamp and a speaker in the study.", "done", "all but the fan"],
            takes: ["1 - light @ study", "1 - speaker @ study"]),
        Household(
            name: "Only the lock",
            say: ["A lamp and a Nuki lock in the hall", "done", "just the lock"], takes: ["1 Nuki lock @ hall"]),
        Household(
            name: "Scratch that",
            say: [
                "a kettle in the kitchen", "scratch that", "yes", "a toaster in the kitchen", "not the kitchen, the study", "done", "yes",
            ],
            takes: ["1 - toaster @ study"]),
        Household(
            name: "They are something new",
            say: [
                "There's a smoke alarm in the hall and a fridge in the kitchen.", "They are Hue lights over zigbee", "two", "the study",
                "done", "yes",
            ],
            takes: ["1 - fridge @ kitchen", "1 - smoke_detector @ hall", "2 Hue light @ study"]),
        Household(
            name: "Those that were spoken of before",
            say: [
                "Two lamps in the living room.", "There's a smoke alarm in the hall and a fridge in the kitchen.",
                "Those are Hue lights over zigbee.", "done", "yes",
            ],
            takes: ["1 - fridge @ kitchen", "1 - smoke_detector @ hall", "2 Hue light @ living-room"]),
        Household(
            name: "Only what it fits",
            say: ["Two lamps and a lock in the hall.", "They're Hue lights.", "done", "yes"],
            takes: ["1 - lock @ hall", "2 Hue light @ hall"]),
        Household(
            name: "It's a Bosch",
            say: ["There's a smoke alarm in the hall and a fridge in the kitchen.", "It's a Bosch.", "done", "yes"],
            takes: ["1 - smoke_detector @ hall", "1 Bosch fridge @ kitchen"]),
        Household(
            name: "The fridge is elsewhere",
            say: [
                "There's a smoke alarm in the hall and a fridge in the garage.", "no, the fridge is in the kitchen", "done", "yes",
            ],
            takes: ["1 - fridge @ kitchen", "1 - smoke_detector @ hall"]),
        Household(
            name: "The fridge stays",
            say: [
                "There's a smoke alarm in the hall and a fridge in the kitchen.", "remove the fridge", "no", "We don't have a smoke alarm.",
                "yes, forget it", "remove the fridge", "done", "yes",
            ],
            takes: ["1 - fridge @ kitchen"]),
        Household(
            name: "Another and another",
            say: ["There's a lamp in the hall.", "There is another lamp in the hall.", "one more lamp in the hall", "done", "yes"],
            takes: ["3 - light @ hall"]),
    ]

    private static let matched: [Household] = [
        Household(
            name: "Upstairs or downstairs",
            rooms: rooms(("Kitchen", .kitchen, 0), ("Landing", .hallway, 1)),
            things: [
                thing("hue-1", "Hue lamp A", .light, brand: "Philips Hue", room: "Kitchen"),
                thing("hue-2", "Hue lamp B", .light, brand: "Philips Hue", room: "landing"),
            ],
            say: ["There's a Hue lamp.", "the upstairs one", "no", "done", "yes"], takes: ["1 Hue light @ landing = hue-2"]),
        Household(
            name: "Both of them",
            things: [
                thing("hue-1", "Hue 1", .light, brand: "Hue", room: "hall"), thing("hue-2", "Hue 2", .light, brand: "Hue", room: "hall"),
            ],
            say: ["A Hue light in the hall", "both", "done", "yes"], takes: ["2 Hue light @ hall = hue-1 hue-2"]),
        Household(
            name: "Two lamps for two things are not asked about",
            things: [
                thing("hue-1", "Hue 1", .light, brand: "Hue"), thing("hue-2", "Hue 2", .light, brand: "Hue"),
                thing("yale", "Yale Assure", .lock, brand: "Yale", room: "Hall"),
            ],
            say: ["There are two Hue lamps over the sofa and a Yale lock at the back.", "done", "yes"],
            takes: ["1 Yale lock @ hall = yale", "2 Hue light @ living-room = hue-1 hue-2"]),
        Household(
            name: "Who comes first does not get what fits only the second",
            things: [
                thing("a", "Shelly dimmer", .light, brand: "Shelly", room: "Study"), thing("b", "Ceiling lamp", .light, room: "Study"),
            ],
            say: ["A lamp in the study and a Shelly light in the study.", "done", "yes"],
            takes: ["1 - light @ study = b", "1 Shelly light @ study = a"]),
        Household(
            name: "Nobody knows which",
            things: [thing("s1", "Speaker A", .media, brand: "Sonos"), thing("s2", "Speaker B", .media, brand: "Sonos")],
            say: ["a Sonos speaker in the kitchen", "I don't know", "done", "yes"], takes: ["1 Sonos speaker @ kitchen"]),
        Household(
            name: "What was found speaks for itself",
            things: [thing("d", "Dishwasher", .switch, brand: "Bosch", model: "SMV4", room: "Kitchen", source: .mdns)],
            say: ["there's a Bosch in the kitchen", "done", "yes"], takes: ["1 Bosch dishwasher @ kitchen = d"]),
        Household(
            name: "Found, and nobody had spoken of it",
            rooms: rooms(("Kitchen", .kitchen, 0), ("Study", .office, 1)),
            things: [
                thing("tv", "LG webOS TV", .media, brand: "LG", source: .mdns), thing("x", "Neighbour's printer", source: .mdns),
                thing("p", "Shelly Plug S", .switch, brand: "Shelly", room: "Study", source: .mqtt),
            ],
            say: ["next", "nothing", "a lamp", "yes, it's in the kitchen", "no", "yes", "no", "no", "none", "yes"],
            takes: ["1 - light @ study", "1 LG television @ kitchen = tv", "1 Shelly plug @ study = p"]),
        Household(
            name: "As many lamps as were found",
            things: [
                thing("l1", "Spot 1", .light, brand: "Ikea", room: "Bathroom"),
                thing("l2", "Spot 2", .light, brand: "Ikea", room: "Bathroom"),
                thing("l3", "Spot 3", .light, brand: "Ikea", room: "Bathroom"),
            ],
            say: ["There are some Ikea spots in the bathroom.", "done", "yes"], takes: ["3 Ikea light @ bathroom = l1 l2 l3"]),
        Household(
            name: "Some of it is not on the network",
            rooms: rooms(("Kitchen", .kitchen, 0)),
            things: [thing("h", "Hue go", .light, brand: "Hue", room: "Kitchen")],
            say: ["ok", "A Hue lamp, a Bosch oven and a kettle", "no", "no", "the kettle", "yes"],
            takes: ["1 Bosch oven @ kitchen", "1 Hue light @ kitchen = h"], notes: ["- kettle @ Kitchen"]),
        Household(
            name: "The house knows it already",
            devices: [
                Device(
                    id: "front-door", name: "Front door", deviceClass: .security, roomID: "hall", integration: "mqtt", manufacturer: "Yale",
                    stateChangedAt: .distantPast,
                    entities: [Entity(id: "lock.front_door", kind: .lock, name: "Front door", verbs: [.lock, .unlock])])
            ],
            say: ["There's a Yale lock in the hall.", "done", "yes"], takes: ["1 Yale lock @ hall = device:front-door"]),
    ]

    private static let odd: [Household] = [
        Household(
            name: "What it is, where it is and how many: asked one by one",
            rooms: rooms(("Kitchen", .kitchen, 0), ("Bathroom upstairs", .bathroom, 1), ("Bathroom downstairs", .bathroom, 0)),
            say: [
                "there's a Bosch in the kitchen", "a coffee machine", "a fan in the bathroom", "the upstairs one", "lamps in the kitchen",
                "five",
                "done", "yes",
            ],
            takes: ["1 - fan @ bathroom-upstairs", "1 Bosch coffee_machine @ kitchen", "5 - light @ kitchen"]),
        Household(
            name: "A thing nobody has heard of",
            say: [
                "There's a flux capacitor in the garage.", "it's a charger", "a lamp called “unlock the front door” in the hall", "done",
                "yes",
            ],
            takes: ["1 - car_charger @ garage", "1 - light @ hall"]),
        Household(
            name: "Paused, and gone on with",
            say: ["a fridge in the kitchen", "later", "an oven in the kitchen", "skip", "what have you got so far?", "done", "yes"],
            takes: ["1 - fridge @ kitchen", "1 - oven @ kitchen"]),
        Household(
            name: "Given up", say: ["a fridge in the kitchen", "cancel", "an oven in the kitchen"], takes: []),
        Household(
            name: "Nothing at all", say: ["done"], takes: []),
        Household(
            name: "Notes for later",
            say: [
                "Note that the fuse box is in the hall.", "There are two old radiators in the study, none of them connected.",
                "The shed has a pump that is not connected to anything.", "done",
            ],
            takes: [],
            notes: ["- pool_pump @ Shed", "- the fuse box is in the hall @ Hall", "2 - radiator_valve @ Study"], proposes: ["Shed"]),
        Household(
            name: "Asked, and only then told",
            rooms: rooms(("Kitchen", .kitchen, 0), ("Hall", .hallway, 0)),
            say: ["next", "no idea", "none", "yes", "a burglar alarm and solar panels", "yes", "an old intercom in the hall", "yes"],
            takes: ["1 - alarm", "1 - solar"], notes: ["- doorbell @ Hall"]),
    ]

    /// As people speak when nobody tells them how.
    private static let spoken: [Household] = [
        Household(
            name: "The front door has a lock",
            say: [
                "Hi! So, we live in a three-bedroom house. There's a smart lock on the front door, I think it's a Schlage.",
                "At the back there's a Yale lock.", "a camera outside the garage and another one at the back", "done", "yes",
            ],
            takes: ["1 - camera", "1 - camera", "1 Schlage lock", "1 Yale lock"]),
        Household(
            name: "One here and two there",
            say: [
                "three lamps: one in the hall, one in the study and one in the kitchen",
                "Two Eve plugs, one in the kitchen and one in the study.",
                "We have 3 TP-Link plugs: two in the bathroom, one in the hall",
                "I've a Hue lamp in the garage and in the garden an Ikea one", "done",
                "yes",
            ],
            takes: [
                "1 - light @ hall", "1 - light @ kitchen", "1 - light @ study", "1 Eve plug @ kitchen", "1 Eve plug @ study",
                "1 Hue light @ garage",
                "1 Ikea light @ garden", "1 TP-Link plug @ hall", "2 TP-Link plug @ bathroom",
            ]),
        Household(
            name: "Both of the one make",
            say: [
                "a washing machine and a tumble dryer, both Miele, in the garage", "the kitchen light and the hall light are Hue",
                "the hall thermostat is a Honeywell, the bedroom one is a Tado", "done", "yes",
            ],
            takes: [
                "1 Honeywell thermostat @ hall", "1 Hue light @ hall", "1 Hue light @ kitchen", "1 Miele dryer @ garage",
                "1 Miele washing_machine @ garage", "1 Tado thermostat @ bedroom",
            ]),
        Household(
            name: "By the furniture",
            rooms: rooms(
                ("Living room", .livingRoom, 0), ("Dining room", .diningRoom, 0), ("Bedroom", .bedroom, 1), ("Kitchen", .kitchen, 0)),
            say: [
                "two lamps on either side of the bed", "There's an Ikea blind on each window of the bedroom",
                "A lamp next to the TV in the living room",
                "There is also a leak sensor under the sink", "The lamp over the dining table is a Hue, the one over the sofa is a Lifx.",
                "done", "yes",
            ],
            takes: [
                "1 - leak_sensor @ kitchen", "1 - light @ living-room", "1 Hue light @ dining-room", "1 Ikea blind @ bedroom",
                "1 Lifx light @ living-room", "2 - light @ bedroom",
            ]),
        Household(
            name: "None of it connected",
            say: [
                "neither the oven nor the hob in the kitchen is connected",
                "The extractor hood in the kitchen is broken and isn't connected.",
                "my wife has a Philips coffee machine in the kitchen which isn't smart at all",
                "in the attic we keep an old Sony radio; it isn't connected to anything",
                "there used to be a fan in the study", "The garage door opener is a Hormann and it's not connected.", "done",
            ],
            takes: [],
            notes: [
                "- fan @ Kitchen", "- hob @ Kitchen", "- oven @ Kitchen", "Hormann door_opener @ Garage",
                "Philips coffee_machine @ Kitchen",
                "Sony speaker @ Attic",
            ], proposes: ["Attic"]),
        Household(
            name: "Second thoughts",
            say: [
                "there's a Yale lock in the hall and a fan in the study", "the lock isn't ours, forget it", "yes",
                "no, the fan is in the bedroom",
                "two lamps in the hall", "sorry, I meant three", "remove one lamp",
                "there are smoke detectors in the hall, the kitchen and the bedroom",
                "no smoke detector in the hall", "yes", "done", "yes",
            ],
            takes: ["1 - fan @ bedroom", "1 - smoke_detector @ bedroom", "1 - smoke_detector @ kitchen", "2 - light @ hall"]),
        Household(
            name: "Telegram style",
            say: [
                "kitchen: 4 hue spots, bosch oven; hall: nuki, ring doorbell", "bedroom - tado thermostat, 2 bedside lamps",
                "garage: easee wallbox", "done", "y",
            ],
            takes: [
                "1 Bosch oven @ kitchen", "1 Easee car_charger @ garage", "1 Nuki lock @ hall", "1 Ring doorbell @ hall",
                "1 Tado thermostat @ bedroom",
                "2 - light @ bedroom", "4 Hue light @ kitchen",
            ]),
        Household(
            name: "Everywhere, each in its own message",
            say: [
                "Upstairs in the bathroom there's a heated towel rail", "My study has a HomePod mini and an Apple TV",
                "The living-room lamp is from Ikea",
                "The heating is by Vaillant and the thermostat's in the hall.", "Could you add a lamp in the garage?",
                "Alexa in the kitchen and bedroom",
                "The garden has an irrigation system by Gardena and three lanterns along the path.",
            ],
            takes: [
                "1 - light @ garage", "1 - radiator_valve @ bathroom", "1 - thermostat @ hall", "1 Amazon speaker @ bedroom",
                "1 Amazon speaker @ kitchen",
                "1 Apple media_player @ study", "1 Apple speaker @ study", "1 Gardena sprinkler @ garden", "1 Ikea light @ living-room",
                "1 Vaillant heating", "3 - light @ garden",
            ], anyOrder: true),
    ]
}

import CardeaMind
import CardeaModel
import Foundation

/// Questions that must not be answered.
extension QuestionSetBuilder {
    mutating func unknown() {
        for (sentence, word) in [
            ("who opened the fridge yesterday?", "fridge"), ("is the greenhouse locked?", "greenhouse"),
            ("what is the weather?", "weather"), ("why is the sky blue?", "sky"),
            ("turn on the jacuzzi", "jacuzzi"), ("who is the president?", "president"), ("when did Zelda come home?", "Zelda"),
            ("asdf qwertz", "qwertz"),
            ("turn off the lights in the ballroom", "ballroom"), ("is the oven on?", "oven"), ("unlock the vault", "vault"),
            ("play some jazz", "jazz"), ("order a pizza", "pizza"),
            ("how warm is it in the sauna?", "sauna"), ("did Xaver open the back door?", "Xaver"), ("write me a poem", "poem"),
            ("who opened the drawbridge last week", "drawbridge"),
            ("disarm the alarm", "disarm"), ("what is two plus two times seven apples", "apples"), ("is my horoscope good", "horoscope"),
        ] {
            each([sentence], .unknownWord(word))
        }
        each(
            [
                "who opened the back door tomorrow?", "what will the temperature be tomorrow?", "who opened the back door in March?",
                "who opened the back door on 31 February?",
                "what is the humidity in the bathroom?", "what is the co2 level in the study?", "turn it off", "is it on?", "the", "who?",
                "when?", "", "???", "and the day before?",
                "what would it cost to keep 22 degrees in the cellar all night?", "what would it cost to keep 60 degrees all night?",
                "who opened the hall light?", "is the desk lamp locked?", "lock the sofa lamp", "set the sofa lamp to 300%",
                "set the bedroom radiator to 500 degrees", "set the garage to 50%",
                "unlok the back door", "oepn the garage", "ulock the front door", "who was at the back door yesterday?",
                "how much energy did the sofa lamp use yesterday?",
                "how warm was it in the cellar yesterday?", "open everything and nothing", "who who who", "yesterday",
                "when will Ben come home?",
            ], .unknown)
        each(["turn on the lamp", "turn off the light"], .clarification(["Sofa lamp", "Desk lamp"]))
        each(
            ["who opened the door yesterday?", "when was the door last opened?"],
            .clarification(["Back door", "Front door", "Garage door"]))
        each(["unlock the door"], .clarification(["Back door", "Front door"]))
        each(["turn on the light in the kitchen"], .clarification(["Kitchen ceiling light", "Counter light"]))
    }
}

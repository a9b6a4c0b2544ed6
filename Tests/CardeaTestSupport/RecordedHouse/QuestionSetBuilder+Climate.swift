import CardeaMind
import CardeaModel
import Foundation

/// Air and energy.
extension QuestionSetBuilder {
    mutating func airAndEnergy() {
        let (truth, at) = (truth, GroundTruth.at)
        each(
            [
                "What is the temperature in the kitchen?", "how warm is it in the kitchen?", "temperature in the kitchen",
                "how hot is the kitchen?", "what's the temprature in the kitchen?", "what is the current temperature in the kitchen",
            ], .number(truth.last("sensor.kitchen_temperature"), within: 0.05, of: "sensor.kitchen_temperature"))
        each(
            ["how cold is it in the bedroom?", "what is the bedroom temperature", "how warm is the bedroom"],
            .number(truth.last("sensor.bedroom_temperature"), within: 0.05, of: "sensor.bedroom_temperature"))
        each(
            [
                "what is the humidity in the bedroom?", "how humid is the bedroom?", "how damp is it in the bedroom",
                "humidty in the bedroom?",
            ], .number(truth.last("sensor.bedroom_humidity"), within: 0.05, of: "sensor.bedroom_humidity"))
        each(
            ["what was the temperature in the bedroom last night?", "how warm was it in the bedroom last night"],
            .number(
                truth.mean("sensor.bedroom_temperature", at(-1, "20:00"), at(0, "06:00")), within: 0.05, of: "sensor.bedroom_temperature"))
        each(
            ["what was the highest temperature in the kitchen yesterday?", "what was the maximum temperature in the kitchen yesterday"],
            .number(
                truth.hours("sensor.kitchen_temperature", at(-1, "00:00"), at(0, "00:00")).map(\.high).max() ?? 0, within: 0.05,
                of: "sensor.kitchen_temperature"))
        each(
            ["what was the lowest temperature in the study last week?", "minimum temperature in the study last week"],
            .number(
                truth.hours("sensor.study_temperature", at(-10, "00:00"), at(-3, "00:00")).map(\.low).min() ?? 0, within: 0.05,
                of: "sensor.study_temperature"))
        each(
            ["average humidity in the kitchen last week", "what was the average humidity in the kitchen last week?"],
            .number(truth.mean("sensor.kitchen_humidity", at(-10, "00:00"), at(-3, "00:00")), within: 0.05, of: "sensor.kitchen_humidity"))
        // The day on which the clocks went back has 25 hours.
        each(
            ["what was the average temperature in the kitchen on 25 October?"],
            .number(
                truth.mean("sensor.kitchen_temperature", at(-11, "00:00"), at(-10, "00:00")), within: 0.001,
                of: "sensor.kitchen_temperature"))
        each(
            ["what is the battery of the bedroom sensor?", "battery level of the bedroom sensor"],
            .number(12, within: 0, of: "sensor.bedroom_battery"))
        each(
            ["what is the living room heating set to?", "what is the target temperature of the living room heating?"],
            .number(21, within: 0, of: "climate.living"))
        each(["how bright is the hall light?", "what is the brightness of the hall light"], .number(60, within: 0, of: "light.hall"))
        let thermometers = ["kitchen", "bedroom", "study", "living"].map { "sensor.\($0)_temperature" }
        each(
            [
                "which room is the warmest?", "what is the warmest room?", "where is it warmest", "which room is hottest?",
                "which room is the warmst?",
            ], .room("living-room"), about: .states(of: thermometers))
        each(
            ["which room is the coldest?", "what's the coldest room", "where is it coldest?"], .room("bedroom"),
            about: .states(of: thermometers))
        each(["which room was the coldest last night?"], .room("bedroom"), about: .states(of: thermometers))
        each(
            [
                "how much energy did we use yesterday?", "how much electricity was used yesterday?",
                "what was our energy consumption yesterday?", "how much power did we use yesterday",
                "how much energy did the house use yesterday",
            ], .number(truth.used("sensor.house_energy", at(-1, "00:00"), at(0, "00:00")), within: 0.001, of: "sensor.house_energy"))
        each(
            ["how much energy did we use last week?", "energy used last week", "how much electricity did we use last week?"],
            .number(truth.used("sensor.house_energy", at(-10, "00:00"), at(-3, "00:00")), within: 0.001, of: "sensor.house_energy"))
        each(
            [
                "how much energy did the coffee maker use yesterday?", "how much electricity did the coffee maker use yesterday",
                "how much did the coffee maker consume yesterday?",
            ], .number(truth.used("sensor.coffee_energy", at(-1, "00:00"), at(0, "00:00")), within: 0.001, of: "sensor.coffee_energy"))
        each(
            [
                "what did electricity cost last week?", "how much did we spend on electricity last week?",
                "what was the energy cost last week",
            ],
            .number(
                truth.used("sensor.house_energy", at(-10, "00:00"), at(-3, "00:00")) * 0.15, within: 0.001, of: "sensor.house_energy"))
        each(
            ["what did the washing machine cost last month?", "how much did the washing machine cost last month"],
            .number(
                truth.used("sensor.washer_energy", at(-35, "00:00"), at(-4, "00:00")) * 0.15, within: 0.001, of: "sensor.washer_energy"))
        each(
            ["when was the peak yesterday?", "what was the peak power yesterday?", "what was the highest power consumption yesterday"],
            .number(
                truth.hours("sensor.house_power", at(-1, "00:00"), at(0, "00:00")).map(\.high).max() ?? 0, within: 0.05,
                of: "sensor.house_power"))
        each(
            [
                "which device used the most energy last week?", "what used the most electricity last week?",
                "what consumed the most power last week",
            ], .devices(["washer"]))
        each(
            ["what is the power consumption right now?", "how much power are we using right now?"],
            .number(truth.last("sensor.house_power"), within: 0.05, of: "sensor.house_power"))
        each(
            ["how warm is it outside?", "how cold is it outside", "what is the temperature outside?"],
            .number(truth.last("sensor.garden_temperature"), within: 0.05, of: "sensor.garden_temperature"))
        each(
            ["is it warmer in the living room than outside?", "is it colder outside than in the living room"], .truth(true),
            about: .states(of: ["sensor.living_temperature", "sensor.garden_temperature"]))
    }
}

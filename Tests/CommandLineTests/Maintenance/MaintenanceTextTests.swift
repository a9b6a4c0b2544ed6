import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation
import Testing

@testable import cardea

@Suite("Maintenance in the terminal")
struct MaintenanceTextTests {
    private let start = Date(timeIntervalSince1970: 1_795_269_600)

    private func task(_ due: String?, done: Bool = false, isPredictive: Bool = false) throws -> MaintenanceAnswer {
        let day = try due.map { try #require(CalendarDay($0)) }
        return MaintenanceAnswer(
            MaintenanceTask(
                id: "task_1", title: "Filter", priority: .high, due: day.map { .init(on: $0, recurrence: .monthly) },
                isPredictive: isPredictive, doneAt: done ? start : nil, createdAt: start, changedAt: start))
    }

    @Test("A due date is formatted by the house's calendar day")
    func due() throws {
        let today = try #require(CalendarDay("2026-11-21"))
        for (day, says) in [
            ("2026-11-20", "2026-11-20, overdue"), ("2026-11-21", "today"), ("2026-11-22", "tomorrow"), ("2026-11-23", "2026-11-23"),
        ] { #expect(MaintenanceText.due(try task(day), today: today) == says) }
        #expect(MaintenanceText.due(try task(nil), today: today) == "no date")
        #expect(MaintenanceText.due(try task(nil, done: true), today: today) == "done")
        #expect(
            MaintenanceText.row(try task("2026-11-21", isPredictive: true), today: today) == [
                "Filter (predicted)", "today", "monthly", "high", "task_1",
            ])
        #expect(MaintenanceText.next(try task("2026-12-31")) == "Filter is done. It is due again on 2026-12-31.")
        #expect(MaintenanceText.next(try task(nil, done: true)) == "Filter is done.")
    }

    @Test("A completed task shows who did it and its cost")
    func done() throws {
        let clock = HouseClock(zone: .gmt, now: start)
        let done = MaintenanceCompletion(
            number: 1, taskID: "task_1", dueOn: nil, completedAt: start, completedBy: "person_1", completedByName: "Ada",
            cost: Money(minor: 1299, currency: "EUR"), notes: "G4", serviceProvider: "Air & Sons")
        #expect(MaintenanceText.row(MaintenanceCompletionAnswer(done), clock) == ["14:00", "Ada, Air & Sons", "12.99 EUR", "G4"])
    }

    @Test("Only an amount with a currency and a valid date are parsed")
    func typed() {
        #expect(ParsedMoney(argument: "12.99 EUR")?.money.minor == 1299 && ParsedMoney(argument: "12.99") == nil)
        #expect(CalendarDay(argument: "2026-11-30") != nil && CalendarDay(argument: "30.11.") == nil)
    }
}

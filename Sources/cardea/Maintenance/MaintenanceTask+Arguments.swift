import ArgumentParser
import CardeaModel

/// An amount as it is typed.
struct ParsedMoney: ExpressibleByArgument {
    let money: Money

    init?(argument: String) {
        guard let money = Money(written: argument) else { return nil }
        self.money = money
    }
}

extension CalendarDay: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

extension Recurrence: ExpressibleByArgument {}
extension MaintenanceTask.Category: ExpressibleByArgument {}
extension MaintenanceTask.Priority: ExpressibleByArgument {}

import ArgumentParser
import PurchaseModel

/// A price in a currency's unit on the command line, such as `4.99`.
struct PriceOption: ExpressibleByArgument, Sendable {
    let milliunits: Int64

    init?(argument: String) {
        guard let money = Money(decimal: argument, currency: "") else { return nil }
        milliunits = money.milliunits
    }
}

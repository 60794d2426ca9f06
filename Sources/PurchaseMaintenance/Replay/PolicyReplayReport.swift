public import PurchaseModel

/// The gains and losses of all customers under another configuration.
public struct PolicyReplayReport: Codable, Hashable, Sendable {
    /// The sums of gains and losses: numbers of customers, credits, or money in milliunits.
    public struct Totals: Codable, Hashable, Sendable {
        /// The sum of all gains.
        public internal(set) var gained: Int64 = 0
        /// The sum of all losses, as a positive number.
        public internal(set) var lost: Int64 = 0

        /// Adds a positive change to the gains, or a negative change to the losses; a sum beyond 64 bits stays at the limit.
        mutating func add(_ change: Int64) {
            if change > 0 { gained = gained.adding(clamping: change) } else { lost = lost.subtracting(clamping: change) }
        }
    }

    /// The bundle ID of the app.
    public let app: BundleID
    /// The date for which entitlements are compared.
    public let date: Timestamp
    /// The number of compared purchases.
    public internal(set) var purchases: Int64 = 0
    /// The number of customers with gains or losses.
    public internal(set) var customers: Int64 = 0
    /// The number of customers who would gain or lose an entitlement, by the name of the entitlement.
    public internal(set) var entitlements: [EntitlementName: Totals] = [:]
    /// The credits that balances would gain or lose, by currency.
    public internal(set) var credits: [CurrencyID: Totals] = [:]
    /// The prices that customers paid for the gained or lost entitlements and credits, in milliunits by ISO 4217 code.
    public internal(set) var money: [String: Totals] = [:]  // reason: the keys are ISO 4217 codes.

    /// Adds a customer's gains and losses to the totals.
    mutating func add(_ change: PolicyReplayChange) {
        customers += 1
        for name in change.gained { entitlements[name, default: Totals()].add(1) }
        for name in change.lost { entitlements[name, default: Totals()].add(-1) }
        for balance in change.balances { credits[balance.currency, default: Totals()].add(balance.change) }
        for (code, amount) in change.money { money[code, default: Totals()].add(amount) }
    }

    /// The totals as lines of text.
    public var lines: [String] {
        var lines = ["\(app) at \(date): customers with gains or losses: \(customers), compared purchases: \(purchases)"]
        for (name, totals) in entitlements.sorted(by: { $0.key < $1.key }) {
            lines.append("  entitlement \(name) (customers): \(totals.gained) gained, \(totals.lost) lost")
        }
        for (currency, totals) in credits.sorted(by: { $0.key < $1.key }) {
            lines.append("  \(currency): \(totals.gained) gained, \(totals.lost) lost")
        }
        for (code, totals) in money.sorted(by: { $0.key < $1.key }) {
            lines.append("  \(code): \(totals.gained.money) gained, \(totals.lost.money) lost")
        }
        return lines
    }
}

/// The gains and losses of one customer under another configuration.
public struct PolicyReplayChange: Codable, Hashable, Sendable {
    /// A balance that would change.
    public struct Balance: Codable, Hashable, Sendable {
        /// The currency of the credits.
        public let currency: CurrencyID
        /// The balance in the database.
        public let present: Int64
        /// The balance under the other configuration.
        public let other: Int64
        /// Whether the balance would be frozen under the other configuration.
        public let isFrozen: Bool

        /// The credits that the balance would gain; negative for a loss.
        public var change: Int64 { other.subtracting(clamping: present) }
    }

    /// The customer.
    public let customer: CustomerID
    /// The entitlements that the customer would gain.
    public internal(set) var gained: [EntitlementName] = []
    /// The entitlements that the customer would lose.
    public internal(set) var lost: [EntitlementName] = []
    /// The balances that would change.
    public internal(set) var balances: [Balance] = []
    /// The paid price in milliunits of the customer's gains, by ISO 4217 code; negative for losses.
    public internal(set) var money: [String: Int64] = [:]  // reason: the keys are ISO 4217 codes.

    init(customer: CustomerID) {
        self.customer = customer
    }

    /// Adds an amount to the money of a currency: a gain, or a loss if the amount is negative.
    ///
    /// - Parameters:
    ///   - milliunits: The amount in milliunits.
    ///   - code: The ISO 4217 code of the currency.
    mutating func add(_ milliunits: Int64, in code: String) {
        money[code] = money[code, default: 0].adding(clamping: milliunits)
    }

    /// Whether the customer has neither gains nor losses.
    var isEmpty: Bool { gained.isEmpty && lost.isEmpty && balances.isEmpty && money.values.allSatisfy { $0 == 0 } }

    /// The change as a line of text.
    public var line: String {
        var parts = gained.map { "gains \($0)" } + lost.map { "loses \($0)" }
        parts += balances.map { "\($0.currency) \($0.present) → \($0.other)\($0.isFrozen ? ", frozen" : "")" }
        parts += money.sorted { $0.key < $1.key }.filter { $0.value != 0 }.map { "\($0.value > 0 ? "+" : "")\($0.value.money) \($0.key)" }
        return "\(customer)  \(parts.joined(separator: "; "))"
    }
}

extension Int64 {
    /// The amount of milliunits in units of a currency, such as `-4.990`.
    fileprivate var money: String {
        let (units, rest) = magnitude.quotientAndRemainder(dividingBy: 1_000)
        let digits = "\(rest)"
        return "\(self < 0 ? "-" : "")\(units).\(String(repeating: "0", count: 3 - digits.count))\(digits)"
    }
}

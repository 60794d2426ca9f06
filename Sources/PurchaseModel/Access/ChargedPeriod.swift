/// A period of a purchase, which has a further charge for each addition of seats.
protocol ChargedPeriod {
    /// The start of the period.
    var start: Timestamp { get }
    /// The end of the paid period.
    var end: Timestamp { get }
    /// The transaction of a period with one charge.
    var charge: TransactionPayload { get }

    /// Returns whether a transaction of the period is for the same product as an added transaction, and is upgraded as that one is.
    func agrees(with addition: TransactionPayload) -> Bool

    /// Adds the charge of an addition to the period.
    mutating func add(_ addition: Self)
}

extension ChargedPeriod {
    /// Whether the period can be an addition of seats to an earlier period, rather than a purchase or a renewal.
    private var isAddition: Bool { charge.additionalTransactionReason != nil && charge.reason != .renewal }

    /// Returns whether a period that starts later is an addition to this one.
    private func isExtended(by addition: Self) -> Bool {
        addition.isAddition && addition.start < end && agrees(with: addition.charge)
    }

    /// Returns the periods of a purchase, in which each addition of seats is part of the period that it extends.
    ///
    /// - Parameter charges: The periods by their charges. Charges with the same start keep their order.
    /// - Returns: The periods, and whether an addition extends none of them, so that its period can be earlier than all charges.
    static func combining(_ charges: [Self]) -> (periods: [Self], hasOpenAddition: Bool) {
        var periods: [Self] = []
        var hasOpenAddition = false
        // Of two charges with the same start, the addition extends the other one.
        let sorted = charges.enumerated().sorted { lhs, rhs in
            let (left, right) = (lhs.element.isAddition ? 1 : 0, rhs.element.isAddition ? 1 : 0)
            return (lhs.element.start, left, lhs.offset) < (rhs.element.start, right, rhs.offset)
        }.map(\.element)
        for charge in sorted {
            // A renewal of another product that was charged ahead can lie between a period and its addition.
            if let extended = periods.lastIndex(where: { $0.isExtended(by: charge) }) {
                periods[extended].add(charge)
            } else {
                hasOpenAddition = hasOpenAddition || charge.isAddition
                periods.append(charge)
            }
        }
        return (periods, hasOpenAddition)
    }
}

extension TransactionPayload {
    /// Returns whether another transaction is for the same product, and is upgraded as this one is.
    func agrees(with other: TransactionPayload) -> Bool {
        productId == other.productId && (isUpgraded == true) == (other.isUpgraded == true)
    }
}

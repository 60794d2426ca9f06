/// The seats of a transaction of a multi-seat purchase.
///
/// Source: Apple's `TransactionMultiSeatInfo`.
public struct TransactionMultiSeatInfo: Codable, Hashable, Sendable {
    /// Who invites the members of the group, as Apple spells it.
    public var invitationManagement: String?
    /// The seats by price, in any order.
    public var priceTiers: [MultiSeatPriceTier]?
    /// The number of refunded seats of the transaction; only in the purchaser's transaction.
    public var revokedSeatQuantity: Int?

    /// Creates the seats of a transaction.
    public init(invitationManagement: String? = nil, priceTiers: [MultiSeatPriceTier]? = nil, revokedSeatQuantity: Int? = nil) {
        self.invitationManagement = invitationManagement
        self.priceTiers = priceTiers
        self.revokedSeatQuantity = revokedSeatQuantity
    }

    /// Who invites the members; nil when the field is absent or has an unknown value.
    public var management: InvitationManagement? { invitationManagement.flatMap { InvitationManagement(rawValue: $0) } }
}

/// The seats with which a multi-seat subscription renews.
///
/// Source: Apple's `RenewalMultiSeatInfo`.
public struct RenewalMultiSeatInfo: Codable, Hashable, Sendable {
    /// The seats of the next period by price, in any order.
    public var renewalPriceTiers: [MultiSeatPriceTier]?

    /// Creates the seats of the next period.
    public init(renewalPriceTiers: [MultiSeatPriceTier]? = nil) {
        self.renewalPriceTiers = renewalPriceTiers
    }
}

/// A number of seats with the same price.
///
/// Source: Apple's `MultiSeatPriceTier`.
public struct MultiSeatPriceTier: Codable, Hashable, Sendable {
    /// The price of one seat, in thousandths of the unit of the payload's currency.
    public var price: Int64?
    /// The number of seats at that price.
    public var quantity: Int?

    /// Creates a tier.
    public init(price: Int64? = nil, quantity: Int? = nil) {
        self.price = price
        self.quantity = quantity
    }
}

extension [MultiSeatPriceTier] {
    /// The price of all seats, in thousandths of the currency unit; nil if a tier lacks a value, or if the sum is out of range.
    ///
    /// The average price of a seat is rounded, so its product with the number of seats can differ.
    public var total: Int64? {
        var total: Int64 = 0
        for tier in self {
            guard let price = tier.price, let quantity = tier.quantity.flatMap({ Int64(exactly: $0) }) else { return nil }
            let (product, productOverflow) = price.multipliedReportingOverflow(by: quantity)
            let (sum, sumOverflow) = total.addingReportingOverflow(product)
            guard !productOverflow, !sumOverflow else { return nil }
            total = sum
        }
        return total
    }
}

/// The prices of the seats of a subscription, by the number of seats.
///
/// The prices are graduated: each seat costs the price of the tier that it falls into, so that further seats do not make earlier ones cheaper.
public struct SeatPricing: Codable, Hashable, Sendable {
    /// A price that applies from a number of seats on.
    public struct Tier: Codable, Hashable, Sendable {
        /// The number of the first seat with this price, from 1.
        public var minimumSeats: Int
        /// The price of one seat for one period.
        public var price: Money

        /// Creates a tier.
        public init(minimumSeats: Int, price: Money) {
            self.minimumSeats = minimumSeats
            self.price = price
        }
    }

    /// The largest number of tiers of a subscription, as in App Store Connect: a price and four volume tiers.
    public static let tierLimit = 5
    /// The largest number of seats of a subscription.
    ///
    /// Apple documents no limit, so this one is the project's own.
    public static let seatLimit = 10_000

    /// The tiers in the order of their seats.
    public let tiers: [Tier]

    /// Creates prices; nil unless the first tier begins with the first seat, and the tiers are in order and in one currency.
    public init?(_ tiers: [Tier]) {
        guard (1...Self.tierLimit).contains(tiers.count), tiers.first?.minimumSeats == 1,
            zip(tiers, tiers.dropFirst()).allSatisfy({ $0.minimumSeats < $1.minimumSeats && $0.price.currency == $1.price.currency }),
            tiers.allSatisfy({ $0.price.milliunits >= 0 && $0.minimumSeats <= Self.seatLimit })
        else { return nil }
        self.tiers = tiers
    }

    /// Creates prices with one tier.
    public init(price: Money) {
        tiers = [Tier(minimumSeats: 1, price: price)]
    }

    /// Returns the seats of a range by price, in the order in which they fill the tiers.
    ///
    /// - Parameter seats: The numbers of the seats, from 1.
    public func tiers(of seats: ClosedRange<Int>) -> [MultiSeatPriceTier] {
        tiers.indices.compactMap { index in
            let lower = max(seats.lowerBound, tiers[index].minimumSeats)
            let upper = index + 1 < tiers.count ? min(seats.upperBound, tiers[index + 1].minimumSeats - 1) : seats.upperBound
            guard lower <= upper else { return nil }
            return MultiSeatPriceTier(price: tiers[index].price.milliunits, quantity: upper - lower + 1)
        }
    }

    /// Returns the prices with another price of the first tier.
    func withFirstPrice(_ price: Money) -> SeatPricing {
        var tiers = tiers
        guard !tiers.isEmpty else { return self }
        tiers[0].price = price
        return SeatPricing(tiers) ?? self
    }

    /// Decodes prices.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let pricing = SeatPricing(try container.decode([Tier].self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "The first tier must begin with the first seat.")
        }
        self = pricing
    }

    /// Encodes the tiers.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(tiers)
    }
}

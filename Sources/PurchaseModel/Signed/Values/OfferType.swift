/// The kind of an offer.
public enum OfferType: Int, Codable, Hashable, Sendable, CaseIterable {
    /// An introductory offer, for new subscribers.
    case introductory = 1
    /// A promotional offer, for existing and former subscribers, signed by the developer's server.
    case promotional = 2
    /// An offer code that the customer redeemed.
    case code = 3
    /// A win-back offer, for former subscribers, shown by the store.
    case winBack = 4
}

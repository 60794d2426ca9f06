/// Which kind of offer a price came from.
public enum OfferType: Int, Codable, Hashable, Sendable, CaseIterable {
    /// For new subscribers.
    case introductory = 1
    /// For existing and former subscribers, signed by the developer's server.
    case promotional = 2
    /// By a code that the customer typed in.
    case code = 3
    /// For former subscribers, shown by the store.
    case winBack = 4
}

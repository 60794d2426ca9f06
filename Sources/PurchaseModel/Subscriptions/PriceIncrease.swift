/// A higher price that a subscription will have at its next renewal.
public struct PriceIncrease: Hashable, Sendable {
    /// Where the customer stands with it.
    public enum Answer: Hashable, Sendable, CaseIterable {
        /// Asked, and has not answered: without an answer the subscription ends.
        case pending
        /// Agreed, or was told where no consent is needed.
        case accepted
        /// Not asked while renewal is off; asked again when it is switched on.
        case dormant
    }

    /// What one period will cost.
    public let price: Money
    /// Where the customer stands.
    public internal(set) var answer: Answer

    package init(price: Money, answer: Answer) {
        self.price = price
        self.answer = answer
    }

    /// What signed renewal information says; nil while nobody is asked.
    public var status: PriceIncreaseStatus? {
        switch answer {
        case .pending: .notAnswered
        case .accepted: .consented
        case .dormant: nil
        }
    }
}

/// The story of the whole, in twelve steps.
public enum Tour {
    /// The steps, in order.
    public static let steps: [TourStep] = [
        .signIn, .consumable, .cancel, .buyAgain, .book, .networkAway, .restricted, .askToBuy, .subscription, .restore, .refund, .tampering,
    ]
}

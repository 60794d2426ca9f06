/// The tour of the whole package, in twelve steps.
package enum Tour {
    /// The steps, in order.
    package static let steps: [TourStep] = [
        .signIn, .consumable, .cancel, .buyAgain, .book, .networkUnavailable, .restricted, .askToBuy, .subscription, .restore, .refund,
        .tampering,
    ]
}

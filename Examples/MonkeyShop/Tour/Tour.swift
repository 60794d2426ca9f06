/// The tour: steps that demonstrate a device, a store and a server.
package enum Tour {
    /// The steps, in order.
    package static let steps: [TourStep] = [
        .signIn, .consumable, .cancel, .buyAgain, .book, .networkUnavailable, .restricted, .askToBuy, .subscription, .restore, .refund,
        .tampering, .withoutToken, .lostNotification, .newPhone, .offlineLease,
    ]
}

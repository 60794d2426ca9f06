/// The tour: steps that demonstrate a device, a store and a server.
public enum Tour {
    /// The steps, in order.
    public static let steps: [TourStep] = [
        .signIn, .consumable, .cancel, .buyAgain, .book, .networkUnavailable, .restricted, .askToBuy, .subscription, .restore, .refund,
        .tampering, .withoutToken, .lostNotification, .newPhone, .offlineLease,
    ]
}

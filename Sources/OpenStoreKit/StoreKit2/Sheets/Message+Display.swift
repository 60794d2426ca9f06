import PurchaseModel

extension Message {
    /// Shows the message to the user, who may agree to a higher price; returns at once.
    ///
    /// - Throws: ``StoreKitError`` without a device.
    @MainActor
    public func display() throws {
        guard let device = origin.serving else { throw StoreKitError.noDevice }
        Task { [told] in await device.show(told) }
    }
}

extension Device {
    /// Shows a message; of a higher price the store hears what the user says.
    func show(_ message: StoreMessage) async {
        switch message.reason {
        case .generic, .billingIssue, .winBackOffer: break
        case .priceIncreaseConsent:
            // A word that does not reach the store leaves the question open.
            try? await engine.askConsent(message)
        }
    }
}

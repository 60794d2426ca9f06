import OpenStoreKit
import PurchaseModel

extension Product {
    /// Purchases the product, and returns when the purchase has succeeded, is pending, or was canceled.
    ///
    /// - Parameter options: The options of the purchase.
    /// - Returns: The result of the purchase. If the store can't be reached after the user has confirmed the purchase, the purchase
    ///   continues in the background, and the result is ``PurchaseResult/pending``.
    /// - Throws: ``PurchaseError`` if the store or the device refuses the purchase. ``StoreKitError`` for other failures, such as a store
    ///   that can't be reached before the user has confirmed the purchase, in which case nothing is charged.
    @MainActor
    public func purchase(options: Set<PurchaseOption> = []) async throws -> PurchaseResult {
        guard let device = origin.activeDevice else { throw StoreKitError.noDevice }
        try device.simulatedFailures.check(.purchase)
        let parameters = PurchaseParameters(options)
        guard (1...10).contains(parameters.quantity), parameters.quantity == 1 || storeProduct.type.allowsQuantity else {
            throw PurchaseError.invalidQuantity
        }
        let request = try parameters.request(for: storeProduct)
        if let now = device.storefront, let before = storefront, now != before,
            !parameters.storefrontChangeHandlers.allSatisfy({ $0.shouldContinue(Storefront(now)) })
        {
            throw StoreKitError.notAvailableInStorefront
        }
        return try result(await device.purchase(request), on: device)
    }

    private func result(_ callResult: PurchaseCallResult, on device: Device) throws -> PurchaseResult {
        switch callResult {
        case .purchased(let transaction): return try .success(Self.requireReadable(device.result(transaction)))
        case .unverified(let signed, let failure):
            return try .success(Self.requireReadable(device.unverified(signed, VerificationFault(failure))))
        case .pending: return .pending
        case .cancelled: return .userCancelled
        case .unreachable: throw StoreKitError.unreachable
        case .failed(let failure):
            switch PurchaseCallFailure(failure) {
            case .cancelled: return .userCancelled
            case .purchase(let error): throw error
            case .storeKit(let error): throw error
            }
        }
    }

    /// Returns the transaction, or throws an error if StoreKit can't represent the transaction in the store's response.
    private static func requireReadable(
        _ result: VerificationResult<Transaction>?
    ) throws(StoreKitError) -> VerificationResult<Transaction> {
        guard let result else { throw .systemError(UnreadableTransaction()) }
        return result
    }
}

extension Product {
    /// The result of a purchase that threw no error.
    public enum PurchaseResult: Sendable {
        /// The purchase succeeded; deliver the product, then call ``Transaction/finish()``.
        case success(VerificationResult<Transaction>)
        /// The user canceled the purchase.
        case userCancelled
        /// The purchase is pending, for example until a parent approves it; ``Transaction/updates`` delivers the transaction.
        case pending
    }
}

import OpenStoreKit
import PurchaseModel

extension Product {
    /// Buys the product; returns when the user, the store or the network has decided.
    ///
    /// - Parameter options: What to buy it with.
    /// - Returns: How it ended; exactly one result for each call.
    /// - Throws: ``PurchaseError`` or ``StoreKitError``. When the store can't be reached before the user has confirmed, nothing will be
    ///   charged; after that the purchase goes on in the background and the result is ``PurchaseResult/pending``.
    @MainActor
    public func purchase(options: Set<PurchaseOption> = []) async throws -> PurchaseResult {
        guard let device = origin.serving else { throw StoreKitError.noDevice }
        try device.simulatedFailures.check(.purchase)
        let wish = PurchaseParameters(options)
        guard (1...10).contains(wish.quantity), wish.quantity == 1 || storeProduct.type.allowsQuantity else {
            throw PurchaseError.invalidQuantity
        }
        if let now = device.storefront, let before = storefront, now != before,
            !wish.storefrontQuestions.allSatisfy({ $0.shouldContinue(Storefront(now)) })
        {
            throw StoreKitError.notAvailableInStorefront
        }
        return try result(await device.purchase(wish.request(for: storeProduct)), on: device)
    }

    private func result(_ conclusion: PurchaseConclusion, on device: Device) throws -> PurchaseResult {
        switch conclusion {
        case .purchased(let transaction): return try .success(Self.represented(device.result(transaction)))
        case .unverified(let signed, let unproven):
            return try .success(Self.represented(device.unverified(signed, VerificationFault(unproven))))
        case .pending: return .pending
        case .cancelled: return .userCancelled
        case .unreachable: throw StoreKitError.unreachable
        case .failed(let failure):
            switch PurchaseRefusal(failure) {
            case .cancelled: return .userCancelled
            case .purchase(let error): throw error
            case .storeKit(let error): throw error
            }
        }
    }

    /// What the store signed must be a transaction as StoreKit has them, or the call has no result to return.
    private static func represented(_ result: VerificationResult<Transaction>?) throws(StoreKitError) -> VerificationResult<Transaction> {
        guard let result else { throw .systemError(UnreadableTransaction()) }
        return result
    }
}

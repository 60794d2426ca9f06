import Foundation
public import PurchaseModel
import StoreKit

extension Purchases {
    /// Purchases a product, and returns when it is delivered, or when an attempt to deliver it has failed.
    ///
    /// - Parameters:
    ///   - id: The product.
    ///   - quantity: The number of units, from 1 to 10.
    ///   - offer: The offer for the purchase; nil for the standard price.
    /// - Returns: The outcome. A later success of a pending purchase is announced as ``PurchaseEvent/delivered(_:isExpected:)``.
    public func buy(_ id: ProductID, quantity: Int = 1, offer: PurchaseOffer? = nil) async -> PurchaseOutcome {
        await prepareVault()
        if current.product(id) == nil { await parts.loader.load() }
        guard let listing = current.product(id) else {
            let failure = PurchaseFailure(current.areProductsLoaded ? .productUnavailable : .network)
            announce(.failed(id, failure))
            return .failed(failure)
        }
        return await buy(listing.product, quantity, offer?.options ?? [])
    }

    private func buy(_ product: Product, _ quantity: Int, _ offer: [Product.PurchaseOption]) async -> PurchaseOutcome {
        let id = ProductID(product.id)
        if let declined = declinedSubscription(inGroupOf: product) {
            guard await configuration.presentation.decideDuringBillingIssue(id, declined) else { return .canceled }
        }
        var options = Set(offer)
        if quantity != 1 { options.insert(.quantity(quantity)) }
        if let token = configuration.customer.flatMap({ UUID(uuidString: $0.rawValue) }) { options.insert(.appAccountToken(token)) }
        running[id, default: 0] += 1
        change { $0.purchasing.insert(id) }
        defer {
            running[id, default: 1] -= 1
            if running[id] == 0 { change { $0.purchasing.remove(id) } }
        }
        do {
            switch try await configuration.presentation.purchase(product, options) {
            case .success(let result): return await deliver(result)
            case .pending: return await wait(for: id, quantity)
            case .userCancelled: return .canceled
            @unknown default: return .failed(PurchaseFailure(.store))
            }
        } catch {
            guard let failure = PurchaseFailure(error) else { return .canceled }
            announce(.failed(id, failure))
            return .failed(failure)
        }
    }

    /// The subscription in the group of a product whose payment is declined; nil without one.
    private func declinedSubscription(inGroupOf product: Product) -> ProductID? {
        guard let group = product.subscription?.subscriptionGroupID else { return nil }
        let declined = current.entitlements.values.filter { $0.state == .gracePeriod || $0.state == .billingRetry }.compactMap(\.productID)
        return declined.sorted().first { current.product($0)?.product.subscription?.subscriptionGroupID == group }
    }

    private func deliver(_ result: VerificationResult<StoreKit.Transaction>) async -> PurchaseOutcome {
        let id = result.unsafePayloadValue.transactionID
        expected.insert(id)
        defer { expected.remove(id) }
        return PurchaseOutcome(await parts.engine.fulfill(IncomingTransaction(result)))
    }

    /// Records and announces a purchase that waits for an approval.
    func wait(for product: ProductID, _ quantity: Int) async -> PurchaseOutcome {
        let purchase = PendingPurchase(id: UUID(), productID: product, quantity: quantity, requestedAt: clock.now)
        _ = try? await configuration.vault.change(in: parts.session) { _ throws(VaultError) in [.pending(purchase)] }
        await refresh()
        announce(.pending(product))
        return .pending
    }

    /// Removes a pending purchase from the state, for example because the parent declined it; a later approval is still delivered.
    public func dismiss(_ pending: PendingPurchase) async {
        _ = try? await configuration.vault.change(in: parts.session) { _ throws(VaultError) in [.pendingEnded(pending.id)] }
        await refresh()
    }

    func decide(_ promotion: PromotedPurchase) async {
        switch await configuration.presentation.decidePromotedPurchase(promotion) {
        case .buy: _ = await buyPromoted(promotion)
        case .later: change { if !$0.promotedPurchases.contains(promotion) { $0.promotedPurchases.append(promotion) } }
        case .discard: break
        }
    }

    /// Buys a promoted product that ``PurchasePresentation/decidePromotedPurchase`` has deferred.
    public func continuePromoted(_ promotion: PromotedPurchase) async -> PurchaseOutcome {
        discardPromoted(promotion)
        return await buyPromoted(promotion)
    }

    /// Discards a promoted purchase that ``PurchasePresentation/decidePromotedPurchase`` has deferred.
    public func discardPromoted(_ promotion: PromotedPurchase) {
        change { $0.promotedPurchases.removeAll { $0 == promotion } }
    }

    private func buyPromoted(_ promotion: PromotedPurchase) async -> PurchaseOutcome {
        await buy(promotion.product.product, 1, promotion.offer.map { [.winBackOffer($0)] } ?? [])
    }
}

import Foundation
public import PurchaseModel
import ServerProtocol
import StoreKit
import Wire

extension Purchases {
    /// Purchases a product, and returns after the delivery or after a failed attempt to deliver.
    ///
    /// - Parameters:
    ///   - id: The product to buy.
    ///   - quantity: The number of units, from 1 to 10.
    ///   - offer: The offer for the purchase; nil for the standard price.
    /// - Returns: The outcome. A later success of a pending purchase is announced as ``PurchaseEvent/delivered(_:isExpected:)``.
    public func buy(_ id: ProductID, quantity: Int = 1, offer: PurchaseOffer? = nil) async -> PurchaseOutcome {
        await buy(id, quantity: quantity, offer?.options ?? [])
    }

    /// Purchases a subscription with a promotional offer that the developer's server signs for the customer.
    ///
    /// The server needs the key for offers, and the app's publishable key needs the scope `offers:sign`. If the app's backend signs offers,
    /// use ``buy(_:quantity:offer:)`` with ``PurchaseOffer/promotional(id:compactJWS:)``.
    ///
    /// - Parameters:
    ///   - id: The subscription to buy.
    ///   - offer: The identifier of the offer in App Store Connect.
    /// - Returns: The outcome, which is a failure of the kind ``PurchaseFailure/Kind-swift.enum/invalidOffer`` if the server signs no such
    ///   offer, and ``PurchaseFailure/Kind-swift.enum/network`` if the server can't be reached.
    public func buy(_ id: ProductID, promotionalOffer offer: String) async -> PurchaseOutcome {
        guard let server = configuration.server else { return fail(id, PurchaseFailure(.invalidOffer)) }
        do throws(WireClientError) {
            let reply = try await server.service.promotionalOffer(PromotionalOfferRequest(productID: id, offerID: offer))
            guard let compactJWS = reply.compactJWS else { return fail(id, PurchaseFailure(.invalidOffer)) }
            return await buy(id, offer: .promotional(id: offer, compactJWS: compactJWS))
        } catch {
            guard !error.isRetryable else {
                return fail(id, PurchaseFailure(.network, message: "The server that signs the offer can't be reached."))
            }
            let message: String? = if case .refused(_, let refusal) = error { refusal.message } else { nil }
            return fail(id, PurchaseFailure(.invalidOffer, message: message))
        }
    }

    /// Purchases a subscription with a billing plan, such as monthly charges with a commitment of a year.
    ///
    /// `Product.SubscriptionInfo.pricingTerms` lists the billing plans of a product, with their prices. Before the purchase, show the price of
    /// a charge and the price of the commitment.
    ///
    /// - Parameters:
    ///   - id: The subscription to buy.
    ///   - billingPlan: The billing plan.
    ///   - offer: An offer of the billing plan; nil for the standard price.
    /// - Returns: The outcome, which is a failure of the kind ``PurchaseFailure/Kind-swift.enum/productUnavailable`` if the product lacks the
    ///   billing plan.
    @available(iOS 26.4, macOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *)
    public func buy(_ id: ProductID, billingPlan: BillingPlanType, offer: PurchaseOffer? = nil) async -> PurchaseOutcome {
        let plan = Product.SubscriptionInfo.BillingPlanType(rawValue: billingPlan.rawValue)
        return await buy(id, quantity: 1, [.billingPlanType(plan)] + (offer?.options ?? []))
    }

    /// Purchases a subscription in seats, or adds seats to a running subscription (iOS 27.3 beta).
    ///
    /// The number is the target: a customer with three seats who buys five pays for two. The customer reduces the number in the App Store's
    /// subscription settings, with effect from the next renewal.
    ///
    /// - Parameters:
    ///   - id: The subscription to buy.
    ///   - seats: The number of seats that the customer has after the purchase.
    /// - Returns: The outcome, which is a failure of the kind ``PurchaseFailure/Kind-swift.enum/store`` with StoreKit's message if the product
    ///   is not sold in seats, or if the customer has more seats.
    public func buy(_ id: ProductID, seats: Int) async -> PurchaseOutcome {
        await buy(id, quantity: 1, [.seats(seats)])
    }

    private func buy(_ id: ProductID, quantity: Int, _ options: [Product.PurchaseOption]) async -> PurchaseOutcome {
        await prepareVault()
        if current.product(id) == nil { await parts.loader.load() }
        guard let listing = current.product(id) else {
            return fail(id, PurchaseFailure(current.areProductsLoaded ? .productUnavailable : .network))
        }
        return await buy(listing.product, quantity, options)
    }

    private func fail(_ product: ProductID, _ failure: PurchaseFailure) -> PurchaseOutcome {
        announce(.failed(product, failure))
        return .failed(failure)
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
            return fail(id, failure)
        }
    }

    /// Returns the subscription of a product's group for which the payment method is declined; nil without such a subscription.
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

    /// Removes a pending purchase from the state, for example after a parent declined; a later approval is still delivered.
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
    ///
    /// - Parameter promotion: An element of ``PurchasesState/promotedPurchases``.
    /// - Returns: The outcome of the purchase.
    public func continuePromoted(_ promotion: PromotedPurchase) async -> PurchaseOutcome {
        discardPromoted(promotion)
        return await buyPromoted(promotion)
    }

    /// Discards a promoted purchase that ``PurchasePresentation/decidePromotedPurchase`` has deferred.
    ///
    /// - Parameter promotion: An element of ``PurchasesState/promotedPurchases``.
    public func discardPromoted(_ promotion: PromotedPurchase) {
        change { $0.promotedPurchases.removeAll { $0 == promotion } }
    }

    private func buyPromoted(_ promotion: PromotedPurchase) async -> PurchaseOutcome {
        await buy(promotion.product.product, 1, promotion.offer.map { [.winBackOffer($0)] } ?? [])
    }
}

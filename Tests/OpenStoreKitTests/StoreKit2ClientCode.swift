import StoreKit

// Typical app code. It uses the public module only, and also compiles with Apple's StoreKit.

enum StoreError: Error {
    case failedVerification
}

/// A typical store manager.
@MainActor
final class ClientStore {
    private(set) var products: [Product] = []
    private(set) var purchasedProductIDs: Set<String> = []
    private(set) var subscriptionGroupStatus: Product.SubscriptionInfo.RenewalState?
    private var updateListenerTask: Task<Void, any Error>?

    deinit {
        updateListenerTask?.cancel()
    }

    func start() {
        updateListenerTask = listenForTransactions()
    }

    private func listenForTransactions() -> Task<Void, any Error> {
        Task {
            for await result in Transaction.updates {
                do {
                    let transaction = try self.checkVerified(result)
                    await self.updateCustomerProductStatus()
                    await transaction.finish()
                } catch {
                    print("Transaction failed verification")
                }
            }
        }
    }

    func requestProducts(_ identifiers: some Collection<String>) async throws {
        products = try await Product.products(for: identifiers).sorted { $0.price < $1.price }
    }

    func purchase(_ product: Product, token: UUID? = nil) async throws -> Transaction? {
        var options: Set<Product.PurchaseOption> = [.quantity(1)]
        if let token { options.insert(.appAccountToken(token)) }
        let result = try await product.purchase(options: options)
        switch result {
        case .success(let verification):
            let transaction = try checkVerified(verification)
            await updateCustomerProductStatus()
            await transaction.finish()
            return transaction
        case .userCancelled, .pending:
            return nil
        @unknown default:
            return nil
        }
    }

    func isPurchased(_ product: Product) async throws -> Bool {
        switch product.type {
        case .nonRenewable, .nonConsumable, .autoRenewable: purchasedProductIDs.contains(product.id)
        default: false
        }
    }

    nonisolated func checkVerified<T>(_ result: VerificationResult<T>) throws -> T {
        switch result {
        case .unverified: throw StoreError.failedVerification
        case .verified(let safe): return safe
        }
    }

    func updateCustomerProductStatus() async {
        var purchased: Set<String> = []
        for await result in Transaction.currentEntitlements {
            guard case .verified(let transaction) = result, transaction.revocationDate == nil else { continue }
            purchased.insert(transaction.productID)
        }
        purchasedProductIDs = purchased
        subscriptionGroupStatus = try? await products.first { $0.subscription != nil }?.subscription?.status.first?.state
    }

    func restore() async throws {
        try await AppStore.sync()
        await updateCustomerProductStatus()
    }
}

/// Typical uses of StoreKit 2's other symbols.
enum ClientUsage {
    static func describe(_ error: any Error) -> String {
        switch error {
        case StoreKitError.userCancelled: "cancelled"
        case StoreKitError.networkError(let error): "network \(error.code.rawValue)"
        case StoreKitError.systemError(let error): "system \(error)"
        case StoreKitError.notAvailableInStorefront, StoreKitError.notEntitled, StoreKitError.unsupported, StoreKitError.unknown: "other"
        case let error as Product.PurchaseError where error == .purchaseNotAllowed: error.errorDescription ?? ""
        case is Product.PurchaseError: "purchase"
        case let error as VerificationResult<Transaction>.VerificationError: error.failureReason ?? error.localizedDescription
        case Transaction.RefundRequestError.duplicateRequest, Transaction.RefundRequestError.failed: "refund"
        default: error.localizedDescription
        }
    }

    static func describe(_ product: Product) -> [String] {
        var lines = [product.id, product.displayName, product.description, product.displayPrice, product.type.localizedDescription]
        lines.append((product.price / 12).formatted(product.priceFormatStyle))
        lines.append("\(product.isFamilyShareable) \(product.jsonRepresentation.count) \(product.debugDescription.count)")
        guard let subscription = product.subscription else { return lines }
        lines.append(subscription.subscriptionGroupID)
        lines.append("\(subscription.groupLevel) \(subscription.groupDisplayName)")
        lines.append(subscription.subscriptionPeriod.formatted(product.subscriptionPeriodFormatStyle))
        lines.append(subscription.subscriptionPeriod.unit.formatted(product.subscriptionPeriodUnitFormatStyle))
        lines.append(subscription.subscriptionPeriod.unit.localizedDescription)
        for offer in [subscription.introductoryOffer].compactMap(\.self) + subscription.promotionalOffers + subscription.winBackOffers {
            switch offer.paymentMode {
            case .freeTrial: lines.append("free for \(offer.period.value)")
            case .payAsYouGo: lines.append("\(offer.displayPrice) × \(offer.periodCount)")
            case .payUpFront: lines.append("\(offer.price)")
            default: lines.append(offer.paymentMode.localizedDescription)
            }
            lines.append(offer.id ?? offer.type.localizedDescription)
            if offer.type == .introductory || offer.type == .promotional || offer.type == .winBack { lines.append(offer.type.rawValue) }
        }
        return lines
    }

    static func describe(_ transaction: Transaction) -> [String?] {
        [
            "\(transaction.id) \(transaction.originalID)", transaction.webOrderLineItemID, transaction.productID,
            transaction.subscriptionGroupID, transaction.appBundleID, "\(transaction.purchaseDate) \(transaction.originalPurchaseDate)",
            transaction.expirationDate?.description, "\(transaction.purchasedQuantity) \(transaction.isUpgraded)",
            transaction.offer?.type.localizedDescription, transaction.offer?.paymentMode?.rawValue, transaction.offer?.id,
            transaction.offer?.period?.debugDescription, transaction.offerType?.localizedDescription, transaction.offerID,
            transaction.revocationDate?.description, transaction.revocationReason?.localizedDescription,
            transaction.productType.rawValue, transaction.appAccountToken?.uuidString, transaction.environment.rawValue,
            transaction.environmentStringRepresentation, transaction.reason.rawValue, transaction.reasonStringRepresentation,
            transaction.storefront.countryCode, transaction.storefrontCountryCode, transaction.price?.description,
            transaction.currency?.identifier, transaction.currencyCode, transaction.appTransactionID,
            transaction.deviceVerification.base64EncodedString(), transaction.deviceVerificationNonce.uuidString,
            transaction.ownershipType.localizedDescription, "\(transaction.signedDate)", transaction.debugDescription,
            transaction.advancedCommerceInfo?.requestReferenceID,
        ]
    }

    static func describe(_ status: Product.SubscriptionInfo.Status) throws -> [String?] {
        let info = try status.renewalInfo.payloadValue
        switch status.state {
        case .subscribed, .inGracePeriod: break
        case .expired, .revoked, .inBillingRetryPeriod: break
        default: break
        }
        if let reason = info.expirationReason {
            switch reason {
            case .autoRenewDisabled, .billingError, .didNotConsentToPriceIncrease, .productUnavailable, .unknown: break
            default: break
            }
        }
        switch info.priceIncreaseStatus {
        case .noIncreasePending, .pending, .agreed: break
        }
        return [
            status.state.localizedDescription, "\(info.originalTransactionID)", info.currentProductID, info.autoRenewPreference,
            "\(info.willAutoRenew) \(info.isInBillingRetry)", info.expirationReason?.localizedDescription,
            info.gracePeriodExpirationDate?.description, info.renewalDate?.description, info.renewalPrice?.description,
            info.currency?.identifier, info.offer?.id, info.offerID, info.offerType?.localizedDescription,
            info.eligibleWinBackOfferIDs.first, "\(info.recentSubscriptionStartDate) \(info.signedDate)", info.appAccountToken?.uuidString,
            info.appTransactionID, info.environment.rawValue, status.transaction.jwsRepresentation, status.renewalInfo.jwsRepresentation,
            info.priceIncreaseStatus.localizedDescription, "\(info.jsonRepresentation.count) \(info.deviceVerification.count)",
        ]
    }

    static func listenToAllSequences(_ report: @escaping @Sendable (String) -> Void) -> [Task<Void, Never>] {
        [
            Task { for await storefront in Storefront.updates { report(storefront.id) } },
            Task { for await status in Product.SubscriptionInfo.Status.updates { report(status.state.localizedDescription) } },
            Task { for await intent in PurchaseIntent.intents { report(intent.id + intent.product.id + (intent.offer?.id ?? "")) } },
            Task { for await message in Message.messages where message.reason != .generic { report(message.reason.localizedDescription) } },
        ]
    }

    static func ask(about productID: String, group: String) async throws -> [String] {
        var lines: [String] = []
        if let latest = await Transaction.latest(for: productID) { lines.append(latest.unsafePayloadValue.productID) }
        for await result in Transaction.all { lines.append(result.signedDate.description) }
        for await result in Transaction.all(for: productID) { lines.append("\(result.signatureData.count)") }
        for await result in Transaction.unfinished { lines.append("\(try result.payloadValue.id)") }
        for await result in Transaction.currentEntitlements(for: productID) { lines.append("\(result.unsafePayloadValue.id)") }
        if case .verified(let transaction)? = await Transaction.currentEntitlement(for: productID) {
            lines.append(await transaction.subscriptionStatus?.state.localizedDescription ?? "none")
        }
        for await (groupID, statuses) in Product.SubscriptionInfo.Status.all { lines.append("\(groupID) \(statuses.count)") }
        lines.append("\(try await Product.SubscriptionInfo.status(for: group).count)")
        lines.append("\(await Product.SubscriptionInfo.isEligibleForIntroOffer(for: group))")
        lines.append(await Storefront.current?.countryCode ?? "")
        lines.append("\(AppStore.canMakePayments) \(AppStore.deviceVerificationID?.uuidString ?? "")")
        let app = try await AppTransaction.shared
        if case .verified(let appTransaction) = app {
            lines += [appTransaction.bundleID, appTransaction.originalAppVersion, appTransaction.appVersion]
            lines.append("\(appTransaction.originalPurchaseDate) \(appTransaction.environment == .production)")
            lines.append("\(appTransaction.originalPlatform.rawValue) \(appTransaction.preorderDate?.description ?? "")")
        }
        return lines
    }

    static func options(_ offer: Product.SubscriptionOffer, signature: Product.SubscriptionOffer.Signature) -> Set<Product.PurchaseOption> {
        var options: Set<Product.PurchaseOption> = [
            .winBackOffer(offer), .custom(key: "a", value: Data()), .custom(key: "b", value: 1), .custom(key: "c", value: true),
            .promotionalOffer(offerID: "a", keyID: "b", nonce: UUID(), signature: Data(), timestamp: 1),
            .promotionalOffer(offerID: "a", signature: signature), .simulatesAskToBuyInSandbox(true),
            .onStorefrontChange { $0.countryCode == "USA" },
        ]
        options.formUnion(Product.PurchaseOption.promotionalOffer("a", compactJWS: "b"))
        return options
    }

    static func describe(_ result: VerificationResult<Transaction>) -> [String] {
        let sizes = [result.headerData, result.payloadData, result.signatureData, result.signedData, result.deviceVerification].map(\.count)
        return ["\(sizes)", "\(result.signature)", result.deviceVerificationNonce.uuidString, result.debugDescription]
    }

    static func describe(_ app: AppTransaction) -> [String?] {
        let platforms: [AppStore.Platform] = [.iOS, .macOS, .tvOS, .visionOS]
        let environments: [AppStore.Environment] = [.production, .sandbox, .xcode]
        return [
            app.appID?.description, app.appVersionID?.description, app.appTransactionID, app.originalPlatformStringRepresentation,
            "\(platforms.contains(app.originalPlatform)) \(environments.contains(app.environment))", app.debugDescription,
            "\(app.signedDate) \(app.deviceVerification.count) \(app.deviceVerificationNonce) \(app.jsonRepresentation.count)",
        ]
    }

    static func describe(_ info: Transaction.AdvancedCommerceInfo, _ renewal: SubscriptionRenewalInfo) -> [String?] {
        let refunds = info.items.flatMap { $0.refunds ?? [] }
        return [
            info.requestReferenceID, "\(info.estimatedTax) \(info.taxRate) \(info.taxExclusivePrice)", info.taxCode, info.description,
            info.displayName, info.period?.debugDescription, info.items.first?.details.sku, info.items.first?.details.displayName,
            info.items.first?.details.description, info.items.first?.details.price.description,
            info.items.first?.details.offer?.reason == .winBack ? "back" : nil, info.items.first?.revocationDate?.description,
            "\(refunds.filter { $0.reason == .legal || $0.type == .proRated }.map { "\($0.date) \($0.amount)" })",
            renewal.advancedCommerceInfo?.consistencyToken, renewal.advancedCommerceInfo?.items.first?.details.sku,
        ]
    }

    /// Uses of symbols that may show a sheet and that need no scene.
    @MainActor
    static func ask(_ transaction: Transaction, _ refund: Transaction.RefundRequestStatus) async throws {
        switch refund {
        case .success, .userCancelled: break
        @unknown default: break
        }
        SKStoreReviewController.requestReview()
        _ = try await AppTransaction.refresh()
        _ = try await Product.SubscriptionInfo.status(transactionID: transaction.id)
    }

    static func unsupportedResults() async -> [Bool] {
        let sold = (try? await AdvancedCommerceProduct(id: "generic"))?.type == .consumable
        let bound = (try? await PaymentMethodBinding(id: "pin"))?.id != nil
        let noticed = (try? await ExternalPurchase.presentNoticeSheet()) == .cancelled
        let linked = (try? await ExternalPurchaseCustomLink.showNotice(type: .withinApp)) == .continued
        return [
            sold, bound, noticed, linked, await ExternalPurchase.canPresent, await ExternalPurchaseLink.canOpen,
            await ExternalPurchaseLink.eligibleURLs != nil, await ExternalPurchaseCustomLink.isEligible, await ExternalLinkAccount.canOpen,
        ]
    }

    static func dates(_ period: Product.SubscriptionPeriod) -> [Date?] {
        let range = period.dateRange(referenceDate: .distantPast)
        return [
            range.upperBound, period.dateRange().lowerBound,
            Calendar.current.date(byAdding: DateComponents(subscriptionPeriod: period), to: .now),
        ]
    }

    static let modes: [Transaction.Offer.PaymentMode] = [.freeTrial, .payAsYouGo, .payUpFront, .oneTime]
    static let reasons: [Transaction.RevocationReason] = [.developerIssue, .other]
    static let kinds: [Transaction.OfferType] = [.introductory, .promotional, .code, .winBack]
    static let messages: [Message.Reason] = [.generic, .priceIncreaseConsent, .billingIssue, .winBackOffer]
    static let periods: [SubscriptionPeriod] = [
        .weekly, .monthly, .yearly, .everyThreeDays, .everyTwoWeeks, .everyTwoMonths, .everyThreeMonths, .everySixMonths,
    ]
    static let states: [SubscriptionRenewalState] = [.subscribed]
    static func first(_ statuses: [SubscriptionStatus], _ info: SubscriptionInfo, _ renewal: SubscriptionRenewalInfo) {}
}

/// Qualified names, for an app that declares another `Transaction`.
enum ClientNames {
    typealias SKTransaction = StoreKit.Transaction
    typealias SKResult = StoreKit.VerificationResult<StoreKit.Transaction>

    static func productID(_ result: SKResult) throws -> String { try result.payloadValue.productID }
    static func rethrow(_ error: any Error) -> StoreKit.StoreKitError? { error as? StoreKit.StoreKitError }
    static func products(_ ids: [String]) async throws -> [StoreKit.Product] { try await StoreKit.Product.products(for: ids) }
}

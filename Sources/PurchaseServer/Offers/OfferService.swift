import PurchaseModel
import PurchaseProof
import PurchaseStorage
import ServerProtocol

/// Signs offers for an app's customers, and lists the customers' offers.
struct OfferService: Sendable {
    /// The maximum length of an offer's identifier in bytes.
    private static let identifierLimit = 200

    let app: BundleID
    let storage: any PurchaseStorage
    let catalog: any CatalogSource
    /// The signer; nil if the app has no key.
    let signer: OfferSigner?

    /// Returns the win-back offers of a customer, and the subscription groups with a used introductory offer.
    func list(of reference: CustomerReference) async throws -> OffersReply {
        let history = try await history(of: reference)
        let winBack = history.renewals.compactMap { renewal in
            renewal.offerIDs.isEmpty
                ? nil
                : OffersReply.WinBack(productID: renewal.product, originalTransactionID: renewal.purchase, offerIDs: renewal.offerIDs)
        }
        return OffersReply(winBack: winBack, usedIntroductoryOffers: history.usedGroups.sorted())
    }

    /// Signs a promotional offer for a customer.
    ///
    /// A JWS names the customer's latest transaction, if the customer has one. A signature in the original format covers
    /// `applicationUsername`, by default the customer's UUID. The transaction or the user name prevents the use of the signed offer by
    /// another App Store account.
    func promotional(_ request: PromotionalOfferRequest, for reference: CustomerReference) async throws -> PromotionalOfferReply {
        guard let signer else { throw OfferSigningRefusal.notConfigured }
        let username = request.applicationUsername ?? ""
        let isValid = [request.offerID, username].allSatisfy { text in
            text.utf8.count <= Self.identifierLimit && IdentifierText.isValid(text) && !PromotionalOffer.containsSeparator(text)
        }
        guard isValid, !request.offerID.isEmpty else { throw OfferSigningRefusal.malformed }
        let history = try await history(of: reference)
        switch request.format ?? .jws {
        case .signature:
            let token = request.applicationUsername ?? history.customer.rawValue
            return PromotionalOfferReply(signature: try signer.signature(of: request.offerID, request.productID, token: token))
        case .jws:
            let transaction = history.latestTransaction?.rawValue
            return PromotionalOfferReply(
                compactJWS: try signer.token(.promotionalOffer(request.productID, offer: request.offerID, transaction: transaction)))
        }
    }

    /// Signs a customer's eligibility for the introductory offer of a product.
    ///
    /// The App Store allows one introductory offer for each subscription group. A customer without a used introductory offer in the
    /// product's group is eligible.
    func introductory(_ request: IntroductoryOfferRequest, for reference: CustomerReference) async throws -> IntroductoryOfferReply {
        guard let signer else { throw OfferSigningRefusal.notConfigured }
        let history = try await history(of: reference)
        guard let transaction = history.latestTransaction else { throw OfferSigningRefusal.noTransaction }
        let group = catalog.catalog[request.productID]?.subscriptionGroupID ?? history.groups[request.productID]
        guard let isEligible = request.isEligible ?? group.map({ !history.usedGroups.contains($0) }) else {
            throw OfferSigningRefusal.unknownGroup(request.productID)
        }
        let token = try signer.token(
            .introductoryOffer(request.productID, isAllowed: isEligible, transaction: transaction.rawValue))
        return IntroductoryOfferReply(isEligible: isEligible, compactJWS: token)
    }

    /// The subscription groups, used offers and win-back offers in a customer's signed data.
    fileprivate struct History: Sendable {
        var customer: CustomerID
        var latestTransaction: TransactionID?
        /// The purchase date of the latest transaction.
        var latest: Timestamp?
        var groups: [ProductID: SubscriptionGroupID] = [:]
        var usedGroups: Set<SubscriptionGroupID> = []
        var renewals: [(product: ProductID, purchase: TransactionID, offerIDs: [String])] = []
    }

    /// Reads the transactions of a customer's subscriptions; the cost grows with the number of transactions.
    ///
    /// Purchases of other product types, such as thousands of consumables, are read only for a customer without a subscription, to find the
    /// latest transaction.
    private func history(of reference: CustomerReference) async throws -> History {
        let catalog = catalog.catalog
        return try await storage.read(app) { records in
            guard let customer = try records.customer(reference) else { throw CustomerRefusal.unknown }
            var history = History(customer: customer)
            var others: [ProductID] = []
            for product in try records.products(of: customer) {
                guard catalog[product]?.type ?? .autoRenewable == .autoRenewable else {
                    others.append(product)
                    continue
                }
                for purchase in try records.purchases(of: customer, product: product) { try history.add(purchase, records) }
            }
            guard history.latestTransaction == nil else { return history }
            for product in others {
                for purchase in try records.purchases(of: customer, product: product) { try history.add(purchase, records) }
            }
            return history
        }
    }
}

extension OfferService {
    /// Creates the service, with a signer if the app has a key for offers.
    ///
    /// - Throws: ``ConfigurationError/offerKey`` for an invalid key.
    init(_ app: AppConfiguration, of server: ServerResources, _ catalog: CatalogService) throws(ConfigurationError) {
        let signer = try app.offerKey.map { key throws(ConfigurationError) in
            try OfferSigner(key, of: app.bundleID, clock: server.transportClock)
        }
        self.init(app: app.bundleID, storage: server.storage, catalog: catalog, signer: signer)
    }
}

extension OfferService.History {
    fileprivate mutating func add(_ purchase: PurchaseRecord, _ records: any StorageTransaction) throws {
        let id = purchase.originalTransactionID
        // Skip a repeated purchase, because the storage lists a purchase with two products once for each product.
        guard !renewals.contains(where: { $0.1 == id }) else { return }
        // Skip transactions of Family Sharing and of members of a group, which use no offer.
        for transaction in try records.transactions(of: id).map(\.transaction)
        where ![.familyShared, .assigned].contains(transaction.ownership) {
            if latest.map({ $0 < transaction.purchaseDate }) ?? true {
                latest = transaction.purchaseDate
                latestTransaction = transaction.transactionId
            }
            guard let group = transaction.subscriptionGroupIdentifier else { continue }
            groups[transaction.productId] = group
            if transaction.offerType == OfferType.introductory.rawValue { usedGroups.insert(group) }
        }
        let renewal = try records.decidingEvents(of: id)?.renewal?.renewal
        renewals.append((purchase.entitlement.productID, id, renewal?.eligibleWinBackOfferIds ?? []))
    }
}

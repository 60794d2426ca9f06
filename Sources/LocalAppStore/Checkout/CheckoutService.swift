import Foundation
import GRDB
import PurchaseModel
import StoreProtocol

/// The service that sells products: purchases of devices and of the App Store app, offer codes, and promoted in-app purchases.
struct CheckoutService: Sendable {
    let context: StoreContext
    let contents: ContentService
    let offerSignatures: OfferSignatureVerifier
    let events: EventService
    let transactions: TransactionService
    let subscriptions: SubscriptionService
    let familySharing: FamilySharingService
    let notices: NoticeService

    /// The maximum length of an identifier that a device creates for a payment or a request, in bytes of UTF-8.
    static let identifierLimit = 100

    /// Processes a device's payment once; a repeated request gets the outcome of the first one and charges nothing.
    ///
    /// The payment, the transaction, the charge, the subscription and the notification are written in one database transaction before the
    /// method returns.
    func buy(_ request: PurchaseRequest, by session: SessionRecord) async throws -> PurchaseReply {
        let attempt = EventRecord(
            date: context.clock.now, kind: .refusal, bundleID: session.bundleID, account: session.account, productID: request.productID)
        return try await reply(to: request.payment, on: session.device, refusing: attempt) { db, now in
            if try Bool.fetchOne(
                db.cachedStatement(sql: "SELECT TRUE FROM restrictedDevices WHERE id = ?"), arguments: [session.device.rawValue]) == true
            {
                throw PurchaseRefusal.purchaseNotAllowed
            }
            let buyer = try Buyer(
                session.account, session.bundleID, session.device, session.appVersion, in: context.apps, at: now, db)
            return try process(request, by: buyer, at: now, restoresUnfinished: buyer.app.row.restoresUnfinishedConsumables, db) {
                try offerSignatures.checkOffer(of: request, by: buyer, db)
                // The error rolls back the database transaction, so that the payment is not stored.
                guard !buyer.requiresApproval(request) || request.confirmsAskToBuy ?? true else { throw AskToBuyConfirmationRequired() }
            }
        }
    }

    /// Purchases a product for an account without a device, as in the App Store app; an account that does not exist is created.
    ///
    /// - Parameters:
    ///   - date: The date of the purchase, if it is in the past; nil for the current date.
    ///   - renews: Whether auto-renew stays enabled if the product is a subscription.
    func buy(_ request: BuyRequest, at date: Timestamp? = nil, renews: Bool = true) async throws -> PurchaseReply {
        let device = DeviceID(UUID())
        let payment = request.payment ?? PaymentID(UUID())
        let attempt = EventRecord(
            date: context.clock.now, kind: .refusal, bundleID: request.bundleID ?? context.apps.defaultBundleID, account: request.account,
            productID: request.productID)
        return try await reply(to: payment, on: nil, refusing: attempt) { db, present in
            let now = date.map { min($0, present) } ?? present
            try AccountRecord.open(request.account, db)
            let app = try context.apps.require(request.bundleID ?? context.apps.defaultBundleID)
            // The device on which the account most recently signed in receives the transaction.
            let lastDevice = try SessionRecord.newestDevice(of: request.account, in: app.bundleID, db)
            let buyer = try Buyer(
                request.account, app.bundleID, lastDevice ?? device, app.row.version, in: context.apps, at: now, db)
            let purchase = PurchaseRequest(
                payment: payment, productID: request.productID, quantity: request.quantity ?? 1,
                appAccountToken: request.appAccountToken, offer: request.offer, billingPlan: request.billingPlan,
                seats: request.seats
            )
            let outcome = try process(purchase, by: buyer, at: now, restoresUnfinished: false, db) {}
            if !renews, case .purchased(let row) = outcome, let existing = try SubscriptionRecord.fetchOne(db, key: row.originalID.rawValue)
            {
                try subscriptions.apply(.autoRenew(false), to: existing, at: now, db)
            }
            return outcome
        }
    }

    /// Processes a payment with a closure, and returns the reply to the client.
    ///
    /// If the store refuses the payment, the database keeps only the event `attempt`.
    ///
    /// - Parameter device: The device for which the transaction is signed; nil to sign without a device.
    private func reply(
        to payment: PaymentID, on device: DeviceID?, refusing attempt: EventRecord,
        _ process: @escaping @Sendable (Database, Timestamp) throws -> PaymentOutcome
    ) async throws -> PurchaseReply {
        guard (1...Self.identifierLimit).contains(payment.rawValue.utf8.count) else { throw StoreError.invalidValue(field: "payment") }
        do {
            let (outcome, content) = try await context.transaction { db, now -> (PaymentOutcome, HostedContent?) in
                let outcome = try process(db, now)
                guard case .purchased(let row) = outcome else { return (outcome, nil) }
                return (outcome, try contents.content(of: row.productID, in: row.bundleID, db)?.description)
            }
            switch outcome {
            case .purchased(let row):
                let now = context.clock.now
                let signed = try device.map { try context.signer.sign(row, for: $0, at: now) } ?? context.signer.sign(row, at: now)
                return .purchased(signedTransaction: signed, content: content)
            case .deferred: return .deferred
            case .interrupted: return .refused(.interrupted)
            }
        } catch is AskToBuyConfirmationRequired {
            return .askToBuyConfirmationRequired
        } catch let refusal as PurchaseRefusal {
            var event = attempt
            event.detail = refusal.message
            try await context.transaction { [event] db, _ in try events.insertEvent(event, db) }
            return .refused(refusal)
        }
    }

    /// Processes a payment and returns its outcome; a repeated payment gets the outcome of the first one.
    ///
    /// A refusal is thrown and rolls back the database transaction, so that the payment is not stored. `check` runs before the first charge
    /// and throws if the payment is not allowed.
    private func process(
        _ request: PurchaseRequest, by buyer: Buyer, at now: Timestamp, restoresUnfinished: Bool, _ db: Database, check: () throws -> Void
    ) throws -> PaymentOutcome {
        let payment = PaymentRecord(request, by: buyer)
        try payment.insert(db, onConflict: .ignore)
        guard db.changesCount == 1 else { return try outcome(of: payment, db) }
        let sale = try Sale(payment, by: buyer, db)
        try check()
        switch payment.state {
        case .completed:
            if restoresUnfinished, let open = try unfinishedConsumable(of: payment, by: buyer, db) {
                try setResult(open, of: payment, db)
                return .purchased(open)
            }
            return .purchased(try complete(sale, at: now, returnsAlreadyOwned: request.returnsAlreadyOwned == true, db))
        case .deferred:
            try insertEvent(.deferred, payment, at: now, db)
            return .deferred
        case .interrupted:
            try insertEvent(.interruption, payment, at: now, db)
            return .interrupted
        case .declined: throw PurchaseRefusal.declined
        }
    }

    private func outcome(of payment: PaymentRecord, _ db: Database) throws -> PaymentOutcome {
        guard let known = try PaymentRecord.first("id", payment.id.rawValue, db), payment.isRepeat(of: known) else {
            throw CheckoutError.paymentReused
        }
        switch known.state {
        case .deferred: return .deferred
        case .interrupted: return .interrupted
        case .declined: throw PurchaseRefusal.declined
        case .completed:
            let sql = "SELECT * FROM transactions WHERE id = ? OR (? IS NULL AND payment = ?)"
            let arguments: StatementArguments = [known.result?.rawValue, known.result?.rawValue, known.id.rawValue]
            guard let row = try TransactionRecord.fetchOne(db.cachedStatement(sql: sql), arguments: arguments) else {
                throw StoreError.transactionUnknown
            }
            return .purchased(row)
        }
    }

    /// Completes a payment: writes the transaction, the charge, the subscription and the notifications of a purchase.
    ///
    /// - Parameter returnsAlreadyOwned: Whether a payment for an already owned product returns the existing transaction instead of a new
    ///   one.
    /// - Throws: ``PurchaseRefusal/paymentMethodDeclined`` if the purchase has a price and the account's payment method declines.
    func complete(
        _ sale: Sale, at now: Timestamp, returnsAlreadyOwned: Bool = false, _ db: Database
    ) throws -> TransactionRecord {
        guard sale.price == 0 || sale.buyer.account.hasValidPaymentMethod else { throw PurchaseRefusal.paymentMethodDeclined }
        let row = try write(sale, at: now, returnsAlreadyOwned: returnsAlreadyOwned, db)
        try setResult(row, of: sale.payment, db)
        return row
    }

    /// Stores the transaction that repeated requests of a payment return.
    private func setResult(_ row: TransactionRecord, of payment: PaymentRecord, _ db: Database) throws {
        try db.cachedStatement(sql: "UPDATE payments SET result = ? WHERE id = ?").execute(arguments: [
            row.id.rawValue, payment.id.rawValue,
        ])
    }

    /// Returns the account's oldest unfinished transaction of a consumable in the quantity of a payment; nil if there is none.
    private func unfinishedConsumable(of payment: PaymentRecord, by buyer: Buyer, _ db: Database) throws -> TransactionRecord? {
        let sql = """
            SELECT * FROM transactions WHERE account = ? AND productID = ? AND bundleID = ? AND type = ? AND quantity = ?
                AND kind = 'purchase' AND finishedAt IS NULL AND revokedAt IS NULL ORDER BY rowid LIMIT 1
            """
        let arguments: StatementArguments = [
            buyer.account.id.rawValue, payment.productID.rawValue, payment.bundleID.rawValue, ProductType.consumable.rawValue,
            payment.quantity,
        ]
        return try TransactionRecord.fetchOne(db.cachedStatement(sql: sql), arguments: arguments)
    }

    /// Writes the transaction, its charge, the subscription, the Family Sharing and the notifications of a sale, without a check of the
    /// payment method.
    ///
    /// The result for a subscription is the transaction of the new period, or of the current period if the change takes effect at the next
    /// renewal.
    ///
    /// - Parameter returnsAlreadyOwned: Whether the method returns the existing transaction of an already owned product instead of a new
    ///   one.
    /// - Throws: ``PurchaseRefusal/alreadySubscribed`` if the account already has this subscription and `returnsAlreadyOwned` is false.
    func write(
        _ sale: Sale, at now: Timestamp, returnsAlreadyOwned: Bool = false, _ db: Database
    ) throws -> TransactionRecord {
        switch sale.kind {
        case .oneTime(_, _, let original?) where returnsAlreadyOwned: return original
        case .oneTime(let product, let price, let original):
            return try writeOneTime(sale, of: product, price: price, after: original, at: now, db)
        case .subscription(let purchase, let group, let existing):
            let sold =
                if let existing {
                    try subscriptions.change(existing, to: purchase, sale, at: now, returnsAlreadyOwned: returnsAlreadyOwned, db)
                } else {
                    try subscriptions.begin(purchase, in: group, sale, at: now, db)
                }
            if let subscription = sold.changedSharing { try familySharing.updateSharing(subscription, at: now, db) }
            return sold.transaction
        }
    }

    private func writeOneTime(
        _ sale: Sale, of product: StoreProduct, price: Int64, after original: TransactionRecord?, at now: Timestamp, _ db: Database
    ) throws -> TransactionRecord {
        let payment = sale.payment
        let transactionDate = try context.apps.rules(db).transactionDate(now)
        var row = try TransactionRecord(.purchase, product.id, product.type, for: sale.buyer, price: price, at: transactionDate, db)
        row.currency = product.price.currency
        row.quantity = payment.quantity
        row.appAccountToken = payment.appAccountToken
        row.applicationUsername = payment.applicationUsername
        row.payment = payment.id
        if let original {
            row.originalID = original.id
            row.originalPurchaseDate = original.originalPurchaseDate
        }
        try transactions.insert(&row, at: now, db)
        // Another purchase of an already owned product sends no notification and is not shared again.
        let first: NotificationKind = product.type == .freeSubscription ? .subscribed : .oneTimeCharge
        try notices.post(StoreNotice(.purchase, original == nil ? first : nil, about: row), at: now, db)
        guard original == nil else { return row }
        if product.isFamilyShareable { try familySharing.share(row, at: now, db) }
        return row
    }

    private func insertEvent(_ kind: StoreEvent.Kind, _ payment: PaymentRecord, at now: Timestamp, _ db: Database) throws {
        try events.insertEvent(
            EventRecord(
                date: now, kind: kind, bundleID: payment.bundleID, account: payment.account, productID: payment.productID,
                detail: payment.id.rawValue
            ), db)
    }

    /// Simulates a promoted in-app purchase: the account selects a product in the App Store.
    ///
    /// The app receives the purchase intent with its next request for unfinished transactions.
    func promote(_ request: PromotionRequest) async throws {
        try await context.transaction { db, now in
            let app = try context.apps.require(request.bundleID ?? context.apps.defaultBundleID)
            guard app.catalog.product(request.productID) != nil else { throw AppError.productUnknown }
            _ = try AccountRecord.require(request.account, db)
            try db.execute(
                sql: "INSERT INTO promotions (account, bundleID, productID, offerID) VALUES (?, ?, ?, ?)",
                arguments: [request.account.rawValue, app.bundleID.rawValue, request.productID.rawValue, request.offerID]
            )
            let event = EventRecord(
                date: now, kind: .promotion, bundleID: app.bundleID, account: request.account, productID: request.productID)
            try events.insertEvent(event, db)
        }
    }
}

extension PaymentRecord {
    /// Creates the row of a payment from a purchase request, in its first state: deferred, interrupted or completed.
    fileprivate init(_ request: PurchaseRequest, by buyer: Buyer) {
        self.init(
            id: request.payment,
            account: buyer.account.id,
            device: buyer.device,
            appVersion: buyer.appVersion,
            productID: request.productID,
            quantity: request.quantity,
            appAccountToken: request.appAccountToken,
            state: buyer.requiresApproval(request) ? .deferred : buyer.isInterrupted ? .interrupted : .completed,
            bundleID: buyer.app.bundleID,
            offerType: request.offer?.kind.rawValue,
            offerID: request.offer?.id,
            allowsIntroductoryOffer: request.offer.flatMap { OfferClaims($0)?.allowIntroductoryOffer },
            billingPlan: request.billingPlan,
            seats: request.seats,
            applicationUsername: request.applicationUsername
        )
    }
}

/// A promoted in-app purchase that an account selected in the App Store and the app has not yet handled, as a row of the database.
struct PromotionRecord: Codable, Sendable, FetchableRecord {
    var id: Int64
    var productID: ProductID
    var offerID: String?

    /// The purchase intent as the device API returns it.
    var intent: PromotedPurchase {
        PromotedPurchase(id: id, productID: productID, offerID: offerID)
    }
}

extension PurchaseReply {
    /// Creates the reply for a purchase that the store refuses, and notes the reason for the log of requests.
    static func refused(_ refusal: PurchaseRefusal) -> PurchaseReply {
        RequestNotes.current?.reason = refusal.message
        return .refused(code: refusal.code, message: refusal.message)
    }
}

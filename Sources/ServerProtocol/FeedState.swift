package import PurchaseModel

/// The state of an object before or after an event of the feed.
package enum FeedState: Hashable, Sendable {
    /// The kind of a state.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case entitlement, purchase, balance, grant, seat, customer, notification
    }

    case entitlement(Entitlement)
    case purchase(Purchase)
    case balance(Balance)
    case grant(Grant)
    case seat(Seat)
    case customer(Customer)
    case notification(Notification)

    /// A customer's entitlement, as `GET /v1/customer/entitlements` states it, without the description of the reason.
    package struct Entitlement: Codable, Hashable, Sendable {
        package var name: EntitlementName
        package var isActive: Bool
        package var state: Access.State
        package var until: Timestamp?
        package var productID: ProductID?
        package var originalTransactionID: TransactionID?
        package var ownership: String?
        package var renewsTo: ProductID?
        package var environment: String?
        package var isUnconfirmed: Bool?

        package init(_ reply: EntitlementReply) {
            name = reply.name
            isActive = reply.isActive
            state = reply.state
            until = reply.until
            productID = reply.productID
            originalTransactionID = reply.originalTransactionID
            ownership = reply.ownership
            renewsTo = reply.renewsTo
            environment = reply.environment
            isUnconfirmed = reply.isUnconfirmed
        }
    }

    /// A purchase, with the state of its latest period.
    package struct Purchase: Codable, Hashable, Sendable {
        /// A refund or a revocation of a transaction.
        package struct Revocation: Codable, Hashable, Sendable {
            package var transactionID: TransactionID
            package var productID: ProductID
            package var date: Timestamp
            /// The revoked share in thousandths of a percent; 100000 for a complete refund.
            package var percentage: Int
            /// Apple's number of the reason; nil without a reason.
            package var reason: Int?

            package init(transactionID: TransactionID, productID: ProductID, date: Timestamp, percentage: Int, reason: Int?) {
                self.transactionID = transactionID
                self.productID = productID
                self.date = date
                self.percentage = percentage
                self.reason = reason
            }
        }

        /// A price increase of a subscription.
        package struct PriceIncrease: Codable, Hashable, Sendable {
            /// Apple's `priceIncreaseStatus`: 0 for a pending consent, 1 for a consent or a notice.
            package var status: Int
            /// The price of the next renewal in thousandths of the currency's unit; nil if unknown.
            package var renewalPrice: Int64?
            package var currency: String?

            package init(status: Int, renewalPrice: Int64?, currency: String?) {
                self.status = status
                self.renewalPrice = renewalPrice
                self.currency = currency
            }
        }

        package var originalTransactionID: TransactionID
        package var productID: ProductID
        package var productType: ProductType?
        /// The transaction of the latest paid period.
        package var transactionID: TransactionID
        package var purchaseDate: Timestamp
        package var state: Access.State
        /// The end of the paid period or of the grace period; nil for a state without an end.
        package var until: Timestamp?
        package var renewsTo: ProductID?
        package var ownership: String?
        package var environment: String
        package var customer: CustomerID?
        package var sharedWith: [CustomerID]
        package var revocation: Revocation?
        package var priceIncrease: PriceIncrease?
        /// The number of seats; nil for a purchase without seats.
        package var seats: Int?

        package init(
            _ entitlement: PurchaseModel.Entitlement, customer: CustomerID?, sharedWith: [CustomerID], revocation: Revocation? = nil,
            priceIncrease: PriceIncrease? = nil, seats: Int? = nil
        ) {
            originalTransactionID = entitlement.originalTransactionID
            productID = entitlement.productID
            productType = entitlement.productType
            transactionID = entitlement.transactionID
            purchaseDate = entitlement.purchaseDate
            (state, until) = entitlement.state.stated
            renewsTo = entitlement.renewsTo
            ownership = entitlement.ownership?.rawValue
            environment = entitlement.environment
            self.customer = customer
            self.sharedWith = sharedWith
            self.revocation = revocation
            self.priceIncrease = priceIncrease
            self.seats = seats
        }
    }

    /// A customer's balance, after a posting with the posting.
    package struct Balance: Codable, Hashable, Sendable {
        /// The posting that changed the balance.
        package struct Posting: Codable, Hashable, Sendable {
            package var kind: String
            package var key: String
            package var amount: Int64
            package var number: Int64

            package init(kind: String, key: String, amount: Int64, number: Int64) {
                self.kind = kind
                self.key = key
                self.amount = amount
                self.number = number
            }
        }

        package var currency: CurrencyID
        package var amount: Int64
        package var posting: Posting?

        package init(currency: CurrencyID, amount: Int64, posting: Posting? = nil) {
            self.currency = currency
            self.amount = amount
            self.posting = posting
        }
    }

    /// An entitlement that a backend granted.
    package struct Grant: Codable, Hashable, Sendable {
        package var entitlement: EntitlementName
        package var grantedAt: Timestamp
        package var until: Timestamp?
        package var revokedAt: Timestamp?

        package init(entitlement: EntitlementName, grantedAt: Timestamp, until: Timestamp?, revokedAt: Timestamp?) {
            self.entitlement = entitlement
            self.grantedAt = grantedAt
            self.until = until
            self.revokedAt = revokedAt
        }
    }

    /// A member's seat of a team.
    package struct Seat: Codable, Hashable, Sendable {
        package var team: TransactionID
        package var requestIdentifier: String
        package var claimedAt: Timestamp?
        package var endedAt: Timestamp?

        package init(team: TransactionID, requestIdentifier: String, claimedAt: Timestamp?, endedAt: Timestamp?) {
            self.team = team
            self.requestIdentifier = requestIdentifier
            self.claimedAt = claimedAt
            self.endedAt = endedAt
        }
    }

    /// A customer, with the target of the customer's merge.
    package struct Customer: Codable, Hashable, Sendable {
        package var customer: CustomerID
        package var mergedInto: CustomerID?

        package init(customer: CustomerID, mergedInto: CustomerID?) {
            self.customer = customer
            self.mergedInto = mergedInto
        }
    }

    /// A signed notification whose type or subject the server does not know.
    package struct Notification: Codable, Hashable, Sendable {
        package var notificationUUID: String
        /// The type and the subtype, as the notification states them.
        package var kind: String

        package init(notificationUUID: String, kind: String) {
            self.notificationUUID = notificationUUID
            self.kind = kind
        }
    }
}

extension FeedState: Encodable {
    /// Decodes a state of a kind.
    package init(_ kind: Kind, from decoder: any Decoder) throws {
        switch kind {
        case .entitlement: self = .entitlement(try Entitlement(from: decoder))
        case .purchase: self = .purchase(try Purchase(from: decoder))
        case .balance: self = .balance(try Balance(from: decoder))
        case .grant: self = .grant(try Grant(from: decoder))
        case .seat: self = .seat(try Seat(from: decoder))
        case .customer: self = .customer(try Customer(from: decoder))
        case .notification: self = .notification(try Notification(from: decoder))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .entitlement(let state): try state.encode(to: encoder)
        case .purchase(let state): try state.encode(to: encoder)
        case .balance(let state): try state.encode(to: encoder)
        case .grant(let state): try state.encode(to: encoder)
        case .seat(let state): try state.encode(to: encoder)
        case .customer(let state): try state.encode(to: encoder)
        case .notification(let state): try state.encode(to: encoder)
        }
    }
}

extension Entitlement.State {
    /// The name of the state and its end, as signed data states them.
    fileprivate var stated: (Access.State, until: Timestamp?) {
        switch self {
        case .owned: (.owned, nil)
        case .active(let until): (.active, until)
        case .gracePeriod(let until): (.gracePeriod, until)
        case .billingRetry: (.billingRetry, nil)
        case .expired: (.expired, nil)
        case .revoked: (.revoked, nil)
        }
    }
}

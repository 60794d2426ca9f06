import ContentStorage
import Foundation
import PurchaseModel
import PurchaseServer
import PurchaseStorage

/// The records of one app: a value, so that a transaction that fails leaves them unchanged.
struct MemoryRecords: Sendable {
    /// What identifies an event of a purchase.
    struct EventKey: Hashable {
        let source: String
        /// The signed data of an event with renewal info.
        var evidence: VerifiedEvent.Evidence?
        /// The facts of any other event.
        var facts: TransactionPayload?

        init(_ verified: VerifiedEvent) {
            source = verified.event.source
            if case .transaction(_, _?) = verified.evidence {
                evidence = verified.evidence
            } else {
                var facts = verified.event.transaction
                (facts.signedDate, facts.deviceVerification, facts.deviceVerificationNonce) = (Timestamp(milliseconds: 0), nil, nil)
                self.facts = facts
            }
        }
    }

    /// The customer and the currency of a balance.
    struct Account: Hashable {
        let customer: CustomerID
        let currency: CurrencyID
    }

    struct Token: Hashable {
        var customer: CustomerID
        let createdAt: Timestamp
    }

    struct DownloadToken: Hashable {
        let id: String
        let customer: CustomerID
        let purchase: TransactionID
        let date: Timestamp
    }

    var events: [TransactionID: [EventKey: StoredEvent]] = [:]
    var purchases: [TransactionID: PurchaseRecord] = [:]
    var claims: [PurchaseClaim] = []
    var balances: [Account: CreditBalance] = [:]
    var postings: [Account: [LedgerPosting]] = [:]
    var credits: [TransactionID: [String: PurchaseCredit]] = [:]
    var decisions: [CreditDecision] = []
    var customers: [CustomerID: CustomerRecord] = [:]
    var aliases: [OpaqueText: CustomerID] = [:]
    var tokens: [Data: Token] = [:]
    var keys: [Data: APIKeyRecord] = [:]
    var products: [ProductID: ServerProduct] = [:]
    var catalogRevision: Int64 = 0
    var fileProducts: [ServerProduct] = []
    var consents: [CustomerID: Timestamp] = [:]
    var versions: [ContentVersion] = []
    var downloadTokens: [DownloadToken] = []
    var grants: [EntitlementGrant] = []
    var merges: [CustomerMergeRecord] = []
    var notifications: [String: ReceivedNotification] = [:]
    var unknownNotifications: Set<String> = []
    var refused: [RefusedNotification] = []
    var comparisons: [VerifyReceiptComparison] = []
    var imports: [String: ImportProgress] = [:]
    var requests: [AppStoreRequest] = []
    var progress: [AppEnvironment: ReconciliationProgress] = [:]
    var lookups: [TransactionID: PurchaseLookup] = [:]
    var teams: [TransactionID: TeamRecord] = [:]
    var invitations: [SeatInvitation] = []
    var seatClaims: [SeatClaim] = []
    var feed: [PositionedFeedEvent] = []
    var feedPositions = FeedPositions()
    var feedCustomers: [CustomerID: FeedCustomer] = [:]
    var feedSweep: FeedSweep?
    var feedTeams: [TransactionID: FeedTeam] = [:]
    var secrets: [String: Data] = [:]
    var webhookEndpoints: [String: WebhookEndpoint] = [:]
    var webhookPositions: [String: Int64] = [:]
    var webhookDeliveries: [WebhookDelivery] = []
    var webhookLanes: [WebhookLane] = []
    var webhookDeadLetters: [WebhookDeadLetter] = []
}

import GRDB
import PurchaseModel

/// An open store, which its services share: its database, its clock, its apps and its keys.
///
/// Each service has the operations of one subject, such as purchases or refunds, independent of HTTP. An asynchronous operation is one
/// database transaction. A synchronous operation with a `Database` parameter is a part of the caller's database transaction, so that
/// services compose.
struct StoreContext: Sendable {
    let database: StoreDatabase
    let clock: StoreClock
    let apps: StoreApps
    let signer: StoreSigner
    let eventBroadcast: EventBroadcast
    let faultFlag: EnabledFaultFlag
    /// The maximum number of due events, such as renewals, that the store processes before it responds to a request.
    let eventsPerRequest: Int
    /// Whether the store sends notifications about changes; false for the changes of an import.
    var sendsNotifications = true
    /// The announcement of each commit, after which the store may have new work.
    let changes = StoreChanges()
    /// The newest requests that the store has received.
    let requestLog = RequestLog()
    /// The dates of the latest requests of devices.
    let deviceActivity = DeviceActivity()

    /// Runs a closure in one database transaction, with the store's current time.
    ///
    /// After the commit, the event streams receive the transaction's events, and the store is checked for new work.
    ///
    /// The time is read inside the database transaction, so that the dates of all writes are in the order of the writes.
    func transaction<Value: Sendable>(_ change: @escaping @Sendable (Database, Timestamp) throws -> Value) async throws -> Value {
        // GRDB runs the closure on another thread, which does not inherit task-local values, so the effects of faults are passed on here.
        let effects = SigningEffects.current
        let value = try await database.write { db in
            db.afterNextTransaction(
                onCommit: { _ in eventBroadcast.publishInserted() }, onRollback: { _ in eventBroadcast.discardInserted() })
            return try SigningEffects.$current.withValue(effects) { try change(db, clock.now) }
        }
        changes.announce()
        return value
    }

    /// Runs a closure that reads a consistent snapshot of the database.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        let effects = SigningEffects.current
        return try await database.read { db in
            try SigningEffects.$current.withValue(effects) { try body(db) }
        }
    }
}

extension StoreContext {
    var checkout: CheckoutService { CheckoutService(context: self) }
    var approvals: ApprovalService { ApprovalService(context: self) }
    var offerCodes: OfferCodeService { OfferCodeService(context: self) }
    var offerSignatures: OfferSignatureVerifier { OfferSignatureVerifier(context: self) }
    var transactions: TransactionService { TransactionService(context: self) }
    var histories: HistoryService { HistoryService(context: self) }
    var restores: RestoreService { RestoreService(context: self) }
    var subscriptions: SubscriptionService { SubscriptionService(context: self) }
    var refunds: RefundService { RefundService(context: self) }
    var notifications: NotificationService { NotificationService(context: self) }
    var triggers: TriggerService { TriggerService(context: self) }
    var accounts: AccountService { AccountService(context: self) }
    var accountLists: AccountListService { AccountListService(context: self) }
    var devices: DeviceService { DeviceService(context: self) }
    var sessions: SessionService { SessionService(context: self) }
    var familySharing: FamilySharingService { FamilySharingService(context: self) }
    var time: ClockService { ClockService(context: self) }
    var dueEvents: DueEventService { DueEventService(context: self) }
    var serverAPI: ServerAPIService { ServerAPIService(context: self) }
    var extensions: ExtensionService { ExtensionService(context: self) }
    var notificationHistory: NotificationHistoryService { NotificationHistoryService(context: self) }
    var contents: ContentService { ContentService(context: self) }
    var faults: FaultService { FaultService(context: self) }
    var appSettings: AppService { AppService(context: self) }
    var events: EventService { EventService(context: self) }
    var searches: SearchService { SearchService(context: self) }
    var receipts: ReceiptService { ReceiptService(context: self) }
    var exports: ExportService { ExportService(context: self) }
    var historyImports: HistoryImportService { HistoryImportService(context: self) }
    var inProcess: InProcessService { InProcessService(context: self) }
}

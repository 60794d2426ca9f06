import Logging

/// The services of an open store, each created with the services that it uses.
///
/// Each service has the operations of one subject, such as purchases or refunds, independent of HTTP. An asynchronous operation is one
/// database transaction. A synchronous operation with a `Database` parameter is a part of the caller's database transaction, so that
/// services compose; its date is a parameter, because a due event happens at the date at which it was due. A service uses only services
/// that are created before it.
///
/// This is a class, because the context of each request refers to it.
final class StoreServices: Sendable {
    let context: StoreContext
    let events: EventService
    let contents: ContentService
    let sessions: SessionService
    let devices: DeviceService
    let accountLists: AccountListService
    let appSettings: AppService
    let searches: SearchService
    let exports: ExportService
    let receipts: ReceiptService
    let histories: HistoryService
    let faults: FaultService
    let transactions: TransactionService
    let restores: RestoreService
    let notifications: NotificationService
    let sender: NotificationSender
    let serverAPI: ServerAPIService
    let groups: GroupService
    let notices: NoticeService
    let notificationHistory: NotificationHistoryService
    let subscriptions: SubscriptionService
    let extensions: ExtensionService
    let familySharing: FamilySharingService
    let accounts: AccountService
    let refunds: RefundService
    let seats: SeatService
    let historyImports: HistoryImportService
    let checkout: CheckoutService
    let approvals: ApprovalService
    let offerCodes: OfferCodeService
    let subscriptionActions: SubscriptionActionService
    let triggers: TriggerService
    let inProcess: InProcessService
    let dueEvents: DueEventService
    let time: ClockService

    /// Creates the services of a store.
    ///
    /// - Parameters:
    ///   - context: The state that the services share.
    ///   - requestLog: The newest requests that the store has received.
    ///   - configuration: The configuration with the limits of the store.
    ///   - post: Posts a notification to a developer's server.
    ///   - logger: The logger of the store.
    init(
        _ context: StoreContext, requestLog: RequestLog, configuration: LocalAppStoreConfiguration, post: @escaping NotificationSender.Post,
        logger: Logger
    ) {
        self.context = context
        let activity = DeviceActivity()
        events = EventService(context: context)
        contents = ContentService(context: context)
        sessions = SessionService(context: context, activity: activity)
        devices = DeviceService(context: context, activity: activity)
        accountLists = AccountListService(context: context)
        appSettings = AppService(context: context)
        searches = SearchService(context: context, requestLog: requestLog)
        exports = ExportService(context: context)
        receipts = ReceiptService(context: context)
        histories = HistoryService(context: context)

        faults = FaultService(context: context, sessions: sessions, events: events)
        transactions = TransactionService(context: context, contents: contents, events: events)
        restores = RestoreService(context: context, transactions: transactions, events: events)
        notifications = NotificationService(context: context)
        sender = NotificationSender(
            context: context, notifications: notifications, events: events, retries: configuration.notificationRetries,
            timeout: configuration.notificationTimeout, post: post, logger: logger)
        serverAPI = ServerAPIService(context: context, transactions: transactions, events: events)
        groups = GroupService(context: context)

        notices = NoticeService(context: context, events: events, faults: faults, receipts: receipts)
        notificationHistory = NotificationHistoryService(context: context, notices: notices)
        let purchases = PurchaseServices(context, transactions, notices, configuration)
        (subscriptions, familySharing, refunds) = (purchases.subscriptions, purchases.familySharing, purchases.refunds)
        seats = purchases.seats
        extensions = ExtensionService(context: context, subscriptions: subscriptions, notices: notices)
        accounts = AccountService(context: context, events: events, subscriptions: subscriptions, familySharing: familySharing)
        inProcess = InProcessService(context: context, subscriptions: subscriptions, events: events)
        let silentNotices = NoticeService(
            context: context, events: events, faults: faults, receipts: receipts, sendsNotifications: false)
        historyImports = HistoryImportService(
            context: context, transactions: transactions,
            refunds: PurchaseServices(context, transactions, silentNotices, configuration).refunds, events: events)

        checkout = CheckoutService(
            context: context, contents: contents, offerSignatures: OfferSignatureVerifier(context: context), events: events,
            transactions: transactions, subscriptions: subscriptions, familySharing: familySharing, notices: notices)
        approvals = ApprovalService(context: context, events: events, checkout: checkout)
        offerCodes = OfferCodeService(context: context, checkout: checkout)
        subscriptionActions = SubscriptionActionService(
            context: context, transactions: transactions, subscriptions: subscriptions, checkout: checkout)
        triggers = TriggerService(
            context: context, checkout: checkout, subscriptions: subscriptions, familySharing: familySharing, refunds: refunds,
            notices: notices)
        // A refund request that is due at the date of a renewal is decided before the renewal.
        dueEvents = DueEventService(
            context: context, work: [refunds, subscriptions], extensions: extensions, notifications: notifications,
            eventsPerRequest: configuration.eventsPerRequest)
        time = ClockService(context: context, events: events, dueEvents: dueEvents, sender: sender)
    }
}

/// The services that change purchases after their sale, which post their changes to the same service of notices.
private struct PurchaseServices {
    let subscriptions: SubscriptionService
    let familySharing: FamilySharingService
    let seats: SeatService
    let refunds: RefundService

    init(
        _ context: StoreContext, _ transactions: TransactionService, _ notices: NoticeService, _ configuration: LocalAppStoreConfiguration
    ) {
        subscriptions = SubscriptionService(
            context: context, transactions: transactions, notices: notices, eventsPerRequest: configuration.eventsPerRequest)
        familySharing = FamilySharingService(
            context: context, transactions: transactions, subscriptions: subscriptions, notices: notices)
        seats = SeatService(
            context: context, subscriptions: subscriptions, familySharing: familySharing, notices: notices)
        refunds = RefundService(
            context: context, transactions: transactions, subscriptions: subscriptions, familySharing: familySharing, notices: notices,
            seats: seats)
    }
}

import ArgumentParser
import PurchaseModel
import PurchaseProtocol

/// Renews a subscription before its renewal date.
struct StoreRenewCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "renew",
        abstract: "Renew a subscription now, before its renewal date.",
        discussion: """
              tillroll store renew --account jane@example.com
            """,
        exitCodes: .store
    )

    @OptionGroup(title: "Subscription") var target: SubscriptionTarget
    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreClient) async throws -> SubscriptionDescription {
        try await store.perform(SubscriptionRequest(.renew), on: target)
    }

    func lines(_ output: SubscriptionDescription, _ style: TerminalStyle) -> [String] {
        SubscriptionTable(output).lines(style)
    }
}

/// Expires a subscription.
struct StoreExpireCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "expire",
        abstract: "Expire a subscription now.",
        discussion: """
              tillroll store expire --account jane@example.com
            """,
        exitCodes: .store
    )

    @OptionGroup(title: "Subscription") var target: SubscriptionTarget
    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreClient) async throws -> SubscriptionDescription {
        try await store.perform(SubscriptionRequest(.expire), on: target)
    }

    func lines(_ output: SubscriptionDescription, _ style: TerminalStyle) -> [String] {
        SubscriptionTable(output).lines(style)
    }
}

/// Disables auto-renew.
struct StoreDisableAutoRenewCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable-auto-renew",
        abstract: "Disable auto-renew; the subscription expires at the end of its period.",
        discussion: """
              tillroll store disable-auto-renew --account jane@example.com
            """,
        exitCodes: .store
    )

    @OptionGroup(title: "Subscription") var target: SubscriptionTarget
    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreClient) async throws -> SubscriptionDescription {
        try await store.perform(SubscriptionRequest(.disableAutoRenew), on: target)
    }

    func lines(_ output: SubscriptionDescription, _ style: TerminalStyle) -> [String] {
        SubscriptionTable(output).lines(style)
    }
}

/// Enables auto-renew.
struct StoreEnableAutoRenewCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable-auto-renew",
        abstract: "Enable auto-renew again.",
        discussion: """
              tillroll store enable-auto-renew --account jane@example.com
            """,
        exitCodes: .store
    )

    @OptionGroup(title: "Subscription") var target: SubscriptionTarget
    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreClient) async throws -> SubscriptionDescription {
        try await store.perform(SubscriptionRequest(.enableAutoRenew), on: target)
    }

    func lines(_ output: SubscriptionDescription, _ style: TerminalStyle) -> [String] {
        SubscriptionTable(output).lines(style)
    }
}

/// Cancels a pending change to another product, such as a downgrade.
struct StoreCancelChangeCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel-change",
        abstract: "Cancel a pending change to another product, such as a downgrade.",
        discussion: """
              tillroll store cancel-change --account jane@example.com
            """,
        exitCodes: .store
    )

    @OptionGroup(title: "Subscription") var target: SubscriptionTarget
    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreClient) async throws -> SubscriptionDescription {
        try await store.perform(SubscriptionRequest(.cancelChange), on: target)
    }

    func lines(_ output: SubscriptionDescription, _ style: TerminalStyle) -> [String] {
        SubscriptionTable(output).lines(style)
    }
}

/// Raises the price of a subscription.
struct StoreIncreasePriceCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "increase-price",
        abstract: "Raise a subscription's price from the next renewal.",
        discussion: """
            By default the increase requires the account's consent: without `consent-to-price-increase` the subscription expires \
            at the end of its period. With --without-consent the increase takes effect after a notice.

              tillroll store increase-price --account jane@example.com --price 5.99
            """,
        exitCodes: .store
    )

    @OptionGroup(title: "Subscription") var target: SubscriptionTarget
    @Option(help: "The new price per period, such as 5.99.") var price: PriceOption
    @Flag(help: "Raise the price without consent.") var withoutConsent = false
    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreClient) async throws -> SubscriptionDescription {
        try await store.perform(
            SubscriptionRequest(withoutConsent ? .increasePriceWithoutConsent : .increasePriceWithConsent, price: price.milliunits),
            on: target)
    }

    func lines(_ output: SubscriptionDescription, _ style: TerminalStyle) -> [String] {
        SubscriptionTable(output).lines(style)
    }
}

/// Consents to a price increase.
struct StoreConsentToPriceIncreaseCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "consent-to-price-increase",
        abstract: "Consent to a price increase for the account.",
        discussion: """
              tillroll store consent-to-price-increase --account jane@example.com
            """,
        exitCodes: .store
    )

    @OptionGroup(title: "Subscription") var target: SubscriptionTarget
    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreClient) async throws -> SubscriptionDescription {
        try await store.perform(SubscriptionRequest(.consentToPriceIncrease), on: target)
    }

    func lines(_ output: SubscriptionDescription, _ style: TerminalStyle) -> [String] {
        SubscriptionTable(output).lines(style)
    }
}

/// Declines a price increase.
struct StoreDeclinePriceIncreaseCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "decline-price-increase",
        abstract: "Decline a price increase for the account.",
        discussion: """
              tillroll store decline-price-increase --account jane@example.com
            """,
        exitCodes: .store
    )

    @OptionGroup(title: "Subscription") var target: SubscriptionTarget
    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreClient) async throws -> SubscriptionDescription {
        try await store.perform(SubscriptionRequest(.declinePriceIncrease), on: target)
    }

    func lines(_ output: SubscriptionDescription, _ style: TerminalStyle) -> [String] {
        SubscriptionTable(output).lines(style)
    }
}

/// Extends a renewal date.
struct StoreExtendCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "extend",
        abstract: "Extend a subscription's renewal date by 1 to 90 days.",
        discussion: """
              tillroll store extend --account jane@example.com --days 14
            """,
        exitCodes: .store
    )

    @OptionGroup(title: "Subscription") var target: SubscriptionTarget
    @Option(help: "The number of days, from 1 to 90.") var days: Int
    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreClient) async throws -> SubscriptionDescription {
        try await store.perform(SubscriptionRequest(.extend, days: days), on: target)
    }

    func lines(_ output: SubscriptionDescription, _ style: TerminalStyle) -> [String] {
        SubscriptionTable(output).lines(style)
    }
}

/// The options that identify a subscription.
struct SubscriptionTarget: ParsableArguments {
    @Argument(help: "The ID of any transaction of the subscription; alternatively give --account.")
    var transaction: String?

    @Option(help: "The account that has the subscription; alternative to a transaction.")
    var account: String?

    @Option(help: "The product ID; required if the account has several subscriptions.")
    var product: String?

    func validate() throws {
        guard (transaction == nil) != (account == nil) else {
            throw ValidationError("Give either the ID of one of the subscription's transactions, or --account.")
        }
    }

    /// A transaction of the subscription.
    func find(in store: StoreClient) async throws -> TransactionID {
        if let transaction { return TransactionID(transaction) }
        let account = account ?? ""
        let all = try await store.call(ControlEndpoints.subscriptions, ["account": account]).subscriptions
        let matching = all.filter { !$0.isShared && (product == nil || $0.renewalInfo.productId?.rawValue == product) }
        guard let first = matching.first else {
            StandardError.line(
                "Error: No such subscription of \(TerminalText.safe(account)). List them with: tillroll store subscriptions ACCOUNT")
            throw ExitCode.refused
        }
        guard matching.count == 1 else {
            throw ValidationError("Account \(account) has \(matching.count) subscriptions. Choose one with --product or a transaction ID.")
        }
        return first.renewalInfo.originalTransactionId
    }
}

extension StoreClient {
    /// Performs a request on the subscription that the options identify.
    func perform(_ request: SubscriptionRequest, on target: SubscriptionTarget) async throws -> SubscriptionDescription {
        let transaction = try await target.find(in: self)
        return try await call(ControlEndpoints.changeSubscription, request, ["transaction": transaction.rawValue])
    }
}

/// A table of subscriptions.
struct SubscriptionTable {
    private var table = TextTable(["subscription", "product", "state", "auto-renew", "renewal date"])

    init(_ subscriptions: SubscriptionDescription...) {
        self.init(subscriptions)
    }

    init(_ subscriptions: [SubscriptionDescription]) {
        for subscription in subscriptions {
            let info = subscription.renewalInfo
            table.add([
                info.originalTransactionId.rawValue, info.productId?.rawValue ?? "", Self.state(subscription),
                info.autoRenewStatus == 1 ? "enabled" : "disabled", subscription.nextRenewalDate.map { "\($0)" } ?? "",
            ])
        }
    }

    /// The lines of the table, or a message if it is empty.
    func lines(_ style: TerminalStyle) -> [String] {
        table.isEmpty ? [style.faint("no subscriptions")] : table.lines(style, indent: "")
    }

    private static func state(_ subscription: SubscriptionDescription) -> String {
        let state =
            switch SubscriptionStatus(rawValue: subscription.status) {
            case .active: "active"
            case .expired: "expired"
            case .billingRetry: "billing retry"
            case .gracePeriod: "grace period"
            case .revoked: "revoked"
            case nil: "\(subscription.status)"
            }
        return subscription.isShared ? "\(state), Family Sharing" : state
    }
}

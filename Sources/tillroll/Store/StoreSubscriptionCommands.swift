import ArgumentParser
import PurchaseModel
import StoreProtocol

/// A command that changes a subscription and prints the result.
protocol SubscriptionActionCommand: StoreRequestCommand where Output == SubscriptionDescription {
    var target: SubscriptionTarget { get }

    /// The requested change.
    var request: SubscriptionRequest { get }
}

extension SubscriptionActionCommand {
    func send(to store: StoreConnection) async throws -> SubscriptionDescription {
        let transaction = try await target.find(in: store)
        return try await store.call(ControlEndpoints.changeSubscription, request, ["transaction": transaction.rawValue])
    }

    func lines(_ output: SubscriptionDescription, _ style: TerminalStyle) -> [String] {
        SubscriptionTable(output).lines(style)
    }
}

/// Renews a subscription before its renewal date.
struct StoreRenewCommand: SubscriptionActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "renew",
        abstract: "Renew a subscription now, before its renewal date.",
        discussion: """
            The current period ends now. With --ahead, the current period continues until its end, and only the next period is charged \
            early: the App Store charges up to 24 hours before the renewal date. To charge every renewal ahead, use \
            `store time-rate --ahead`.

              tillroll store renew --account jane@example.com
              tillroll store renew --ahead --account jane@example.com
            """,
        exitCodes: .store
    )

    @OptionGroup(title: "Subscription") var target: SubscriptionTarget
    @Flag(help: "Charge the next period now, in the last 24 hours of the current period, which continues.") var ahead = false
    @OptionGroup(title: "Store") var options: StoreOptions

    var request: SubscriptionRequest { SubscriptionRequest(ahead ? .chargeAhead : .renew) }
}

/// Expires a subscription immediately.
struct StoreExpireCommand: SubscriptionActionCommand {
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

    var request: SubscriptionRequest { SubscriptionRequest(.expire) }
}

/// Disables a subscription's auto-renew.
struct StoreDisableAutoRenewCommand: SubscriptionActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable-auto-renew",
        abstract: "Disable a subscription's auto-renew, so that it expires at the end of its period.",
        discussion: """
              tillroll store disable-auto-renew --account jane@example.com
            """,
        exitCodes: .store
    )

    @OptionGroup(title: "Subscription") var target: SubscriptionTarget
    @OptionGroup(title: "Store") var options: StoreOptions

    var request: SubscriptionRequest { SubscriptionRequest(.disableAutoRenew) }
}

/// Enables a subscription's auto-renew again.
struct StoreEnableAutoRenewCommand: SubscriptionActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable-auto-renew",
        abstract: "Enable a subscription's auto-renew again.",
        discussion: """
              tillroll store enable-auto-renew --account jane@example.com
            """,
        exitCodes: .store
    )

    @OptionGroup(title: "Subscription") var target: SubscriptionTarget
    @OptionGroup(title: "Store") var options: StoreOptions

    var request: SubscriptionRequest { SubscriptionRequest(.enableAutoRenew) }
}

/// Cancels a subscription's pending change to another product, such as a downgrade.
struct StoreCancelChangeCommand: SubscriptionActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel-change",
        abstract: "Cancel a subscription's pending change to another product, such as a downgrade.",
        discussion: """
              tillroll store cancel-change --account jane@example.com
            """,
        exitCodes: .store
    )

    @OptionGroup(title: "Subscription") var target: SubscriptionTarget
    @OptionGroup(title: "Store") var options: StoreOptions

    var request: SubscriptionRequest { SubscriptionRequest(.cancelChange) }
}

/// Raises the price of a subscription.
struct StoreIncreasePriceCommand: SubscriptionActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "increase-price",
        abstract: "Raise a subscription's price from the next renewal.",
        discussion: """
            By default the increase requires the account's consent: without `consent-to-price-increase`, the subscription expires \
            at the end of its period. With --without-consent, the increase takes effect after a notice.

              tillroll store increase-price --account jane@example.com --price 5.99
            """,
        exitCodes: .store
    )

    @OptionGroup(title: "Subscription") var target: SubscriptionTarget
    @Option(help: "The new price per period, such as 5.99.") var price: PriceOption
    @Flag(help: "Raise the price without requiring the account's consent.") var withoutConsent = false
    @OptionGroup(title: "Store") var options: StoreOptions

    var request: SubscriptionRequest {
        SubscriptionRequest(withoutConsent ? .increasePriceWithoutConsent : .increasePriceWithConsent, price: price.milliunits)
    }
}

/// Consents to a subscription's price increase on behalf of the account.
struct StoreConsentToPriceIncreaseCommand: SubscriptionActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "consent-to-price-increase",
        abstract: "Consent to a subscription's price increase on behalf of the account.",
        discussion: """
              tillroll store consent-to-price-increase --account jane@example.com
            """,
        exitCodes: .store
    )

    @OptionGroup(title: "Subscription") var target: SubscriptionTarget
    @OptionGroup(title: "Store") var options: StoreOptions

    var request: SubscriptionRequest { SubscriptionRequest(.consentToPriceIncrease) }
}

/// Declines a subscription's price increase on behalf of the account.
struct StoreDeclinePriceIncreaseCommand: SubscriptionActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "decline-price-increase",
        abstract: "Decline a subscription's price increase on behalf of the account.",
        discussion: """
              tillroll store decline-price-increase --account jane@example.com
            """,
        exitCodes: .store
    )

    @OptionGroup(title: "Subscription") var target: SubscriptionTarget
    @OptionGroup(title: "Store") var options: StoreOptions

    var request: SubscriptionRequest { SubscriptionRequest(.declinePriceIncrease) }
}

/// Extends the renewal date of a subscription.
struct StoreExtendCommand: SubscriptionActionCommand {
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

    var request: SubscriptionRequest { SubscriptionRequest(.extend, days: days) }
}

/// The command-line arguments that identify a subscription: a transaction identifier, or an account.
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

    /// Returns the identifier of a transaction of the subscription.
    ///
    /// - Throws: `ExitCode.refused`, after a message, if the account has no such subscription; a usage error if the account has several.
    func find(in store: StoreConnection) async throws -> TransactionID {
        if let transaction { return TransactionID(transaction) }
        let account = account ?? ""
        let all = try await store.call(ControlEndpoints.subscriptions, ["account": account]).subscriptions
        let matching = all.filter { !$0.isShared && (product == nil || $0.renewalInfo.productId?.rawValue == product) }
        guard let first = matching.first else {
            StandardError.line(
                "Error: \(TerminalText.safe(account)) has no such subscription. List them with: tillroll store subscriptions ACCOUNT")
            throw ExitCode.refused
        }
        guard matching.count == 1 else {
            throw ValidationError("Account \(account) has \(matching.count) subscriptions. Choose one with --product or a transaction ID.")
        }
        return first.renewalInfo.originalTransactionId
    }
}

struct SubscriptionTable {
    private var table = TextTable(["subscription", "product", "state", "auto-renew", "next change"])

    init(_ subscriptions: SubscriptionDescription...) {
        self.init(subscriptions)
    }

    init(_ subscriptions: [SubscriptionDescription]) {
        for subscription in subscriptions {
            let info = subscription.renewalInfo
            table.add([
                info.originalTransactionId.rawValue, info.productId?.rawValue ?? "", Self.state(subscription),
                Self.autoRenew(info), subscription.nextRenewalDate.map { "\($0)" } ?? "",
            ])
        }
    }

    /// Returns the lines of the table, or a message if the table is empty.
    func lines(_ style: TerminalStyle) -> [String] {
        table.isEmpty ? [style.faint("no subscriptions")] : table.lines(style, indent: "")
    }

    /// Returns whether the subscription renews; the end of a canceled commitment, until which its charges continue.
    private static func autoRenew(_ info: RenewalInfoPayload) -> String {
        if info.autoRenew == .on, info.commitmentInfo?.autoRenewStatus == .off {
            return info.commitmentInfo?.commitmentRenewalDate.map { "until \($0)" } ?? "disabled"
        }
        return info.autoRenew == .on ? "enabled" : "disabled"
    }

    private static func state(_ subscription: SubscriptionDescription) -> String {
        let state =
            switch subscription.status {
            case .active: "active"
            case .expired: "expired"
            case .billingRetry: "billing retry"
            case .gracePeriod: "grace period"
            case .revoked: "revoked"
            }
        if let seats = subscription.seats { return "\(state), \(seats.total) seats" }
        if let bundle = subscription.renewalInfo.bundleProductId { return "\(state), in \(bundle)" }
        if subscription.renewalInfo.isPendingUnbundle == true { return "\(state), leaves its bundle" }
        guard subscription.isShared else { return state }
        return subscription.isAssigned ? "\(state), group member" : "\(state), Family Sharing"
    }
}

import ArgumentParser
import PurchaseModel
import StoreProtocol

/// The commands about subscriptions in bundles.
struct StoreBundleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bundle",
        abstract: "Move a subscription into a bundle, and out of it again.",
        discussion: """
              tillroll store bundle join com.example.everything --account jane
              tillroll store bundle leave --account jane

            The bundle itself is not for sale, because the forms of its product and of its transaction are not documented. The transactions \
            and the renewal info of the subscription state the bundle, as those of the App Store do.
            """,
        subcommands: [StoreJoinBundleCommand.self, StoreLeaveBundleCommand.self, StoreStayInBundleCommand.self])
}

/// Moves a subscription into a bundle.
struct StoreJoinBundleCommand: SubscriptionActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "join",
        abstract: "Move a subscription into a bundle, as a purchase of the bundle does.",
        discussion: """
            The running period is revoked with the revocationReason 2, and the bundle's first period begins now. A further subscription of \
            the account joins the same bundle if it states the same product.

              tillroll store bundle join com.example.everything --account jane@example.com
            """,
        exitCodes: .store
    )

    @Argument(help: ArgumentHelp("The product identifier of the bundle, which need not be in the catalog.", valueName: "bundle"))
    var bundle: String
    @Option(help: ArgumentHelp("The subscription group of the bundle. (default: 29999999)", valueName: "group"))
    var group: String?
    @OptionGroup(title: "Subscription") var target: SubscriptionTarget
    @OptionGroup(title: "Store") var options: StoreOptions

    var request: SubscriptionRequest { .joinBundle(ProductID(bundle), group: group.map { SubscriptionGroupID($0) }) }
}

/// Plans that a subscription leaves its bundle.
struct StoreLeaveBundleCommand: SubscriptionActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "leave",
        abstract: "Leave a bundle at the end of the period; the subscription then renews alone.",
        discussion: """
            With --expires, the subscription ends with the period, with the expirationIntent 6.

              tillroll store bundle leave --account jane@example.com
            """,
        exitCodes: .store
    )

    @Flag(help: "Expire at the end of the period, instead of renewing alone.") var expires = false
    @OptionGroup(title: "Subscription") var target: SubscriptionTarget
    @OptionGroup(title: "Store") var options: StoreOptions

    var request: SubscriptionRequest { .leaveBundle(expires: expires) }
}

/// Cancels the plan that a subscription leaves its bundle.
struct StoreStayInBundleCommand: SubscriptionActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "stay",
        abstract: "Stay in a bundle after all.",
        discussion: """
              tillroll store bundle stay --account jane@example.com
            """,
        exitCodes: .store
    )

    @OptionGroup(title: "Subscription") var target: SubscriptionTarget
    @OptionGroup(title: "Store") var options: StoreOptions

    var request: SubscriptionRequest { SubscriptionRequest(.stayInBundle) }
}

public import PurchaseModel

/// The test settings of a `.storekit` file, as in Xcode and in `SKTestSession`.
public struct CatalogSettings: Codable, Hashable, Sendable {
    /// The locale of texts and prices; nil to use the storefront's locale.
    public var locale: String?
    /// The ISO 3166-1 alpha-3 code of the storefront in which accounts without a storefront setting buy.
    public var storefront: String
    /// The time rate of subscriptions, as a raw value of `SKTestSession.TimeRate`; 0 is real time.
    public var timeRate: Int
    /// The time rates, by system version, that replace ``timeRate`` in system versions that do not support it.
    public var compatibilityTimeRates: [String: Int]
    /// Whether every purchase requires approval by a parent (Ask to Buy).
    public var askToBuyEnabled: Bool
    /// Whether every purchase is interrupted until the account resolves an issue.
    public var interruptedPurchasesEnabled: Bool
    /// Whether every renewal fails and the subscription enters the billing retry period.
    public var failsRenewals: Bool
    /// Whether subscriptions have a billing grace period; nil if the file has no setting for it.
    public var billingGracePeriodIsEnabled: Bool?
    /// Whether purchases continue without a confirmation sheet.
    public var disablesDialogs: Bool
    /// Whether all transactions fail, in system versions that do not support ``errors``.
    public var failsTransactions: Bool
    /// The errors that individual StoreKit functions throw in tests.
    public var errors: [CatalogSimulatedError]
    /// The app's `appAppleId`, which only files that are synced with App Store Connect contain.
    public var appAppleID: Int64?
    /// The developer's team identifier, which only files that are synced with App Store Connect contain.
    public var teamID: String?
    /// The time of the last synchronization with App Store Connect; nil for files that are not synced.
    public var lastSynchronized: Timestamp?

    /// Creates settings.
    public init(
        locale: String? = nil, storefront: String = Storefront.unitedStates.countryCode, timeRate: Int = 0,
        compatibilityTimeRates: [String: Int] = [:], askToBuyEnabled: Bool = false, interruptedPurchasesEnabled: Bool = false,
        failsRenewals: Bool = false, billingGracePeriodIsEnabled: Bool? = nil, disablesDialogs: Bool = false,
        failsTransactions: Bool = false,
        errors: [CatalogSimulatedError] = [], appAppleID: Int64? = nil, teamID: String? = nil, lastSynchronized: Timestamp? = nil
    ) {
        self.locale = locale
        self.storefront = storefront
        self.timeRate = timeRate
        self.compatibilityTimeRates = compatibilityTimeRates
        self.askToBuyEnabled = askToBuyEnabled
        self.interruptedPurchasesEnabled = interruptedPurchasesEnabled
        self.failsRenewals = failsRenewals
        self.billingGracePeriodIsEnabled = billingGracePeriodIsEnabled
        self.disablesDialogs = disablesDialogs
        self.failsTransactions = failsTransactions
        self.errors = errors
        self.appAppleID = appAppleID
        self.teamID = teamID
        self.lastSynchronized = lastSynchronized
    }
}

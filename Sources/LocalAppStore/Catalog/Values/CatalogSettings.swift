public import PurchaseModel

/// The settings of the store's test behavior, as in `.storekit` files and `SKTestSession`.
public struct CatalogSettings: Codable, Hashable, Sendable {
    /// The locale of texts and prices; nil for the storefront's locale.
    public var locale: String?
    /// The default storefront of accounts: ISO 3166-1 alpha-3.
    public var storefront: String
    /// The raw value of `SKTestSession.TimeRate`; 0 is real time.
    public var timeRate: Int
    /// The replacement time rates for system versions that do not support the time rate, by system version.
    public var compatibilityTimeRates: [String: Int]
    /// Whether every purchase requires a parent's approval (Ask to Buy).
    public var askToBuyEnabled: Bool
    /// Whether every purchase is interrupted, and completes after the issue is resolved.
    public var interruptedPurchasesEnabled: Bool
    /// Whether every renewal fails and the subscription enters the billing retry period.
    public var failsRenewals: Bool
    /// Whether subscriptions have a billing grace period; nil if the file does not state a value.
    public var billingGracePeriodIsEnabled: Bool?
    /// Whether purchases continue without a confirmation sheet.
    public var disablesDialogs: Bool
    /// Whether transactions fail, in system versions without individual simulated errors.
    public var failsTransactions: Bool
    /// The simulated errors of individual StoreKit functions.
    public var errors: [CatalogSimulatedError]
    /// The app's `appAppleId`, in files synced with App Store Connect; nil in other files.
    public var appAppleID: Int64?
    /// The team identifier, in synced files.
    public var teamID: String?
    /// The time of the last synchronization.
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

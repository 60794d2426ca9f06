public import PurchaseModel

/// How the store behaves in a test, as `.storekit` files and `SKTestSession` say it.
public struct CatalogSettings: Codable, Hashable, Sendable {
    /// The locale of texts and prices; nil means that of the storefront.
    public var locale: String?
    /// The country's store that accounts buy in unless they say otherwise: ISO 3166-1 alpha-3.
    public var storefront: String
    /// The raw value of `SKTestSession.TimeRate`; 0 is real time.
    public var timeRate: Int
    /// What systems that do not know the time rate use instead, by the version that they know.
    public var compatibilityTimeRates: [String: Int]
    /// Whether every purchase waits for a parent's approval.
    public var asksToBuy: Bool
    /// Whether every purchase fails first, and succeeds once the problem is resolved.
    public var interruptsPurchases: Bool
    /// Whether every renewal fails and enters billing retry.
    public var failsRenewals: Bool
    /// Whether a subscription goes on for a while when its renewal fails; nil where the file says nothing.
    public var grantsGrace: Bool?
    /// Whether purchases go on without a sheet to confirm.
    public var disablesDialogs: Bool
    /// The failure switch of older systems.
    public var failsTransactions: Bool
    /// Failures of single functions.
    public var errors: [CatalogSimulatedError]
    /// The app's number in the App Store, in files synced with App Store Connect; nil in others.
    public var appAppleID: Int64?
    /// The team's identifier in synced files.
    public var teamID: String?
    /// When the file was synced last.
    public var lastSynchronized: Timestamp?

    /// Creates settings.
    public init(
        locale: String? = nil, storefront: String = Storefront.unitedStates.countryCode, timeRate: Int = 0,
        compatibilityTimeRates: [String: Int] = [:], asksToBuy: Bool = false, interruptsPurchases: Bool = false,
        failsRenewals: Bool = false, grantsGrace: Bool? = nil, disablesDialogs: Bool = false, failsTransactions: Bool = false,
        errors: [CatalogSimulatedError] = [], appAppleID: Int64? = nil, teamID: String? = nil, lastSynchronized: Timestamp? = nil
    ) {
        self.locale = locale
        self.storefront = storefront
        self.timeRate = timeRate
        self.compatibilityTimeRates = compatibilityTimeRates
        self.asksToBuy = asksToBuy
        self.interruptsPurchases = interruptsPurchases
        self.failsRenewals = failsRenewals
        self.grantsGrace = grantsGrace
        self.disablesDialogs = disablesDialogs
        self.failsTransactions = failsTransactions
        self.errors = errors
        self.appAppleID = appAppleID
        self.teamID = teamID
        self.lastSynchronized = lastSynchronized
    }
}

public import PurchaseModel

/// Which store a device buys in, which app runs on it, and where it keeps its state.
public struct DeviceConfiguration: Sendable {
    /// The base address of the store, such as `http://127.0.0.1:8080`.
    public var storeURL: HTTPURL
    /// The app that runs on the device.
    public var bundleID: BundleID
    /// The app's version.
    public var appVersion: String
    /// The folder of the device's state: identity, settings, journal, receipt.
    ///
    /// Made when it is not there.
    public var folder: String
    /// The store's root certificates as PEM; Apple's are trusted besides, and only the sandbox is accepted.
    public var rootsPEM: String
    /// What the system shows its user.
    public var interface: any StoreInterface
    /// The most sign-in prompts in a row without a success or a gesture of the user; further ones count as cancelled and are reported.
    public var signInPromptLimit = 3
    /// Hears of what users will not like; nil has it logged.
    public var report: (@Sendable (DeviceReport) -> Void)?
    /// Whether StoreKit 2's history keeps consumables that were delivered.
    ///
    /// What `SKIncludeConsumableInAppPurchaseHistory` says in an app's property list.
    public var includesFinishedConsumables = false

    /// Creates a configuration.
    public init(
        storeURL: HTTPURL,
        bundleID: BundleID,
        appVersion: String,
        folder: String,
        rootsPEM: String,
        interface: any StoreInterface
    ) {
        self.storeURL = storeURL
        self.bundleID = bundleID
        self.appVersion = appVersion
        self.folder = folder
        self.rootsPEM = rootsPEM
        self.interface = interface
    }
}

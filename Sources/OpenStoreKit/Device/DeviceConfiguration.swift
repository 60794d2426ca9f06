public import PurchaseModel

/// The store in which a device buys, the app that runs on the device, and the folder of its state.
public struct DeviceConfiguration: Sendable {
    /// The base address of the store, such as `http://127.0.0.1:8080`.
    public var storeURL: HTTPURL
    /// The app that runs on the device.
    public var bundleID: BundleID
    /// The app's version.
    public var appVersion: String
    /// The folder of the device's state: identity, settings, journal, receipt.
    ///
    /// The folder is created when it does not exist.
    public var folder: String
    /// The store's root certificates as PEM; Apple's roots are trusted in addition, and only the sandbox is accepted.
    public var rootsPEM: String
    /// The interface that shows the system's sheets to the user.
    public var interface: any StoreInterface
    /// The most sign-in prompts in a row without a success or a user gesture; further ones count as canceled and are reported.
    public var signInPromptLimit = 3
    /// Receives reports about prompts without a user gesture; nil logs the reports.
    public var report: (@Sendable (DeviceReport) -> Void)?
    /// Whether StoreKit 2's history includes finished consumables.
    ///
    /// The value corresponds to the key `SKIncludeConsumableInAppPurchaseHistory` of an app's property list.
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

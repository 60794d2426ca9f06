public import PurchaseModel

/// The configuration of a device: its store, its app, the folder of its state and its user interface.
public struct DeviceConfiguration: Sendable {
    /// The base address of the store, such as `http://127.0.0.1:8080`.
    public var storeURL: HTTPURL
    /// The app that runs on the device.
    public var bundleID: BundleID
    /// The app's version, such as `1.0`.
    public var appVersion: String
    /// The path of the folder for the device's state: identity, settings, journal, downloads and receipt.
    ///
    /// The device creates the folder if it does not exist.
    public var folder: String
    /// The store's root certificates, in PEM.
    ///
    /// The device also trusts Apple's root certificates. It accepts signed data of the sandbox environment only.
    public var rootsPEM: String
    /// The interface that shows the store's sheets to the user.
    public var interface: any StoreInterface
    /// The maximum number of consecutive sign-in prompts without a successful sign-in or a user gesture.
    ///
    /// At the limit, the device shows no prompt: the sign-in counts as canceled, and the device reports it to ``report``.
    public var signInPromptLimit = 3
    /// Receives a report if the app causes sign-in prompts too often or without a user gesture; nil to log the reports.
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

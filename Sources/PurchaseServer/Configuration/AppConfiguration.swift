import AppStoreServerAPI
public import PurchaseModel

/// The configuration of one app of a server.
public struct AppConfiguration: Sendable {
    /// The base URL of the App Store's `verifyReceipt` in production.
    public static let appleProductionURL = HTTPURL(https: "buy.itunes.apple.com")
    /// The base URL of the App Store's `verifyReceipt` in the sandbox.
    public static let appleSandboxURL = HTTPURL(https: "sandbox.itunes.apple.com")

    /// The bundle identifier of the app whose purchases the server accepts.
    public var bundleID: BundleID
    /// The products at the start of the server; the server's API can add products while the server runs.
    public var products: [ServerProduct]
    /// The path of the products file, the source of ``products``; nil for none.
    ///
    /// The server reads the file again after a change.
    public var productsFile: String?
    /// The path of the `.storekit` file with the types and the texts of ``products``; nil for none.
    ///
    /// The server reads the file again after a change.
    public var storekitFile: String?
    /// The storage of the products' content, and the delivery of the content.
    public var content: ContentConfiguration
    /// The URL of production's `verifyReceipt`, with or without this last path component.
    public var verifyReceiptProductionURL: HTTPURL
    /// The URL of the sandbox's `verifyReceipt`, with or without this last path component.
    public var verifyReceiptSandboxURL: HTTPURL
    /// The app's shared secret, which the server sends to the App Store's `verifyReceipt`, and which clients send to the server's
    /// `verifyReceipt`.
    public var sharedSecret: String?
    /// Whether the server compares its `verifyReceipt` responses with the App Store's, and which of the two responses the server sends.
    public var verifyReceiptShadow = VerifyReceiptShadowMode.off
    /// The time in seconds that the server waits for the App Store's `verifyReceipt` response before sending the server's response.
    public var verifyReceiptShadowSeconds = 10
    /// Whether the server confirms locally verified receipts with the App Store.
    public var receiptConfirmation: ReceiptConfirmation
    /// The key of the App Store Server API; nil for a server that sends no requests to the App Store Server API.
    public var appStoreServerAPI: AppStoreServerAPIKey?
    /// The In-App Purchase key that signs offers; nil for a server that signs no offers.
    public var offerKey: AppStoreServerAPIKey?
    /// The effect of a refund of spent credits.
    public var refundPolicy: RefundPolicy
    /// The rules for a customer who proves another customer's purchase.
    public var transfers: TransferRules

    /// The time in hours between two reconciliations with the App Store; 0 to reconcile on demand only.
    public var reconciliationHours: Int
    /// The longest time in hours for which a subscription with an unknown renewal stays active after its period; 0 for none.
    ///
    /// The leeway requires a key of the App Store Server API, and ends with the App Store's answer about the renewal.
    public var renewalLeewayHours = 24
    /// Whether the server confirms locally verified signed transactions with the App Store.
    public var transactionConfirmation = TransactionConfirmation.off
    /// The effect of sandbox purchases on a production server.
    public var sandboxPurchases = SandboxPurchases.entitlements
    /// The policy for the App Store's requests for consumption information.
    public var consumption: ConsumptionPolicy
    /// The transactions that the server finishes in place of the app.
    public var finishing: FinishingMode
    /// The rules of the app's teams.
    public var teams = TeamPolicy()
    /// The entitlements that a backend can grant in addition to those of the products.
    public var entitlements: [EntitlementName] = []
    /// The currencies in which a backend can grant credits in addition to those of the products.
    public var currencies: [CurrencyID] = []

    /// The entitlements and currencies that a backend can grant in addition to those of the products.
    var declaredNames: DeclaredNames { DeclaredNames(entitlements: Set(entitlements), currencies: Set(currencies)) }

    /// Creates a configuration without validating it; ``PurchaseServerConfiguration/validate()`` checks the values.
    public init(
        bundleID: BundleID,
        products: [ServerProduct],
        productsFile: String? = nil,
        storekitFile: String? = nil,
        content: ContentConfiguration,
        verifyReceiptProductionURL: HTTPURL = appleProductionURL,
        verifyReceiptSandboxURL: HTTPURL = appleSandboxURL,
        sharedSecret: String? = nil,
        receiptConfirmation: ReceiptConfirmation = .soft,
        appStoreServerAPI: AppStoreServerAPIKey? = nil,
        offerKey: AppStoreServerAPIKey? = nil,
        refundPolicy: RefundPolicy = .debt,
        transfers: TransferRules = TransferRules(),
        reconciliationHours: Int = 6,
        consumption: ConsumptionPolicy = ConsumptionPolicy(),
        finishing: FinishingMode = .off
    ) {
        self.bundleID = bundleID
        self.products = products
        self.productsFile = productsFile
        self.storekitFile = storekitFile
        self.content = content
        self.verifyReceiptProductionURL = verifyReceiptProductionURL
        self.verifyReceiptSandboxURL = verifyReceiptSandboxURL
        self.sharedSecret = sharedSecret
        self.receiptConfirmation = receiptConfirmation
        self.appStoreServerAPI = appStoreServerAPI
        self.offerKey = offerKey
        self.refundPolicy = refundPolicy
        self.transfers = transfers
        self.reconciliationHours = reconciliationHours
        self.consumption = consumption
        self.finishing = finishing
    }
}

/// An In-App Purchase key of App Store Connect, with which the server calls the App Store Server API or signs offers.
public struct AppStoreServerAPIKey: Sendable {
    /// The issuer identifier, a UUID.
    public var issuerID: String
    /// The identifier of the key, such as `ABC1234567`.
    public var keyID: String
    /// The text of the key's `.p8` file.
    public var privateKey: String
    /// The base URL of the App Store Server API; nil for Apple's URL of the server's environment.
    public var baseURL: HTTPURL?
    /// Whether the server accepts transactions without `bundleId` in responses of the App Store Server API.
    ///
    /// The token of each request to the App Store Server API contains the app's bundle identifier, so the response is about the app.
    public var acceptsMissingBundleID = false

    /// Creates a key without validating it.
    public init(issuerID: String, keyID: String, privateKey: String, baseURL: HTTPURL? = nil) {
        self.issuerID = issuerID
        self.keyID = keyID
        self.privateKey = privateKey
        self.baseURL = baseURL
    }

    /// Returns a client of the App Store Server API for an app.
    ///
    /// - Throws: ``ConfigurationError/appStoreServerAPI(reason:)`` for an invalid key or URL.
    func client(
        of app: BundleID, in environment: AppEnvironment, over transport: any ServerAPITransport, clock: any WallClock,
        timer: any Clock<Duration>
    ) throws(ConfigurationError) -> AppStoreServerAPIClient {
        do throws(AppStoreServerAPIConfigurationError) {
            return AppStoreServerAPIClient(
                try AppStoreServerAPIConfiguration(
                    issuerID: issuerID, keyID: keyID, privateKey: privateKey, bundleID: app, environment: environment, baseURL: baseURL),
                transport: transport, clock: clock, timer: timer)
        } catch { throw .appStoreServerAPI(reason: error.description) }
    }
}

extension AppStoreServerAPIKey: CustomStringConvertible, CustomReflectable {
    /// The identifier of the key, without the key.
    public var description: String { "the In-App Purchase key \(keyID)" }

    /// The identifiers, without the key.
    public var customMirror: Mirror { Mirror(self, children: ["issuerID": issuerID, "keyID": keyID]) }
}

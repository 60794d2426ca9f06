public import PurchaseModel
public import PurchaseProof
import WireServer

/// The configuration of a server: its app, its trusted roots, its products, and the locations of its data.
public struct PurchaseServerConfiguration: Sendable {
    /// The base URL of the App Store's `verifyReceipt` in production.
    public static let appleProductionURL = HTTPURL(https: "buy.itunes.apple.com")
    /// The base URL of the App Store's `verifyReceipt` in the sandbox.
    public static let appleSandboxURL = HTTPURL(https: "sandbox.itunes.apple.com")

    /// The app whose purchases the server accepts.
    public var bundleID: BundleID
    /// The environment of this deployment, `production` or `sandbox`; see ``acceptedEnvironments``.
    public var environment: AppEnvironment
    /// The trusted roots; in production, only Apple's.
    public var roots: TrustedRoots
    /// Whether the server checks the revocation status of certificates.
    public var revocation: RevocationMode
    /// The base URL of production's `verifyReceipt`, without the last path component.
    public var verifyReceiptProductionURL: HTTPURL
    /// The base URL of the sandbox's `verifyReceipt`, without the last path component.
    public var verifyReceiptSandboxURL: HTTPURL
    /// The app's shared secret, sent with every `verifyReceipt` request.
    public var sharedSecret: String?
    /// The products that the server knows.
    public var products: [ServerProduct]
    /// What a refund of spent credits does.
    public var refundPolicy: RefundPolicy
    /// The folder with the products' files.
    public var contentFolder: String
    /// The storage location of the server's data.
    public var database: DatabaseLocation
    /// The limits on the time, the connections and the memory that clients can use.
    public var limits: ConnectionLimits

    /// Creates a configuration without validating it; ``validate()`` checks the values.
    public init(
        bundleID: BundleID,
        environment: AppEnvironment,
        roots: TrustedRoots,
        revocation: RevocationMode = .off,
        verifyReceiptProductionURL: HTTPURL = appleProductionURL,
        verifyReceiptSandboxURL: HTTPURL = appleSandboxURL,
        sharedSecret: String? = nil,
        products: [ServerProduct],
        refundPolicy: RefundPolicy = .debt,
        contentFolder: String,
        database: DatabaseLocation,
        limits: ConnectionLimits = ConnectionLimits()
    ) {
        self.bundleID = bundleID
        self.environment = environment
        self.roots = roots
        self.revocation = revocation
        self.verifyReceiptProductionURL = verifyReceiptProductionURL
        self.verifyReceiptSandboxURL = verifyReceiptSandboxURL
        self.sharedSecret = sharedSecret
        self.products = products
        self.refundPolicy = refundPolicy
        self.contentFolder = contentFolder
        self.database = database
        self.limits = limits
    }

    /// The environments whose data the server accepts.
    ///
    /// A production server accepts sandbox data with Apple's signature, too, because App Review makes sandbox purchases with the
    /// production build of an app. A sandbox server accepts no production data, so that real purchases are never stored in a test
    /// database.
    public var acceptedEnvironments: Set<AppEnvironment> {
        environment == .production ? [.production, .sandbox] : [environment]
    }
}

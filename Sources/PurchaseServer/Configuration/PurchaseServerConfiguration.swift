public import PurchaseModel
public import PurchaseProof
import WireServer

/// Everything that a server must be told: its app, whom it trusts, what it sells, and where things are.
public struct PurchaseServerConfiguration: Sendable {
    /// Where the App Store answers `verifyReceipt` for production.
    public static let appleProductionURL = HTTPURL(https: "buy.itunes.apple.com")
    /// Where the App Store answers `verifyReceipt` for the sandbox.
    public static let appleSandboxURL = HTTPURL(https: "sandbox.itunes.apple.com")

    /// The app whose purchases are taken in; all others are refused.
    public var bundleID: BundleID
    /// The best that this deployment accepts, `production` or `sandbox`; see ``acceptedEnvironments``.
    public var environment: AppEnvironment
    /// Whose signatures count; production counts Apple's and no others.
    public var roots: TrustedRoots
    /// Whether it is asked if certificates were revoked.
    public var revocation: RevocationMode
    /// The base address of production's `verifyReceipt`, without that last part.
    public var verifyReceiptProductionURL: HTTPURL
    /// The base address of the sandbox's `verifyReceipt`, without that last part.
    public var verifyReceiptSandboxURL: HTTPURL
    /// The app's shared secret, sent with every `verifyReceipt` request.
    public var sharedSecret: String?
    /// The master list of products.
    public var products: [ServerProduct]
    /// The folder that holds the products' files.
    public var contentFolder: String
    /// Where the server keeps what it knows.
    public var database: DatabaseLocation
    /// How long clients may take, and how much of the server they may hold.
    public var limits: ConnectionLimits

    /// Creates a configuration; ``validate()`` says whether a server can run on it.
    public init(
        bundleID: BundleID,
        environment: AppEnvironment,
        roots: TrustedRoots,
        revocation: RevocationMode = .off,
        verifyReceiptProductionURL: HTTPURL = appleProductionURL,
        verifyReceiptSandboxURL: HTTPURL = appleSandboxURL,
        sharedSecret: String? = nil,
        products: [ServerProduct],
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
        self.contentFolder = contentFolder
        self.database = database
        self.limits = limits
    }

    /// The environments whose data is taken in.
    ///
    /// Production takes the sandbox's too, when Apple signed it: App Review buys in the sandbox with the production build
    /// of an app. The sandbox takes no production data, so nobody's money ends up in a test database.
    public var acceptedEnvironments: Set<AppEnvironment> {
        environment == .production ? [.production, .sandbox] : [environment]
    }
}

public import PurchaseModel
public import PurchaseProof
import WireServer

/// The configuration of a server: its apps, its trusted roots, and the location of its data.
public struct PurchaseServerConfiguration: Sendable {
    /// The apps, whose customers, purchases and keys are separate.
    public var apps: [AppConfiguration]
    /// The environment of this deployment, `production` or `sandbox`; see ``acceptedEnvironments``.
    public var environment: AppEnvironment
    /// The trusted roots; in production, only Apple's.
    public var roots: TrustedRoots
    /// Whether the server checks the revocation status of certificates.
    public var revocation: RevocationMode
    /// The storage location of the server's data.
    public var database: DatabaseLocation
    /// The limits on the time, the connections and the memory that clients can use.
    public var limits: ConnectionLimits
    /// The rates at which callers may send requests.
    public var requestRates: RequestRates

    /// Creates a configuration without validating it; ``validate()`` checks the values.
    public init(
        apps: [AppConfiguration],
        environment: AppEnvironment,
        roots: TrustedRoots,
        revocation: RevocationMode = .off,
        database: DatabaseLocation,
        limits: ConnectionLimits = ConnectionLimits(),
        requestRates: RequestRates = RequestRates()
    ) {
        self.apps = apps
        self.environment = environment
        self.roots = roots
        self.revocation = revocation
        self.database = database
        self.limits = limits
        self.requestRates = requestRates
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

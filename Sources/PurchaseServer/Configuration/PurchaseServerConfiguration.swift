public import PurchaseModel
public import PurchaseProof
public import PurchaseStorage
public import WireServer

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
    public var database: PurchaseDatabase
    /// The path of the file with the key that encrypts the secrets in the database; nil for a file next to the SQLite file.
    ///
    /// Servers that share a PostgreSQL database need the same key, so a configuration with PostgreSQL requires the path.
    public var secretKeyFile: String?
    /// The lifetime of a lease in seconds, for which a device can use entitlements offline.
    public var leaseSeconds: Int64
    /// The age in days after which the server removes an event of the feed.
    public var eventRetentionDays = 90
    /// The addresses to which the server sends webhooks.
    public var webhookAddresses = WebhookAddresses.public
    /// The limits on the time, the connections and the memory that clients can use; `ConnectionLimits` is a type of the module
    /// `WireServer`.
    public var limits: ConnectionLimits
    /// The rates at which callers may send requests.
    public var requestRates: RequestRates
    /// The reverse proxies in front of the server, whose header `X-Forwarded-For` states the address of a client.
    public var trustedProxies = TrustedProxies()
    /// The token with which a scraper reads `/metrics`; nil for no such endpoint on the server's address.
    public var metricsToken: String?

    /// Creates a configuration without validating it; ``validate()`` checks the values.
    public init(
        apps: [AppConfiguration],
        environment: AppEnvironment,
        roots: TrustedRoots,
        revocation: RevocationMode = .off,
        database: PurchaseDatabase,
        secretKeyFile: String? = nil,
        leaseSeconds: Int64 = 3 * 86_400,
        limits: ConnectionLimits = ConnectionLimits(),
        requestRates: RequestRates = RequestRates()
    ) {
        self.apps = apps
        self.environment = environment
        self.roots = roots
        self.revocation = revocation
        self.database = database
        self.secretKeyFile = secretKeyFile
        self.leaseSeconds = leaseSeconds
        self.limits = limits
        self.requestRates = requestRates
    }

    /// The path of the file with the key that encrypts the secrets; nil for a database in memory without a configured file.
    package var secretKeyPath: String? {
        if let secretKeyFile { return secretKeyFile }
        guard case .file(let path) = database else { return nil }
        return path + ".key"
    }

    /// The environments whose data the server accepts.
    ///
    /// A production server also accepts sandbox data with Apple's signature, because App Review makes sandbox purchases with the production
    /// build of an app. A sandbox server accepts no production data, so that real purchases are never stored in a test database.
    public var acceptedEnvironments: Set<AppEnvironment> {
        environment == .production ? [.production, .sandbox] : [environment]
    }
}

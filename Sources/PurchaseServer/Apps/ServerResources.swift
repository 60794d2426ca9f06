import AppStoreServerAPI
import Logging
import PurchaseModel
import PurchaseProof
import PurchaseStorage

/// The configuration, the storage, the clocks and the transports that all apps of a server share.
struct ServerResources: Sendable {
    let configuration: PurchaseServerConfiguration
    /// The storage, which reports the success or failure of its writes to ``databaseOutages``.
    var storage: any PurchaseStorage
    /// Detects the end of an outage of the storage.
    let databaseOutages: OutageMonitor
    let cipher: SecretCipher
    let revocation: Revocation
    /// The transport of requests to the App Store Server API.
    let appStore: any ServerAPITransport
    /// The transport of webhooks, and the hosts to which the transport connects.
    let webhookTransport: any WebhookTransport = HTTPWebhookTransport.shared
    let webhookHosts: WebhookHosts
    /// The clock by which entitlements expire.
    let clock: any WallClock
    /// The clock of signature dates; other machines compare the dates with their clocks.
    let transportClock: any WallClock
    /// The clock that measures the pauses of background services.
    let timer: any Clock<Duration>
    let logger: Logger
    /// The values that `/metrics` answers with.
    let metrics: ServerMetrics
    /// The closure that counts the customers who lose entitlements when the product files change; nil to report the products only.
    let comparison: CatalogComparison?

    /// Creates the resources, and opens or creates the key file.
    ///
    /// - Throws: ``ConfigurationError/secretKeyFile(path:)`` if the key file can't be read or created.
    init(
        configuration: PurchaseServerConfiguration, storage: any PurchaseStorage,
        appStore: any ServerAPITransport = HTTPServerAPITransport(), clock: any WallClock, transportClock: any WallClock,
        timer: any Clock<Duration>, logger: Logger, comparison: CatalogComparison? = nil
    ) throws(ConfigurationError) {
        self.configuration = configuration
        metrics = ServerMetrics(clock: transportClock)
        databaseOutages = OutageMonitor()
        self.storage = MonitoredStorage(storage: storage, monitor: databaseOutages, metrics: metrics)
        cipher = try SecretCipher(path: configuration.secretKeyPath)
        revocation = Revocation(configuration.revocation, clock: clock)
        webhookHosts = WebhookHosts(configuration.webhookAddresses, resolver: SystemHostResolver(), clock: transportClock)
        self.appStore = MeteredTransport(transport: appStore, metrics: metrics)
        self.clock = clock
        self.transportClock = transportClock
        self.timer = timer
        self.logger = logger
        self.comparison = comparison
    }
}

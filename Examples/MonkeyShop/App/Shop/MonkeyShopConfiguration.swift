public import PurchaseKit

/// The configuration of the sample app: its files, its server and its user.
public struct MonkeyShopConfiguration: Sendable {
    /// The path of the folder with the app's files.
    public var folder: String
    /// The base address of the developer's server.
    public var serverURL: HTTPURL
    /// The customer ID of the app's user on the developer's server.
    public var customer: CustomerID
    /// The credentials of the app and of its user on the developer's server.
    public var credentials: ServerCredentials
    /// Root certificates in PEM that the app trusts in addition to Apple's, such as those of a local store.
    public var extraRoots: String
    /// Whether the contents of an existing vault are discarded, for example because the vault can't be trusted.
    public var resetsVault = false
    /// The clock of the device.
    public var wallClock: any WallClock = SystemWallClock()
    /// Whether the device has a network connection.
    public var isReachable: @Sendable () -> Bool = { true }
    /// Called after each request to the developer's server, for example to show the request.
    public var observe: @Sendable (ServerExchange) -> Void = { _ in }
    /// Called after each received part of content with the number of bytes; a wait simulates a slow network.
    public var throttle: @Sendable (Int) async throws -> Void = { _ in }
    /// Called after a purchase is delivered and before its transaction is finished, where a test can end the process.
    public var afterDelivery: @Sendable (ProductID) async -> Void = { _ in }

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder with the app's files.
    ///   - serverURL: The base address of the developer's server.
    ///   - customer: The customer ID of the app's user on the developer's server.
    ///   - credentials: The credentials of the app and of its user on the developer's server.
    ///   - extraRoots: Root certificates in PEM that the app trusts in addition to Apple's.
    public init(folder: String, serverURL: HTTPURL, customer: CustomerID, credentials: ServerCredentials, extraRoots: String) {
        self.folder = folder
        self.serverURL = serverURL
        self.customer = customer
        self.credentials = credentials
        self.extraRoots = extraRoots
    }
}

package import FoundationExtras
public import PurchaseModel
package import Wire

/// The endpoints of a host, a process that serves several local stores at one address.
///
/// The path of a store's endpoint begins with `/stores/NAME`; the path for the default store has no prefix.
package enum HostEndpoints {
    /// Lists all stores of the host.
    package static let stores = Endpoint<Empty, StoresReply>(.get, "/stores")
    /// Creates a store; the body is a ``CreateStoreRequest``, or the contents of a `.storekit` file.
    package static let createStore = Endpoint<CreateStoreRequest, StoreDescription>(.post, "/stores")
    /// Describes one store of the host.
    package static let store = Endpoint<Empty, StoreDescription>(.get, "/stores/{store}")
    /// Deletes a store and its database file.
    package static let deleteStore = Endpoint<Empty, Empty>(.delete, "/stores/{store}")
    /// Describes the store whose path prefix the request has, or the default store.
    package static let currentStore = Endpoint<Empty, StoreDescription>(.get, "/store")

    /// The path to which a client posts a file from ``exportPath`` to create a store; the query parameters are `name` and `isPersistent`.
    package static let importPath = "/stores/import"
    /// The path that exports the complete state of a store as one file.
    package static let exportPath = "/control/v1/export"
    /// The path to which a client uploads the hosted content of a product, with PUT.
    package static let contentPath = "/control/v1/apps/{bundle}/content/{product}"
    /// The path of a store's event stream, which sends events as server-sent events.
    package static let eventStreamPath = "/control/v1/events/stream"
}

/// The reply that lists the local stores that one process serves at one address.
package struct StoresReply: Codable, Hashable, Sendable {
    /// The default store, followed by the other stores, sorted by name.
    package var stores: [StoreDescription]

    /// Creates a reply.
    package init(stores: [StoreDescription]) {
        self.stores = stores
    }
}

/// A local store, with all values that a developer's server needs to connect to it.
///
/// The JSON members are those of `tillroll store up --json`, where the two PEM texts are file paths.
public struct StoreDescription: Codable, Hashable, Sendable {
    /// The name of the store whose paths have no prefix.
    package static let defaultName = "default"

    /// The base URL of the store, to which devices connect.
    public var url: String
    /// The store's name; `default` for the store at `/`.
    public var name: String
    /// The URL that replaces `https://sandbox.itunes.apple.com/verifyReceipt`.
    public var sandboxVerifyReceipt: String
    /// The URL that replaces `https://buy.itunes.apple.com/verifyReceipt`.
    public var productionVerifyReceipt: String
    /// The URL that replaces `https://api.storekit-sandbox.apple.com`.
    public var serverAPI: String
    /// The URL that replaces `https://api.storekit.apple.com`.
    public var productionServerAPI: String
    /// The store's root certificate, in PEM.
    public var rootCertificate: String
    /// The private key for tokens of the App Store Server API, as the contents of a `.p8` file.
    public var apiKey: String
    /// The identifier of the private key, for the header of tokens.
    public var keyID: String
    /// The issuer identifier, for the payload of tokens.
    public var issuerID: String
    /// The bundle identifier of the store's app.
    public var bundleID: BundleID
    /// The Apple ID of the store's app in the App Store.
    public var appAppleID: Int64

    /// Creates the description of a store with a base address.
    package init(
        url: String, name: String, rootCertificate: String, apiKey: String, keyID: String, issuerID: String, bundleID: BundleID,
        appAppleID: Int64
    ) {
        self.url = url
        self.name = name
        self.sandboxVerifyReceipt = "\(url)/sandbox/verifyReceipt"
        self.productionVerifyReceipt = "\(url)/production/verifyReceipt"
        self.serverAPI = url
        self.productionServerAPI = "\(url)/production"
        self.rootCertificate = rootCertificate
        self.apiKey = apiKey
        self.keyID = keyID
        self.issuerID = issuerID
        self.bundleID = bundleID
        self.appAppleID = appAppleID
    }
}

/// The properties of a new store; each property has a default.
package struct CreateStoreRequest: Codable, Hashable, Sendable {
    /// The name in the store's URLs, of up to 64 characters from `a-z`, `0-9` and `-`; nil for a generated name.
    package var name: String?
    /// The contents of a `.storekit` file with the products; nil for a store without products.
    package var storekit: JSONText?
    /// The bundle identifier of the store's app; nil for `com.example.app`.
    package var bundleID: BundleID?
    /// The shared secret that `verifyReceipt` requires as `password`; nil to accept any password.
    package var sharedSecret: String?
    /// Whether the store is kept in a file in the host's folder; nil or false for a store in memory.
    package var isPersistent: Bool?

    /// Creates a request.
    package init(
        name: String? = nil, storekit: JSONText? = nil, bundleID: BundleID? = nil, sharedSecret: String? = nil, isPersistent: Bool? = nil
    ) {
        self.name = name
        self.storekit = storekit
        self.bundleID = bundleID
        self.sharedSecret = sharedSecret
        self.isPersistent = isPersistent
    }
}

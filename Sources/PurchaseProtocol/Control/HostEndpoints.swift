package import PurchaseModel

/// The endpoints at the address of a host, independent of its stores.
///
/// The path of every other endpoint of a store begins with `/stores/NAME`, or has no prefix for the default store.
package enum HostEndpoints {
    /// Lists all stores.
    package static let stores = Endpoint<Empty, StoresReply>(.get, "/stores")
    /// Creates a store; the body can also be a plain `.storekit` file.
    package static let createStore = Endpoint<CreateStoreRequest, StoreDescription>(.post, "/stores")
    /// Describes one store.
    package static let store = Endpoint<Empty, StoreDescription>(.get, "/stores/{store}")
    /// Deletes a store and its file.
    package static let deleteStore = Endpoint<Empty, Empty>(.delete, "/stores/{store}")
    /// Describes the store at this address.
    package static let currentStore = Endpoint<Empty, StoreDescription>(.get, "/store")

    /// The path that creates a store from a file of ``exportPath``, with POST; the query parameters are `name` and `isPersistent`.
    package static let importPath = "/stores/import"
    /// The path that exports the complete state of a store as one file.
    package static let exportPath = "/control/v1/export"
    /// The path that uploads the hosted content of a product, with PUT.
    package static let contentPath = "/control/v1/apps/{bundle}/content/{product}"
    /// The path of a store's event stream, as server-sent events.
    package static let eventStreamPath = "/control/v1/events/stream"
}

/// The stores of a host.
package struct StoresReply: Codable, Hashable, Sendable {
    /// The default store first, then the others sorted by name.
    package var stores: [StoreDescription]

    /// Creates a reply.
    package init(stores: [StoreDescription]) {
        self.stores = stores
    }
}

/// A store of a host, with everything that a developer's server needs to connect to it.
///
/// The JSON members are those of `tillroll store up --json`, where the two PEM texts are file paths.
package struct StoreDescription: Codable, Hashable, Sendable {
    /// The base URL, which devices connect to.
    package var url: String
    /// The store's name; `default` for the store at `/`.
    package var name: String
    /// The URL that replaces `https://sandbox.itunes.apple.com/verifyReceipt`.
    package var sandboxVerifyReceipt: String
    /// The URL that replaces `https://buy.itunes.apple.com/verifyReceipt`.
    package var productionVerifyReceipt: String
    /// The URL that replaces `https://api.storekit-sandbox.apple.com`.
    package var serverAPI: String
    /// The URL that replaces `https://api.storekit.apple.com`.
    package var productionServerAPI: String
    /// The root certificate, in PEM.
    package var rootCertificate: String
    /// The private key for tokens of the App Store Server API, as a `.p8` file.
    package var apiKey: String
    /// The identifier of the key.
    package var keyID: String
    /// The issuer identifier in tokens.
    package var issuerID: String
    /// The app's bundle identifier.
    package var bundleID: BundleID
    /// The app's Apple ID in the App Store.
    package var appAppleID: Int64

    /// Describes a store at a base address.
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

/// The properties of a new store of a host; every property has a default.
package struct CreateStoreRequest: Codable, Hashable, Sendable {
    /// The name in the store's URLs: up to 64 of a-z, 0-9 and -; nil for a generated name.
    package var name: String?
    /// A `.storekit` file; nil for a store without products.
    package var storekit: JSONText?
    /// The bundle identifier of the store's app.
    package var bundleID: BundleID?
    /// The shared secret that `verifyReceipt` requires as `password`; nil accepts any.
    package var sharedSecret: String?
    /// Whether the store is persistent, in a file of the host's folder.
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

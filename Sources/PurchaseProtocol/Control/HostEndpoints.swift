package import PurchaseModel

/// What a host of stores offers at its own address, whatever stores it has.
///
/// Everything else that a store answers has `/stores/NAME` in front of its path, and nothing for the default store.
package enum HostEndpoints {
    /// Every store.
    package static let stores = Endpoint<Empty, StoresReply>(.get, "/stores")
    /// Makes a store; the body may also be a `.storekit` file as it is.
    package static let makeStore = Endpoint<NewStoreRequest, StoreDescription>(.post, "/stores")
    /// One store.
    package static let store = Endpoint<Empty, StoreDescription>(.get, "/stores/{store}")
    /// Forgets a store, and its file.
    package static let removeStore = Endpoint<Empty, Empty>(.delete, "/stores/{store}")
    /// The store at this address.
    package static let this = Endpoint<Empty, StoreDescription>(.get, "/store")

    /// Where a file that ``exportPath`` gave is posted to become a store; the query may have `name` and `kept`.
    package static let importPath = "/stores/import"
    /// Where a store gives all it knows as one file.
    package static let exportPath = "/control/v1/export"
    /// Where the content that a store hosts for a product is put, with PUT.
    package static let contentPath = "/control/v1/apps/{bundle}/content/{product}"
    /// Where a store tells what happens, as server-sent events.
    package static let eventStreamPath = "/control/v1/events/stream"
}

/// The stores of a host.
package struct StoresReply: Codable, Hashable, Sendable {
    /// The default store first, the others by name.
    package var stores: [StoreDescription]

    /// Creates a reply.
    package init(stores: [StoreDescription]) {
        self.stores = stores
    }
}

/// A store of a host: everything that a developer's server has to be told to work with it.
///
/// The names on the wire are those of `tillroll store up --json`, where the two texts in PEM are paths of files.
package struct StoreDescription: Codable, Hashable, Sendable {
    /// The base address, to which devices connect.
    package var url: String
    /// The store's name; `default` for the one at `/`.
    package var name: String
    /// What takes the place of `https://sandbox.itunes.apple.com/verifyReceipt`.
    package var sandboxVerifyReceipt: String
    /// What takes the place of `https://buy.itunes.apple.com/verifyReceipt`.
    package var productionVerifyReceipt: String
    /// What takes the place of `https://api.storekit-sandbox.apple.com`.
    package var serverAPI: String
    /// What takes the place of `https://api.storekit.apple.com`.
    package var productionServerAPI: String
    /// The root certificate, in PEM.
    package var rootCertificate: String
    /// The key for tokens of the App Store Server API, as a `.p8` file.
    package var apiKey: String
    /// The key's name.
    package var keyID: String
    /// The issuer that tokens name.
    package var issuerID: String
    /// The app.
    package var bundleID: BundleID
    /// The app's number in the App Store.
    package var appAppleID: Int64

    private enum CodingKeys: String, CodingKey {
        case url
        case name
        case sandboxVerifyReceipt = "sandbox_verify_receipt"
        case productionVerifyReceipt = "production_verify_receipt"
        case serverAPI = "server_api"
        case productionServerAPI = "production_server_api"
        case rootCertificate = "root_certificate"
        case apiKey = "api_key"
        case keyID = "key_id"
        case issuerID = "issuer_id"
        case bundleID = "bundle_id"
        case appAppleID = "app_apple_id"
    }

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

/// What a further store of a host is to be like; everything has a default.
package struct NewStoreRequest: Codable, Hashable, Sendable {
    /// The name in its addresses: up to 64 of a-z, 0-9 and -; nil for one that the host makes up.
    package var name: String?
    /// A `.storekit` file; nil for a store that sells nothing yet.
    package var storekit: JSONText?
    /// The app that it sells for.
    package var bundleID: BundleID?
    /// What `verifyReceipt` demands as `password`; nil accepts any.
    package var sharedSecret: String?
    /// Whether the store outlives the process, in a file of the host's folder.
    package var isKept: Bool?

    /// Creates a request.
    package init(
        name: String? = nil, storekit: JSONText? = nil, bundleID: BundleID? = nil, sharedSecret: String? = nil, isKept: Bool? = nil
    ) {
        self.name = name
        self.storekit = storekit
        self.bundleID = bundleID
        self.sharedSecret = sharedSecret
        self.isKept = isKept
    }
}

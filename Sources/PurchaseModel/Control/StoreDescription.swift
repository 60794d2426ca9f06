/// A store of a host: everything that a developer's server has to be told to work with it.
///
/// The names on the wire are those of `tillroll store up --json`, where the two texts in PEM are paths of files.
public struct StoreDescription: Codable, Hashable, Sendable {
    /// The base address, to which devices connect.
    public var url: String
    /// The store's name; `default` for the one at `/`.
    public var name: String
    /// What takes the place of `https://sandbox.itunes.apple.com/verifyReceipt`.
    public var sandboxVerifyReceipt: String
    /// What takes the place of `https://buy.itunes.apple.com/verifyReceipt`.
    public var productionVerifyReceipt: String
    /// What takes the place of `https://api.storekit-sandbox.apple.com`.
    public var serverAPI: String
    /// What takes the place of `https://api.storekit.apple.com`.
    public var productionServerAPI: String
    /// The root certificate, in PEM.
    public var rootCertificate: String
    /// The key for tokens of the App Store Server API, as a `.p8` file.
    public var apiKey: String
    /// The key's name.
    public var keyID: String
    /// The issuer that tokens name.
    public var issuerID: String
    /// The app.
    public var bundleID: BundleID
    /// The app's number in the App Store.
    public var appAppleID: Int64

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
    public init(
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

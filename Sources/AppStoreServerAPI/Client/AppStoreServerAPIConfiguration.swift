public import PurchaseModel
import PurchaseProof

/// The settings of a client of the App Store Server API.
///
/// The private key cannot be read back, and is not part of any description of the configuration.
public struct AppStoreServerAPIConfiguration: Sendable {
    /// The issuer identifier in App Store Connect, a UUID.
    public let issuerID: String
    /// The identifier of the In-App Purchase key in App Store Connect, such as `ABC1234567`.
    public let keyID: String
    /// The bundle identifier of the app that the requests concern.
    public let bundleID: BundleID
    /// The server environment of the requests.
    public let environment: AppEnvironment
    /// The URL to which the paths of endpoints are appended.
    public let baseURL: HTTPURL
    /// The time limit of one attempt, from the connection to the last byte of the response.
    public var timeout: Duration = .seconds(30)
    /// The time for which a token is valid, limited to the range from one minute to one hour.
    ///
    /// The client reuses a token until shortly before the end of this time. The App Store refuses lifetimes of more than an hour.
    public var tokenLifetime: Duration = .seconds(300)
    /// The number and the pace of the attempts of a call.
    public var retries = ServerAPIRetryPolicy()
    /// The conditions under which calls fail without a request.
    public var circuitBreaker = ServerAPICircuitBreakerPolicy()

    let key: BackendKey

    /// Creates a configuration from the values in App Store Connect.
    ///
    /// - Parameters:
    ///   - issuerID: The issuer identifier.
    ///   - keyID: The identifier of the In-App Purchase key.
    ///   - privateKey: The text of the key's `.p8` file, which is a P-256 key as PKCS #8 in PEM form.
    ///   - bundleID: The app's bundle identifier.
    ///   - environment: The server environment. Xcode has no server, so `xcode` is refused.
    ///   - baseURL: The URL of another server, such as a local store; nil for Apple's server. `localTesting` requires a URL.
    public init(
        issuerID: String, keyID: String, privateKey: String, bundleID: BundleID, environment: AppEnvironment, baseURL: HTTPURL? = nil
    ) throws(AppStoreServerAPIConfigurationError) {
        guard environment != .xcode else { throw .unsupportedEnvironment }
        guard let url = baseURL ?? Self.appleURL(of: environment) else { throw .missingBaseURL }
        guard !url.hasQuery else { throw .baseURLWithQuery }
        do { key = try BackendKey(pem: privateKey, id: keyID) } catch { throw .invalidPrivateKey }
        self.issuerID = issuerID
        self.keyID = keyID
        self.bundleID = bundleID
        self.environment = environment
        self.baseURL = url
    }

    /// Returns the URL of Apple's server for an environment; nil for an environment without a server.
    ///
    /// These are the hosts that Apple recommends since May 2026. The older hosts under `itunes.apple.com` are still served.
    ///
    /// Source: [App Store Server API](https://developer.apple.com/documentation/appstoreserverapi).
    public static func appleURL(of environment: AppEnvironment) -> HTTPURL? {
        switch environment {
        case .production: HTTPURL(https: "api.storekit.apple.com")
        case .sandbox: HTTPURL(https: "api.storekit-sandbox.apple.com")
        case .xcode, .localTesting: nil
        }
    }
}

extension AppStoreServerAPIConfiguration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The app, the environment and the server, without the key.
    public var description: String {
        "App Store Server API for \(bundleID) in \(environment.rawValue) at \(baseURL), with the key \(keyID)"
    }

    /// The same text as ``description``.
    public var debugDescription: String { description }

    /// The settings without the private key.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "issuerID": issuerID, "keyID": keyID, "bundleID": bundleID, "environment": environment, "baseURL": baseURL,
                "timeout": timeout, "tokenLifetime": tokenLifetime, "retries": retries, "circuitBreaker": circuitBreaker,
            ])
    }
}

/// The reason why a configuration is invalid.
public enum AppStoreServerAPIConfigurationError: Error, Hashable, Sendable {
    /// The text is not a private P-256 key in PEM form.
    case invalidPrivateKey
    /// The environment is Xcode, which has no server.
    case unsupportedEnvironment
    /// The environment has no server at Apple, and the configuration has no URL of another server.
    case missingBaseURL
    /// The base URL has a query, so no path can be appended to it.
    case baseURLWithQuery
}

extension AppStoreServerAPIConfigurationError: CustomStringConvertible {
    /// The reason, and the correction.
    public var description: String {
        switch self {
        case .invalidPrivateKey: "The private key is invalid. Pass the complete text of the .p8 file from App Store Connect."
        case .unsupportedEnvironment: "The environment Xcode has no server. Use sandbox or production, or localTesting with a base URL."
        case .missingBaseURL: "The environment LocalTesting has no default server. Pass a base URL."
        case .baseURLWithQuery: "The base URL has a query. Pass a URL without a query."
        }
    }
}

/// The server environment of a purchase.
public enum AppEnvironment: String, Codable, Hashable, Sendable, CaseIterable {
    /// The App Store, where purchases cost real money.
    case production = "Production"
    /// The sandbox, which TestFlight, App Review and local stores also use.
    case sandbox = "Sandbox"
    /// StoreKit testing in Xcode, which signs transactions with a certificate whose private key is public.
    case xcode = "Xcode"
    /// The unit tests of Apple's App Store Server Libraries, and of projects that use these libraries.
    case localTesting = "LocalTesting"
}

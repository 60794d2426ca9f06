/// The server environment of a purchase.
public enum AppEnvironment: String, Codable, Hashable, Sendable, CaseIterable {
    /// The App Store, where purchases cost real money.
    case production = "Production"
    /// Apple's sandbox, TestFlight, App Review, and every local store.
    case sandbox = "Sandbox"
    /// StoreKit testing in Xcode, signed with a certificate whose private key is public.
    case xcode = "Xcode"
    /// The unit tests of Apple's server libraries, and of projects that use them.
    case localTesting = "LocalTesting"
}

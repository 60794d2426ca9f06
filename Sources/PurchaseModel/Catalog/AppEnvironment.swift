/// Where a purchase was made.
public enum AppEnvironment: String, Codable, Hashable, Sendable, CaseIterable {
    /// Real money.
    case production = "Production"
    /// Apple's test store, TestFlight, App Review, and every local store.
    case sandbox = "Sandbox"
    /// StoreKit testing in Xcode, signed by a certificate whose key everybody has.
    case xcode = "Xcode"
    /// The unit tests of Apple's server libraries, and of whoever uses them.
    case localTesting = "LocalTesting"
}

import ArgumentParser

/// The forms of signed JWS.
enum SignedDataShape: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// The App Store's form: three certificates.
    case apple
    /// Xcode's form for StoreKit testing: one certificate.
    case xcode
}

import ArgumentParser

/// The forms in which JWS are signed.
enum SignedDataShape: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// As the App Store does: three certificates.
    case apple
    /// As Xcode does for StoreKit testing: one certificate.
    case xcode
}

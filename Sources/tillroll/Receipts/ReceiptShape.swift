import ArgumentParser

/// The forms of receipts over the years.
enum ReceiptShape: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// The App Store's present form: DER, three certificates, SHA-256.
    case apple
    /// The App Store's form until 2023: the same with SHA-1.
    case appleSHA1 = "apple-sha1"
    /// Xcode's form for StoreKit testing: BER, one certificate.
    case xcode
    /// The property list of one iOS 6 transaction.
    case ios6
}

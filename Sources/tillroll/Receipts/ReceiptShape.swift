import ArgumentParser

/// The forms in which receipts were written over the years.
enum ReceiptShape: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// As the App Store writes today: DER, three certificates, SHA-256.
    case apple
    /// The same with SHA-1, as until 2023.
    case appleSHA1 = "apple-sha1"
    /// As Xcode does for StoreKit testing: BER, one certificate.
    case xcode
    /// The property list of one transaction of iOS 6.
    case ios6
}

/// The names of the certificates that the corpus comes with.
enum RootName {
    static let receipts = "receipts"
    static let signedData = "signed-data"
    static let expiredReceipts = "expired-receipts"
    static let expiredSignedData = "expired-signed-data"
    static let xcodeReceipts = "xcode-receipts"
    static let xcodeSignedData = "xcode-signed-data"
    static let strangersReceipts = "strangers-receipts"
    static let strangersSignedData = "strangers-signed-data"
}

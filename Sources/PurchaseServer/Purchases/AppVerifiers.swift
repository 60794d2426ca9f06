import PurchaseModel
import PurchaseProof

/// The verifiers of an app's signed data and receipts.
struct AppVerifiers: Sendable {
    let signedData: SignedDataVerifier
    /// The verifier of notifications.
    ///
    /// A notification with an unknown subject may lack the environment. App Store Connect has a URL for the notifications of each
    /// environment,
    /// so the verifier uses the environment of the server.
    let notifications: SignedDataVerifier
    /// The verifier of signed data in responses of the App Store Server API.
    ///
    /// The token of each request names the app, so the configuration can accept transactions without `bundleId`.
    let answeredData: SignedDataVerifier
    let receipts: ReceiptAuthority

    init(_ app: AppConfiguration, of server: ServerResources) {
        signedData = SignedDataVerifier(
            roots: server.configuration.roots, revocation: server.revocation, bundleID: app.bundleID,
            environments: server.configuration.acceptedEnvironments)
        notifications = signedData.assuming(environment: server.configuration.environment)
        answeredData = signedData.assuming(bundleID: app.appStoreServerAPI?.acceptsMissingBundleID == true ? app.bundleID : nil)
        receipts = ReceiptAuthority(app, of: server)
    }
}

extension ProofVerifier {
    /// Creates a verifier with an app's roots, environments and confirmation mode.
    ///
    /// - Parameter connection: The connection that looks up and confirms transactions; nil for no requests about transactions.
    init(_ app: AppConfiguration, of server: ServerResources, _ verifiers: AppVerifiers, _ connection: AppStoreConnection?) {
        self.init(
            signedData: verifiers.signedData, answeredData: verifiers.answeredData, receipts: verifiers.receipts,
            transactionReceipts: TransactionReceiptVerifier(
                roots: server.configuration.roots, bundleID: app.bundleID, environments: server.configuration.acceptedEnvironments),
            lookup: connection.map { connection in
                TransactionLookup(
                    client: connection.client, environment: connection.environment, sandbox: connection.sandbox,
                    appStoreOutages: connection.outages, logger: server.logger)
            },
            confirmation: app.transactionConfirmation)
    }
}

import PurchaseModel
import PurchaseProof

/// The verifiers of an app's signed data and receipts.
struct AppVerifiers: Sendable {
    let signedData: SignedDataVerifier
    /// The verifier of notifications whose subject states no app, such as a subject that this version does not know.
    ///
    /// The App Store sends the notifications of an app and an environment to the URL that App Store Connect has for them. Therefore,
    /// this verifier assumes the app of the notification URL and the environment of the server.
    let unknownNotifications: SignedDataVerifier
    /// The verifier of signed data in responses of the App Store Server API.
    ///
    /// The JWT of each request names the app, and the App Store answers with that app's data only. Therefore, the setting
    /// `app-store-server-api.accept-missing-bundle-id` can permit transactions without `bundleId`.
    let answeredData: SignedDataVerifier
    let receipts: ReceiptAuthority

    init(_ app: AppConfiguration, of server: ServerResources) {
        signedData = SignedDataVerifier(
            roots: server.configuration.roots, revocation: server.revocation, bundleID: app.bundleID,
            environments: server.configuration.acceptedEnvironments)
        unknownNotifications = signedData.assuming(bundleID: app.bundleID, environment: server.configuration.environment)
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

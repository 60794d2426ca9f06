import AppStoreServerAPI
import PurchaseModel
import PurchaseProof

func appStore(privateKey: String) throws -> AppStoreServerAPIClient {
    let configuration = try AppStoreServerAPIConfiguration(
        issuerID: "57246542-96fe-1a63-e053-0824d011072a",
        keyID: "ABC1234567",
        privateKey: privateKey,
        bundleID: "com.example.monkeyshop",
        environment: .sandbox
    )
    return AppStoreServerAPIClient(configuration)
}

func purchasedProducts(
    of transaction: TransactionID, from appStore: AppStoreServerAPIClient, by verifier: SignedDataVerifier
) async throws -> Set<ProductID> {
    var products: Set<ProductID> = []
    for try await page in appStore.transactionHistory(transactionId: transaction) {
        for signed in page.signedTransactions {
            let transaction = try await verifier.verify(signed).payload
            if !transaction.isRevoked { products.insert(transaction.productId) }
        }
    }
    return products
}

func explain(_ error: AppStoreServerAPIError) -> String {
    switch error {
    case .api(let response) where response.error == .transactionIdNotFound: "The transaction is not in this environment."
    case .unauthorized(let clockSkew?): "Correct the clock of this machine by \(-clockSkew) seconds."
    case .rateLimited(let until?): "Try again after \(until)."
    case _ where error.isRetryable: "Try again later."
    default: "\(error)"
    }
}

import PurchaseModel
import PurchaseProof

func transaction(
    in receipt: [UInt8], trusting roots: TrustedRoots = .apple, in environments: Set<AppEnvironment> = [.production]
) throws(VerificationFailure) -> (id: TransactionID, product: ProductID) {
    let verifier = TransactionReceiptVerifier(
        roots: roots, bundleID: "com.example.monkeyshop", environments: environments
    )
    let payload = try verifier.verify(receipt).payload
    return (payload.transactionID, payload.productID)
}

func device(named receipt: [UInt8]) throws(Refusal) -> String? {
    let receipt = try UnverifiedTransactionReceipt(receipt)
    return receipt.payload.uniqueVendorIdentifier ?? receipt.payload["unique-identifier"]
}

import PurchaseModel
import PurchaseProof

struct SupportedVersionsCheck: ReceiptCheck {
    let versions: Set<String>

    var name: String { "supported versions" }
    var rule: String { "The receipt is for one of the versions \(versions.sorted().joined(separator: ", "))." }

    func observed(in receipt: AuthenticReceipt) -> String { receipt.payload.appVersion }

    func examine(_ receipt: AuthenticReceipt) throws(VerificationFailure) {
        guard versions.contains(receipt.payload.appVersion) else {
            throw .refused(Refusal(.foreignVersion(receipt.payload.appVersion), at: "receipt.3"))
        }
    }
}

struct BlockedCustomersCheck: SignedDataCheck {
    let isBlocked: @Sendable (CustomerID) -> Bool?

    var name: String { "customer" }
    var rule: String { "The customer of a transaction is not blocked." }

    func observed(in data: AuthenticSignedData) -> String { "\(data.claims.kind), signed \(data.signature.signedDate)" }

    func examine(_ data: AuthenticSignedData) throws(VerificationFailure) {
        guard let transaction = data.payload as? TransactionPayload, let customer = transaction.appAccountToken else { return }
        switch isBlocked(customer) {
        case false?: return
        case true?: throw .refused(Refusal(.custom("blocked_customer"), at: "payload.appAccountToken"))
        case nil: throw .indeterminate(Indeterminacy(.custom("customer_list_unavailable"), at: "payload.appAccountToken"))
        }
    }
}

func receiptVerifier(
    forVersions versions: Set<String>, trusting roots: TrustedRoots = .apple, in environments: Set<AppEnvironment> = [.production]
) -> ReceiptVerifier {
    ReceiptVerifier(
        roots: roots,
        bundleID: "com.example.monkeyshop",
        environments: environments,
        checks: [SupportedVersionsCheck(versions: versions)]
    )
}

func signedDataVerifier(
    blocking isBlocked: @escaping @Sendable (CustomerID) -> Bool?, trusting roots: TrustedRoots = .apple,
    in environments: Set<AppEnvironment> = [.production]
) -> SignedDataVerifier {
    SignedDataVerifier(
        roots: roots,
        bundleID: "com.example.monkeyshop",
        environments: environments,
        checks: [BlockedCustomersCheck(isBlocked: isBlocked)]
    )
}

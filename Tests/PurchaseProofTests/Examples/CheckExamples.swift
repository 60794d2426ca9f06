import PurchaseModel
import PurchaseProof

struct SupportedVersionsCheck: ReceiptCheck {
    let versions: Set<String>

    var name: String { "supported versions" }
    var rule: String { "It is for one of \(versions.sorted().joined(separator: ", "))." }

    func saw(_ payload: ReceiptPayload) -> String { payload.appVersion }

    func examine(_ payload: ReceiptPayload) throws(Refusal) {
        guard versions.contains(payload.appVersion) else {
            throw Refusal(.foreignVersion(payload.appVersion), at: "receipt.3")
        }
    }
}

struct OpeningCheck: SignedDataCheck {
    let opening: Timestamp

    var name: String { "opening" }
    var rule: String { "It was signed after our shop opened, \(opening)." }

    func saw(_ claims: SignedDataClaims) -> String { "signed \(claims.signedDate)" }

    func examine(_ claims: SignedDataClaims) throws(Refusal) {
        guard claims.signedDate >= opening else {
            throw Refusal(.tooOld(claims.signedDate), at: "payload.signedDate", "The shop was not open then.")
        }
    }
}

func receiptVerifier(
    forVersions versions: Set<String>, trusting roots: TrustedRoots = .apple, in environments: Set<AppEnvironment> = [.production]
) -> ReceiptVerifier {
    ReceiptVerifier(
        roots: roots,
        BundleCheck("com.example.monkeyshop"),
        EnvironmentCheck(environments),
        SupportedVersionsCheck(versions: versions)
    )
}

func signedDataVerifier(
    since opening: Timestamp, trusting roots: TrustedRoots = .apple, in environments: Set<AppEnvironment> = [.production]
) -> SignedDataVerifier {
    SignedDataVerifier(
        roots: roots,
        BundleCheck("com.example.monkeyshop"),
        EnvironmentCheck(environments),
        OpeningCheck(opening: opening)
    )
}

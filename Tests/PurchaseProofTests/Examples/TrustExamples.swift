import PurchaseModel
import PurchaseProof

func roots(ofLocalStore pem: String) throws(TrustError) -> TrustedRoots {
    try .apple(and: pem, in: [.sandbox])
}

func rootsForDevelopers(xcodeCertificate pem: String) throws(TrustError) -> TrustedRoots {
    try TrustedRoots.apple.acceptingXcode().trusting(pem, in: [.xcode])
}

func productionRoots(_ configured: TrustedRoots) -> TrustedRoots? {
    configured.hasFurtherRoots ? nil : configured
}

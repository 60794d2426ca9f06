import AppStoreServerAPI
import Foundation
import PurchaseModel
import PurchaseProof

/// A part of the ready file of `tillroll store up`.
struct LocalStoreDescription: Decodable {
    let serverAPI: HTTPURL
    let rootCertificate: String
    let apiKey: String
    let keyID: String
    let issuerID: String
    let bundleID: BundleID
}

func appStore(at store: LocalStoreDescription) throws -> AppStoreServerAPIClient {
    let configuration = try AppStoreServerAPIConfiguration(
        issuerID: store.issuerID,
        keyID: store.keyID,
        privateKey: String(contentsOfFile: store.apiKey, encoding: .utf8),
        bundleID: store.bundleID,
        environment: .sandbox,
        baseURL: store.serverAPI
    )
    return AppStoreServerAPIClient(configuration)
}

func signedDataVerifier(trusting store: LocalStoreDescription) throws -> SignedDataVerifier {
    let roots = try TrustedRoots.apple(and: String(contentsOfFile: store.rootCertificate, encoding: .utf8), in: [.sandbox])
    return SignedDataVerifier(roots: roots, bundleID: store.bundleID, environments: [.sandbox])
}

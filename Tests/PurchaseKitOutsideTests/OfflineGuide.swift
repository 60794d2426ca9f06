import Foundation
import MessageSignatures
import PurchaseKit
import PurchaseModel
import PurchaseProof

/// Returns the verifier of the server's leases, with the keys that `tillroll-server keys verification` prints.
func leaseVerifier(for app: BundleID, keys: Data) throws -> LeaseVerifier {
    LeaseVerifier(keys: try VerificationKeySet(jwks: [UInt8](keys)), issuer: "tillroll-server", bundleID: app)
}

/// Returns the configuration of an app that can be used without a network.
func offlineConfiguration(
    for app: BundleID, customer: CustomerID, server: ServerConnection, keys: Data, vault: Vault, verifier: SignedDataVerifier
) throws -> PurchasesConfiguration {
    var configuration = PurchasesConfiguration(
        products: .server, fulfillments: ["com.example.coins": .credit("coins", 5), "com.example.sepia": .unlock("sepia")],
        vault: vault, verifier: verifier, server: server, customer: customer)
    configuration.leaseVerifier = try leaseVerifier(for: app, keys: keys)
    return configuration
}

/// Writes the customer's purchases to a file for another phone, and returns the message for the user.
@MainActor func back(up purchases: Purchases, to file: URL, passphrase: String) async throws -> String {
    do {
        try await purchases.exportPurchases(sealedTo: .passphrase(passphrase)).write(to: file)
        return "Your purchases are in \(file.lastPathComponent). Keep the passphrase."
    } catch let error as ExportError {
        return error.description
    }
}

/// Adds the purchases of a file from another phone, and returns the message for the user.
@MainActor func restore(_ purchases: Purchases, from file: URL, passphrase: String) async throws -> String {
    let data = try Data(contentsOf: file)
    do {
        let result = try await purchases.importPurchases(data, sealedTo: .passphrase(passphrase))
        let message = "Purchases added: \(result.added)."
        return result.foreign == 0 ? message : "\(message) Those of another account were left out: \(result.foreign)."
    } catch {
        return error.description
    }
}

/// Decides about the credits of a restored backup in an app without a server; the user has confirmed the question.
@MainActor func keepCredits(of purchases: Purchases) async throws {
    if purchases.state.problems.contains(where: { $0.kind == .restoredFromBackup }) {
        try await purchases.resolveRestoredCredits(.keep)
    }
}

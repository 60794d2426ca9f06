import Foundation
import MessageSignatures
import PurchaseModel

/// Signs the answers and the leases of one app with a key that the server creates for the app.
struct AnswerSigner: Sendable {
    /// The name of the key among the server's secrets.
    private static let secretName = "answer-signing-key"

    let responses: ResponseSigner
    let leases: LeaseIssuer
    /// The public keys with which apps verify responses and leases.
    let verificationKeys: VerificationKeySet

    /// Reads or creates the key of an app.
    init(_ secrets: SecretService) async throws {
        // Store the identifier of the key in the secret, so that the identifier never changes.
        let stored = try await secrets.secret(Self.secretName) {
            let id = "sig_\(UUID().uuidString.lowercased().prefix(8))"
            return (try? P256SigningKey(newWithID: id)).map { Data("\($0.id)\n\($0.pem)".utf8) } ?? Data()
        }
        let parts = String(decoding: stored, as: UTF8.self).split(separator: "\n", maxSplits: 1)
        guard parts.count == 2 else { throw SecretError.damaged }
        let key = try P256SigningKey(pem: String(parts[1]), id: String(parts[0]))
        responses = ResponseSigner(key: key)
        leases = LeaseIssuer(key: key)
        verificationKeys = try VerificationKeySet([key.verificationKey])
    }
}

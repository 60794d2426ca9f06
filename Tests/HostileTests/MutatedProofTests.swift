import Foundation
import ProcessTestSupport
import PurchaseIssuing
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import Testing
import Wire
import WireClient

/// Tests that send mutated signed data to the built `tillroll-server`.
@Suite struct MutatedProofTests {
    /// The number of mutations per endpoint.
    private static let count = 250
    private static let customer: CustomerID = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"

    @Test func `mutated transactions and notifications are refused, and the server keeps running`() async throws {
        let signer = TestAuthority.shared.signedData
        var payload = TransactionPayload.sample()
        payload.appAccountToken = Self.customer
        let transaction = try signer.sign(payload)
        let notification = try signer.sign(NotificationPayload.sample(type: "ONE_TIME_CHARGE", transaction: transaction))
        try await RunningServer.with { server in
            var random = Self.random(seed: 12)
            var equal = 0
            for _ in 0..<Self.count {
                let mutated = Self.mutated(transaction.compact, &random)
                guard mutated != transaction.compact else {
                    equal += 1
                    continue
                }
                let proof = PurchaseProofInput(signedTransaction: SignedTransaction(mutated))
                #expect(try await Self.status(of: proof, at: server.backend) == .refused, "\(mutated)")
            }
            for _ in 0..<Self.count {
                let mutated = Self.mutated(notification.compact, &random)
                guard mutated != notification.compact else {
                    equal += 1
                    continue
                }
                let refusal = try await Self.refusal(
                    of: ["signedPayload": mutated], at: ServerEndpoints.notifications.template, of: server.wire)
                #expect(refusal.map { (400..<500).contains($0) } ?? false, "\(refusal.map(String.init) ?? "200") for \(mutated)")
            }
            #expect(equal <= Self.count / 25, "\(equal) mutations changed nothing")
            #expect(try await server.backend.balance(of: Self.customer) == 0)
            // The original transaction is still accepted.
            #expect(try await server.backend.submit(transaction).credits == 5)
        }
    }

    @Test func `mutated receipts are refused, and the server keeps running`() async throws {
        let receipt = try TestAuthority.shared.receipts.issue(.sample())
        // No server listens at this URL. The App Store is asked only about receipts that pass local verification.
        let unreachable = "http://127.0.0.1:9"
        let options = [
            "--verify-receipt-production-url", unreachable, "--verify-receipt-sandbox-url", unreachable, "--confirm-receipts", "hard",
        ]
        try await RunningServer.with(options) { server async throws in
            var random = Self.random(seed: 13)
            var equal = 0
            for _ in 0..<Self.count {
                let mutated = Self.mutated(receipt, &random)
                guard mutated != receipt else {
                    equal += 1
                    continue
                }
                // If the mutation changed no significant byte, the receipt is still valid, and the App Store is unreachable.
                #expect(try await Self.status(of: PurchaseProofInput(receipt: Data(mutated)), at: server.backend) != .verified)
            }
            #expect(equal <= Self.count / 25, "\(equal) mutations changed nothing")
            #expect(try await server.backend.call(ServerEndpoints.products, Empty()).products.count == 1)
        }
    }

    /// Returns the random numbers of a seed, which a failed run states.
    private static func random(seed: UInt64) -> SeededRandom {
        print("mutated proofs: seed \(seed)")
        return SeededRandom(seed: seed)
    }

    private static func status(of proof: PurchaseProofInput, at backend: ServerBackend) async throws -> ProofResult.Status? {
        try await backend.call(ServerEndpoints.purchases, SubmitPurchasesRequest(proofs: [proof])).results.first?.status
    }

    /// Returns the status of a refusal, or nil if the body was accepted.
    private static func refusal(of body: [String: String], at path: String, of wire: WireClient) async throws -> Int? {
        do {
            _ = try await wire.call(Endpoint<[String: String], Empty>(.post, path), body)
            return nil
        } catch WireClientError.refused(let status, _) {
            return status
        }
    }

    /// Returns a JWS with one mutation of a character, a part or the number of parts.
    private static func mutated(_ compact: String, _ random: inout SeededRandom) -> String {
        var parts = compact.split(separator: ".").map { Array($0.utf8) }
        let part = Int.random(in: 0..<3, using: &random)
        switch Int.random(in: 0..<7, using: &random) {
        case 0: parts[part] = mutated(parts[part], &random)
        case 1: parts.swapAt(part, (part + 1) % 3)
        case 2: parts.remove(at: part)
        case 3: parts.append(parts[part])
        case 4: parts[2] = []
        case 5: parts[0] = Array(base64URL(#"{"alg":"none"}"#).utf8)
        default: parts[1] = Array(base64URL(#"{"transactionId":"1","bundleId":"com.example.monkeyshop"}"#).utf8)
        }
        return parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ".")
    }

    /// Returns bytes with one byte changed, removed or repeated, or with the end cut off.
    ///
    /// A changed byte is an ASCII letter, so that base64 stays valid.
    private static func mutated(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        var bytes = bytes
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0x41...0x5A, using: &random)
        case 1: bytes.remove(at: index)
        case 2: bytes.insert(bytes[index], at: index)
        default: bytes.removeSubrange(index...)
        }
        return bytes
    }

    private static func base64URL(_ text: String) -> String {
        Data(text.utf8).base64EncodedString().replacing("=", with: "")
    }
}

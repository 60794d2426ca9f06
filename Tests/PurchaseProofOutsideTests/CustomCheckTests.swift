import Foundation
import PurchaseModel
import PurchaseProof
import Testing

// This target has no access to `package` declarations and tests nothing with `@testable`: it uses `PurchaseProof` as another package does.

/// A check that reports the observed data and has the outcome that a test chooses.
struct RecordingCheck: ReceiptCheck, TransactionReceiptCheck, SignedDataCheck {
    let failure: VerificationFailure?

    init(_ failure: VerificationFailure? = nil) {
        self.failure = failure
    }

    var name: String { "custom" }
    var rule: String { "The test accepts the data." }

    func observed(in receipt: AuthenticReceipt) -> String {
        "\(receipt.payload.bundleID) \(receipt.payload.purchases.count) \(receipt.original.count) \(describe(receipt.signature))"
    }

    func observed(in receipt: AuthenticTransactionReceipt) -> String {
        "\(receipt.payload.productID) \(receipt.claimedEnvironment) \(receipt.original.count) \(describe(receipt.signature))"
    }

    func observed(in data: AuthenticSignedData) -> String {
        let product = (data.payload as? TransactionPayload)?.productId.rawValue ?? "-"
        return
            "\(data.claims.kind) \(product) \(data.json.first == UInt8(ascii: "{")) \(data.original.hasPrefix("ey")) \(describe(data.signature))"
    }

    func examine(_ receipt: AuthenticReceipt) throws(VerificationFailure) { try examine() }

    func examine(_ receipt: AuthenticTransactionReceipt) throws(VerificationFailure) { try examine() }

    func examine(_ data: AuthenticSignedData) throws(VerificationFailure) { try examine() }

    private func examine() throws(VerificationFailure) {
        if let failure { throw failure }
    }

    private func describe(_ signature: SignatureInfo) -> String {
        let isValid = signature.validity.contains(signature.signedDate)
        return "\(signature.environment) \(signature.certificates.count) \(signature.rootFingerprint?.count ?? 0) \(isValid)"
    }
}

/// A payload with a member that no payload of `PurchaseModel` has.
struct NotedPayload: SignedPayload {
    var signedDate: Timestamp
    var environment: String
    var transactionId: String

    var claims: SignedDataClaims {
        SignedDataClaims(kind: .other, signedDate: signedDate, environment: environment)
    }

    func validate() throws(Refusal) {
        guard transactionId.hasPrefix("2") else { throw Refusal(.custom("transaction_id"), at: "payload.transactionId") }
    }
}

@Suite struct CustomCheckTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Forgeries")
    private static let bundleID: BundleID = "com.example.monkeyshop"

    private let roots: TrustedRoots

    init() throws {
        let pem = try ["receipts", "signed-data"].map { try Self.text("roots/\($0).pem") }
        roots = try .apple(and: pem.joined(separator: "\n"), in: [.sandbox])
    }

    private static func bytes(_ path: String) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: folder.appending(path: path)))
    }

    private static func text(_ path: String) throws -> String {
        String(decoding: try bytes(path), as: UTF8.self)
    }

    /// The outcomes of a verification with a custom check: it passes, refuses, or is indeterminate.
    private static let failures: [VerificationFailure?] = [
        nil, .refused(Refusal(.custom("blocked"), at: "list")), .indeterminate(Indeterminacy(.custom("list_unavailable"), at: "list")),
    ]

    @Test(arguments: failures)
    func `a custom check of receipts decides like a built-in one`(_ failure: VerificationFailure?) async throws {
        let check = RecordingCheck(failure)
        let verifier = ReceiptVerifier(roots: roots, bundleID: Self.bundleID, environments: [.sandbox], checks: [check])
        let (outcome, explanation) = await verifier.explain(try Self.bytes("receipts/genuine.der"))
        try expect(outcome, explanation, failure) { $0.hasPrefix("com.example.monkeyshop ") && $0.hasSuffix(" sandbox 3 95 true") }
        #expect(await verifier.outcome(of: try Self.bytes("receipts/genuine.der")) == outcome)
    }

    @Test(arguments: failures)
    func `a custom check of transaction receipts decides like a built-in one`(_ failure: VerificationFailure?) throws {
        let check = RecordingCheck(failure)
        let verifier = TransactionReceiptVerifier(roots: roots, bundleID: Self.bundleID, environments: [.sandbox], checks: [check])
        let (outcome, explanation) = verifier.explain(try Self.bytes("transaction-receipts/genuine.plist"))
        try expect(outcome, explanation, failure) { $0.contains(" sandbox ") && $0.hasSuffix(" sandbox 1 0 true") }
        #expect(verifier.outcome(of: try Self.bytes("transaction-receipts/genuine.plist")) == outcome)
    }

    @Test(arguments: failures)
    func `a custom check of signed data decides like a built-in one`(_ failure: VerificationFailure?) async throws {
        let check = RecordingCheck(failure)
        let verifier = SignedDataVerifier(roots: roots, bundleID: Self.bundleID, environments: [.sandbox], checks: [check])
        let signed = SignedTransaction(try Self.text("jws/genuine-transaction.jws"))
        let (outcome, explanation) = await verifier.explain(signed)
        try expect(outcome, explanation, failure) {
            $0.hasPrefix("transaction com.example.monkeyshop.") && $0.hasSuffix(" true true sandbox 3 95 true")
        }
        #expect(await verifier.outcome(of: signed) == outcome)
    }

    @Test func `a custom check examines each JWS that is nested in a notification`() async throws {
        let verifier = SignedDataVerifier(roots: roots, bundleID: Self.bundleID, environments: [.sandbox], checks: [RecordingCheck()])
        let (_, explanation) = await verifier.explain(SignedNotification(try Self.text("jws/genuine-notification.jws")))
        let kinds = explanation.steps.filter { $0.name == "custom" }.compactMap { $0.observed.split(separator: " ").first }
        #expect(kinds.first == "notification" && kinds.contains("transaction"))
    }

    @Test func `a custom payload is verified`() async throws {
        let verifier = SignedDataVerifier(roots: roots, EnvironmentCheck([.sandbox]))
        let compact = try Self.text("jws/genuine-transaction.jws")
        let verified = try await verifier.verify(Signed<NotedPayload>(compact))
        #expect(verified.payload.transactionId.hasPrefix("2"))
        let renewal = Signed<NotedPayload>(try Self.text("jws/genuine-renewal-info.jws"))
        await #expect(throws: VerificationFailure.refused(Refusal(.malformed, at: "payload.transactionId"))) {
            try await verifier.verify(renewal)
        }
    }

    @Test func `an explanation survives encoding`() async throws {
        let verifier = ReceiptVerifier(roots: .apple, bundleID: Self.bundleID, environments: [.sandbox])
        let (outcome, explanation) = await verifier.explain(try Self.bytes("receipts/genuine.der"))
        let decoded = try JSONDecoder().decode(VerificationExplanation.self, from: JSONEncoder().encode(explanation))
        #expect(decoded == explanation)
        #expect(decoded.result == .refused && decoded.reason == "untrusted_root" && decoded.place == "SignedData.certificates")
        #expect(VerificationExplanation(outcome).steps.isEmpty)
    }

    private func expect<Value>(
        _ outcome: VerificationOutcome<Value>, _ explanation: VerificationExplanation, _ failure: VerificationFailure?,
        _ isExpected: (String) -> Bool
    ) throws {
        switch failure {
        case nil:
            _ = try outcome.get()
            let step = try #require(explanation.steps.last { $0.name == "custom" })
            #expect(isExpected(step.observed), "\(step.observed)")
        case .refused(let refusal)?:
            #expect(throws: VerificationFailure.refused(refusal)) { try outcome.get() }
            #expect(explanation.reason == "blocked" && explanation.place == "list")
        case .indeterminate(let indeterminacy)?:
            #expect(throws: VerificationFailure.indeterminate(indeterminacy)) { try outcome.get() }
            #expect(explanation.reason == "list_unavailable" && explanation.steps.last?.status == .indeterminate)
        }
    }
}

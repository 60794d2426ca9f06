import PurchaseModel
import PurchaseTestSupport
import Testing

@testable import PurchaseIssuing
@testable import PurchaseProof

@Suite struct AnySignedDataTests {
    private let verifier: SignedDataVerifier

    init() throws {
        verifier = try TestAuthority.shared.verifier()
    }

    static let payloads: [(SignedDataKind, String)] = [
        (
            .transaction,
            #"{"transactionId":"2","originalTransactionId":"1","bundleId":"com.example.monkeyshop","productId":"p","purchaseDate":1738326896000.5,"signedDate":1738326896000,"environment":"Sandbox","memberOfTheFuture":[1,{"a":null}]}"#
        ),
        (.renewalInfo, #"{"originalTransactionId":"1","environment":"Sandbox","signedDate":1738326896000}"#),
        (.appTransaction, #"{"receiptType":"Sandbox","bundleId":"com.example.monkeyshop","receiptCreationDate":1738326896000}"#),
        (
            .notification,
            #"{"notificationType":"NEWS_OF_THE_FUTURE","notificationUUID":"u","signedDate":1738326896000,"data":{"bundleId":"com.example.monkeyshop","environment":"Sandbox"}}"#
        ),
        (
            .realtimeRequest,
            #"{"originalTransactionId":"1","productId":"p","userLocale":"de_DE","requestIdentifier":"r","environment":"Sandbox","signedDate":1738326896000}"#
        ),
        (.other, #"{"news":"of the future","environment":"Sandbox","signedDate":1738326896000}"#),
    ]

    @Test(arguments: payloads) func `the kind is detected, and the payload has the signed bytes`(kind: SignedDataKind, json: String)
        async throws
    {
        let compact = try TokenBuilder(payload: json).build()
        let report = await verifier.verifyAny(compact)
        #expect(report.kind == kind)
        #expect(report.payload == Array(json.utf8))
        #expect(report.explanation.steps.isEmpty)
        let found: SignedDataKind =
            switch try report.outcome.get() {
            case .transaction: .transaction
            case .renewalInfo: .renewalInfo
            case .appTransaction: .appTransaction
            case .notification: .notification
            case .realtimeRequest: .realtimeRequest
            case .other: .other
            }
        #expect(found == kind)
        #expect(try UnverifiedJWS(compact).kind == kind)
        let explained = await verifier.explainAny(compact)
        #expect(explained.outcome == report.outcome)
        #expect(explained.explanation.steps.contains { $0.name == "signature" && $0.status == .passed })
    }

    @Test func `a payload of an unknown kind is refused and available for inspection`() async throws {
        let report = await verifier.verifyAny(try TokenBuilder(payload: #"{"hello":1}"#).build())
        #expect(report.kind == nil)
        #expect(report.outcome == .refused(Refusal(.malformed, at: "payload")))
        #expect(report.payload == Array(#"{"hello":1}"#.utf8))
    }

    @Test func `a refused payload is available for inspection`() async throws {
        var builder = try TokenBuilder(payload: Self.payloads[0].1)
        builder.algorithm = "HS256"
        let report = await verifier.explainAny(try builder.build())
        #expect(report.kind == .transaction)
        #expect(report.outcome == .refused(Refusal(.algorithm("HS256"), at: "header.alg")))
        #expect(report.explanation.steps.last?.status == .failed)
        let nothing = await verifier.verifyAny("nothing")
        #expect(nothing.kind == nil && nothing.payload == nil)
        #expect(nothing.outcome == .refused(Refusal(.malformed, at: "parts")))
    }
}

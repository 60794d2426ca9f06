import Foundation
import PurchaseModel
import PurchaseTestSupport
import Testing

@testable import PurchaseIssuing
@testable import PurchaseProof

@Suite struct SignedDataVerifierTests {
    private let issuer = TestAuthority.shared.signedData
    private let verifier: SignedDataVerifier

    init() throws {
        verifier = try TestAuthority.shared.verifier()
    }

    @Test func `a verified transaction has the signed payload`() async throws {
        let payload = TransactionPayload.sample(type: .autoRenewable, expires: .testStart.adding(days: 30))
        let signed = try issuer.sign(payload)
        // The second verification uses the cached chain.
        for _ in 0..<2 {
            let verified = try await verifier.verify(signed)
            #expect(verified.payload == payload)
            #expect(verified.original == signed)
        }
    }

    @Test func `verified renewal information has the signed payload`() async throws {
        let payload = RenewalInfoPayload.sample()
        #expect(try await verifier.verify(issuer.sign(payload)).payload == payload)
    }

    @Test func `an app transaction is verified by its creation date and receipt type`() async throws {
        var payload = AppTransactionPayload(receiptType: "Sandbox", bundleId: .test, receiptCreationDate: .testStart)
        payload.originalPurchaseDate = Timestamp(milliseconds: -62_135_769_600_000)
        #expect(try await verifier.verify(issuer.sign(payload)).payload == payload)

        payload.receiptCreationDate = .testStart.adding(days: -3650)
        await #expect(throws: VerificationFailure.self) { try await verifier.verify(issuer.sign(payload)) }
        payload.receiptCreationDate = .testStart
        payload.bundleId = "com.example.other"
        await #expect(throws: VerificationFailure.refused(.foreignBundle("com.example.other"), at: "payload.bundleId")) {
            try await verifier.verify(issuer.sign(payload))
        }
        payload.receiptType = "Production"
        await #expect(throws: VerificationFailure.refused(.untrustedRoot, at: "header.x5c")) {
            try await verifier.verify(issuer.sign(payload))
        }
    }

    @Test func `a verified realtime request has the signed payload`() async throws {
        let payload = RealtimeRequestPayload(
            originalTransactionId: "1", productId: "p", userLocale: "en_US", requestIdentifier: "r", environment: "Sandbox",
            signedDate: .testStart
        )
        #expect(try await verifier.verify(issuer.sign(payload)).payload == payload)
    }

    @Test func `a notification is verified with its nested data`() async throws {
        let transaction = TransactionPayload.sample()
        let renewalInfo = RenewalInfoPayload.sample()
        let notification = try NotificationPayload.sample(
            type: "DID_RENEW", transaction: issuer.sign(transaction), renewalInfo: issuer.sign(renewalInfo)
        )
        let verified = try await verifier.verify(issuer.sign(notification))
        #expect(verified.notification.payload == notification)
        #expect(verified.transaction?.payload == transaction)
        #expect(verified.renewalInfo?.payload == renewalInfo)
    }

    @Test func `a notification about an app is verified with its nested app transaction`() async throws {
        let inner = AppTransactionPayload(receiptType: "Sandbox", bundleId: .test, receiptCreationDate: .testStart)
        var data = NotificationAppData(bundleId: .test, environment: "Sandbox")
        data.signedAppTransactionInfo = try issuer.sign(inner)
        #expect(try await verifier.verify(issuer.sign(Self.notification(.appData(data)))).appTransaction?.payload == inner)

        data.signedAppTransactionInfo = try TestAuthority.other.signedData.sign(inner)
        let error = await #expect(throws: VerificationFailure.self) {
            try await verifier.verify(issuer.sign(Self.notification(.appData(data))))
        }
        #expect(error?.place?.hasPrefix("appData.signedAppTransactionInfo.header.x5c") == true)
    }

    @Test func `a notification may have no nested data`() async throws {
        let verified = try await verifier.verify(issuer.sign(NotificationPayload.sample()))
        #expect(verified.transaction == nil && verified.renewalInfo == nil && verified.appTransaction == nil)
    }

    @Test func `a notification is refused when its nested data has another root`() async throws {
        let foreignIssuer = TestAuthority.other.signedData
        let notifications = [
            ("data.signedTransactionInfo", try NotificationPayload.sample(transaction: foreignIssuer.sign(.sample()))),
            ("data.signedRenewalInfo", try NotificationPayload.sample(renewalInfo: foreignIssuer.sign(.sample()))),
        ]
        for (part, notification) in notifications {
            let error = await #expect(throws: VerificationFailure.self) { try await verifier.verify(issuer.sign(notification)) }
            #expect(error?.refusalReason == .untrustedRoot)
            #expect(error?.place?.hasPrefix("\(part).header.x5c") == true)
        }
    }

    @Test func `tampered nested data of a notification is refused at its place`() async throws {
        var builder = try TokenBuilder(TransactionPayload.sample())
        builder.algorithm = "none"
        let notification = try NotificationPayload.sample(transaction: SignedTransaction(builder.build()))
        await #expect(throws: VerificationFailure.refused(.algorithm("none"), at: "data.signedTransactionInfo.header.alg")) {
            try await verifier.verify(issuer.sign(notification))
        }
        // A genuine JWS in the wrong member.
        let renewal = try issuer.sign(RenewalInfoPayload.sample())
        let swapped = NotificationPayload.sample(transaction: SignedTransaction(renewal.compact))
        await #expect(throws: VerificationFailure.refused(.malformed, at: "data.signedTransactionInfo.payload.transactionId")) {
            try await verifier.verify(issuer.sign(swapped))
        }
    }

    @Test func `a notification is refused when its nested data is of another app or environment`() async throws {
        // The verifier has no bundle check. Nested data that differs from the notification is refused anyway.
        let roots = try TrustedRoots.apple(and: TestAuthority.shared.authority.rootsPEM, in: [.sandbox, .localTesting])
        let any = SignedDataVerifier(roots: roots, EnvironmentCheck([.sandbox, .localTesting]))
        let foreignApp = try NotificationPayload.sample(transaction: issuer.sign(.sample(bundle: "com.example.other")))
        await #expect(
            throws: VerificationFailure.refused(.foreignBundle("com.example.other"), at: "data.signedTransactionInfo.payload.bundleId")
        ) {
            try await any.verify(issuer.sign(foreignApp))
        }
        let transaction = try NotificationPayload.sample(transaction: issuer.sign(.sample(environment: .localTesting)))
        await #expect(
            throws: VerificationFailure.refused(.foreignEnvironment("LocalTesting"), at: "data.signedTransactionInfo.payload.environment")
        ) {
            try await any.verify(issuer.sign(transaction))
        }
        let renewal = try NotificationPayload.sample(renewalInfo: issuer.sign(.sample(environment: .localTesting)))
        await #expect(
            throws: VerificationFailure.refused(.foreignEnvironment("LocalTesting"), at: "data.signedRenewalInfo.payload.environment")
        ) {
            try await any.verify(issuer.sign(renewal))
        }
    }

    @Test(arguments: [
        (NotificationSubject.data(NotificationData(bundleId: "com.example.other", environment: "Sandbox")), "payload.data.bundleId"),
        (.summary(NotificationSummary(bundleId: "com.example.other", environment: "Sandbox")), "payload.summary.bundleId"),
        (.appData(NotificationAppData(bundleId: "com.example.other", environment: "Sandbox")), "payload.appData.bundleId"),
        (
            .externalPurchaseToken(ExternalPurchaseToken(externalPurchaseId: "SANDBOX_1", bundleId: "com.example.other")),
            "payload.externalPurchaseToken.bundleId"
        ),
    ])
    func `a notification of another app is refused for every subject`(subject: NotificationSubject, place: String) async throws {
        let signed = try issuer.sign(Self.notification(subject))
        await #expect(throws: VerificationFailure.refused(.foreignBundle("com.example.other"), at: place)) {
            try await verifier.verify(signed)
        }
        let theirs = try TestAuthority.shared.verifier(for: "com.example.other")
        #expect(try await theirs.verify(signed).notification.payload.subject == subject)
    }

    @Test func `an external purchase token is from production unless its identifier has the sandbox prefix`() async throws {
        let token = ExternalPurchaseToken(externalPurchaseId: "b2158121-7af9-49d4-9561-1f588205523e", bundleId: .test)
        let signed = try issuer.sign(Self.notification(.externalPurchaseToken(token)))
        await #expect(throws: VerificationFailure.refused(.untrustedRoot, at: "header.x5c")) { try await verifier.verify(signed) }
    }

    @Test func `a genuine transaction of another environment is refused for the environment`() async throws {
        let production = try SignedDataVerifier(roots: TestAuthority.shared.roots, bundleID: .test, environments: [.production])
        let signed = try issuer.sign(TransactionPayload.sample())
        await #expect(throws: VerificationFailure.refused(.foreignEnvironment("Sandbox"), at: "payload.environment")) {
            try await production.verify(signed)
        }
    }

    @Test(arguments: ["Production", "Xcode", "LocalTesting", "sandbox"])
    func `a local root is not trusted for other environments that the verifier accepts`(environment: String) async throws {
        let all = try SignedDataVerifier(roots: TestAuthority.shared.roots, bundleID: .test, environments: Set(AppEnvironment.allCases))
        var payload = TransactionPayload.sample()
        payload.environment = environment
        let signed = try issuer.sign(payload)
        let error = await #expect(throws: VerificationFailure.self) { try await all.verify(signed) }
        #expect(error?.refusalReason == .untrustedRoot)
    }

    @Test func `Xcode's self-signed certificate is trusted only for Xcode, and only when configured`() async throws {
        let xcode = try XcodeAuthority(now: .testStart)
        let issuer = SignedDataIssuer(xcode: xcode)
        let roots = try TrustedRoots.apple(and: xcode.signedDataCertificatePEM, in: [.xcode, .sandbox])
        let verifier = SignedDataVerifier(roots: roots, bundleID: .test, environments: [.xcode, .sandbox])
        let payload = TransactionPayload.sample(environment: .xcode)
        for _ in 0..<2 { #expect(try await verifier.verify(issuer.sign(payload)).payload == payload) }
        await #expect(throws: VerificationFailure.refused(.chain, at: "header.x5c")) { try await verifier.verify(issuer.sign(.sample())) }
        let apple = SignedDataVerifier(roots: .apple, bundleID: .test, environments: [.xcode])
        let error = await #expect(throws: VerificationFailure.self) { try await apple.verify(issuer.sign(payload)) }
        #expect(error?.refusalReason == .untrustedRoot)
    }

    @Test(arguments: [Int64.min, -1, 4_102_444_800_001, 1 << 53, Int64.max])
    func `a signing date outside the range of certificate dates is refused`(milliseconds: Int64) async throws {
        var payload = TransactionPayload.sample()
        payload.signedDate = Timestamp(milliseconds: milliseconds)
        let signed = try issuer.sign(payload)
        let error = await #expect(throws: VerificationFailure.self) { try await verifier.verify(signed) }
        #expect(error?.refusalReason == .validity)
        // The explanation describes dates before they are authentic.
        #expect(await verifier.explainAny(signed.compact).explanation.steps.last?.status == .failed)
    }

    @Test func `signed data of a defective authority is refused even under a trusted root`() async throws {
        for defects in [AuthorityDefects.leafWithoutMarker, .intermediateWithoutMarker, .expiredLeaf, .wrongKey, []] {
            let authority = try TestAuthority.shared.defective(defects)
            let outcome = try await authority.verifier().outcome(of: authority.signedData.sign(TransactionPayload.sample()))
            switch outcome {
            case .verified: #expect(defects == [])
            case .refused, .indeterminate: #expect(defects != [])
            }
        }
    }

    @Test func `an explanation contains every step, and ends with the failed one`() async throws {
        let (outcome, explanation) = try await verifier.explain(issuer.sign(TransactionPayload.sample()))
        #expect(try outcome.get().payload == .sample())
        let names = explanation.steps.map(\.name)
        #expect(names.prefix(2) == ["compact form", "payload"])
        #expect(names.suffix(4) == ["signature", "revocation", "bundle", "environment"])
        #expect(explanation.steps.allSatisfy { $0.status == .passed || $0.status == .skipped })

        let theirs = try TestAuthority.shared.verifier(for: "com.example.other")
        let refused = try await theirs.explain(issuer.sign(NotificationPayload.sample(transaction: issuer.sign(.sample()))))
        #expect(refused.outcome == .refused(Refusal(.foreignBundle(.test), at: "payload.data.bundleId")))
        #expect(refused.explanation.steps.last?.status == .failed)
        #expect(refused.explanation.steps.last?.name == "payload.data.bundleId")
    }

    private static func notification(_ subject: NotificationSubject) -> NotificationPayload {
        NotificationPayload(notificationType: "X", subtype: nil, notificationUUID: "u", signedDate: .testStart, subject: subject)
    }
}

extension VerificationFailure {
    /// The place of the failure.
    var place: String? {
        switch self {
        case .refused(let refusal): refusal.place
        case .indeterminate(let indeterminacy): indeterminacy.place
        }
    }
}

import Foundation
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import Testing

/// Tests that the examples of the articles have the described results.
@Suite struct ExampleTests {
    private let authority = TestAuthority.shared
    private let roots: TrustedRoots
    private var issuer: SignedDataIssuer { authority.signedData }

    init() throws {
        roots = try PurchaseProofTests.roots(ofLocalStore: TestAuthority.shared.authority.rootsPEM)
    }

    private func receipt(_ transactions: [TransactionPayload] = [.sample()]) throws -> [UInt8] {
        try authority.receipts.issue(.sample(transactions))
    }

    @Test func `app receipts are verified as the article shows`() async throws {
        let verifier = receiptVerifier(trusting: roots, in: [.sandbox])
        let bytes = try receipt()
        #expect(try await purchasedProducts(in: bytes, by: verifier) == ["com.example.monkeyshop.credits5"])
        #expect(await answer(to: bytes, by: verifier) == "1 purchases")
        #expect(await answer(to: bytes, by: receiptVerifier()) == "refused: untrusted_root at SignedData.certificates")
        #expect(
            try description(ofUnverified: bytes).hasPrefix("ProductionSandbox for com.example.monkeyshop, SHA-256, unknown attributes: "))

        let device = receiptVerifier(onDevice: .test, version: "1.0", trusting: roots, in: [.sandbox])
        #expect(await answer(to: bytes, by: device) == "1 purchases")
        let other = receiptVerifier(
            onDevice: DeviceID("00112233-4455-6677-8899-aabbccddee00"), version: "1.0", trusting: roots, in: [.sandbox]
        )
        #expect(await answer(to: bytes, by: other) == "refused: foreign_device at receipt.5")
    }

    @Test func `transaction receipts are verified as the article shows`() throws {
        let issuer = try TransactionReceiptIssuer(authority: authority.authority)
        let bytes = try issuer.issue(TransactionReceiptContent(transaction: .sample(), appVersion: "1.0", device: .test))
        let verified = try transaction(in: bytes, trusting: roots, in: [.sandbox])
        #expect(verified.id == "2000000000000001")
        #expect(verified.product == "com.example.monkeyshop.credits5")
        #expect(throws: VerificationFailure.refused(.untrustedRoot, at: "signature.certificate")) { try transaction(in: bytes) }
        #expect(try device(named: bytes) == "00112233-4455-6677-8899-AABBCCDDEEFF")
    }

    @Test func `transactions and renewal information are verified as the article shows`() async throws {
        let verifier = signedDataVerifier(trusting: roots, in: [.sandbox])
        var payload = TransactionPayload.sample()
        let bought = try issuer.sign(payload)
        #expect(try await purchasedProduct(in: bought.compact, by: verifier) == "com.example.monkeyshop.credits5")
        payload.revocationDate = .testStart
        #expect(try await purchasedProduct(in: issuer.sign(payload).compact, by: verifier) == nil)

        let verified = try await verifier.verify(bought)
        for (renewal, expected) in [
            (RenewalInfoPayload.sample(), true), (.sample(autoRenewStatus: 0), false), (.sample(original: "2000000000000009"), false),
        ] {
            #expect(try await willRenew(issuer.sign(renewal).compact, subscriptionOf: verified, by: verifier) == expected)
        }
    }

    @Test func `app transactions are verified as the article shows`() async throws {
        let (device, nonce) = (UUID(), UUID())
        var payload = AppTransactionPayload(receiptType: "Sandbox", bundleId: .test, receiptCreationDate: .testStart)
        payload.originalApplicationVersion = "1.0"
        let signed = try issuer.sign(payload, for: DeviceBinding(nonce: nonce, deviceVerificationID: device)).compact
        let version = try await originalVersion(
            in: signed, appAppleID: 1, deviceVerificationID: device, trusting: roots, in: [.sandbox]
        )
        #expect(version == "1.0")
        await #expect(throws: VerificationFailure.refused(.foreignDevice, at: "payload.deviceVerification")) {
            try await originalVersion(in: signed, appAppleID: 1, deviceVerificationID: nonce, trusting: roots, in: [.sandbox])
        }
    }

    @Test func `realtime requests are verified as the article shows`() async throws {
        let payload = RealtimeRequestPayload(
            originalTransactionId: "1", productId: "p", userLocale: "en_US", requestIdentifier: "r", environment: "Sandbox",
            signedDate: .testStart
        )
        let signed = try issuer.sign(payload).compact
        let clock = ManualClock()
        #expect(try await requestedSubscription(in: signed, appAppleID: 1, clock: clock, trusting: roots, in: [.sandbox]) == "1")
        await #expect(throws: VerificationFailure.refused(.tooOld(.testStart), at: "payload.signedDate")) {
            try await requestedSubscription(in: signed, appAppleID: 1, trusting: roots, in: [.sandbox])
        }
    }

    @Test func `signed data of any kind is identified as the article shows`() async throws {
        let verifier = signedDataVerifier(trusting: roots, in: [.sandbox])
        #expect(try await title(of: issuer.sign(TransactionPayload.sample()).compact, by: verifier) == "transaction 2000000000000001")
        #expect(try await title(of: issuer.sign(RenewalInfoPayload.sample()).compact, by: verifier) == "renewal of 2000000000000001")
        #expect(try await title(of: issuer.sign(NotificationPayload.sample()).compact, by: verifier) == "notification TEST")
        let otherData = try issuer.sign(json: Array(#"{"environment":"Sandbox","signedDate":1738326896000}"#.utf8))
        #expect(await title(of: otherData, by: verifier) == "other data, signed 2025-01-31T12:34:56Z")
        let malformed = "The data is malformed. A compact JWS must have three parts, separated by dots. (parts)"
        #expect(await title(of: "nonsense", by: verifier) == malformed)
    }

    @Test func `notifications are verified as the article shows`() async throws {
        let verifier = signedDataVerifier(trusting: roots, in: [.sandbox])
        let transaction = try issuer.sign(TransactionPayload.sample())
        let renewal = try issuer.sign(RenewalInfoPayload.sample())
        for (type, expected) in [
            ("REFUND", "revoke com.example.monkeyshop.credits5"),
            ("DID_RENEW", "extend com.example.monkeyshop.credits5, renews: true"),
            ("TEST", "note test"),
            ("NEWS", "store NEWS, which is unknown"),
        ] {
            let notification = NotificationPayload.sample(type: type, transaction: transaction, renewalInfo: renewal)
            let change = try await change(in: issuer.sign(notification).compact, by: verifier)
            #expect(change.id == "11111111-2222-3333-4444-555555555555")
            #expect(change.summary == expected)
        }
        #expect(try await status(answering: issuer.sign(NotificationPayload.sample()).compact, by: verifier) == 200)
        #expect(await status(answering: "nonsense", by: verifier) == 400)
    }

    @Test func `results are explained as the article shows`() async throws {
        let lines = try await steps(of: receipt(), by: receiptVerifier(trusting: roots, in: [.sandbox]))
        #expect(lines.contains("passed environment: Sandbox, receipt type ProductionSandbox"))
        #expect(lines.contains { $0.hasPrefix("skipped revocation") })
        let refused = try await steps(of: receipt(), by: receiptVerifier())
        #expect(refused.last?.hasPrefix("failed SignedData.certificates: ") == true)
        let json = try await report(on: issuer.sign(TransactionPayload.sample()).compact, by: signedDataVerifier())
        #expect(try JSONDecoder().decode(VerificationExplanation.self, from: json).steps.last?.status == .failed)
    }

    @Test func `roots are trusted as the article shows`() async throws {
        let xcode = TestAuthority.xcode
        let developers = try rootsForDevelopers(xcodeCertificate: xcode.signedDataCertificatePEM)
        let signed = try SignedDataIssuer(xcode: xcode).sign(TransactionPayload.sample(environment: .xcode)).compact
        let verifier = signedDataVerifier(trusting: developers, in: [.xcode])
        #expect(try await purchasedProduct(in: signed, by: verifier) == "com.example.monkeyshop.credits5")
        #expect(productionRoots(developers) == nil && productionRoots(roots) == nil && productionRoots(.apple) != nil)
    }

    @Test func `the revocation status is requested as the article shows`() async throws {
        let authority = try RevocationHarness.authority.get()
        let roots = try PurchaseProofTests.roots(ofLocalStore: authority.rootsPEM)
        let signed = try SignedDataIssuer(authority: authority).sign(TransactionPayload.sample()).compact
        let notification = try SignedDataIssuer(authority: authority).sign(NotificationPayload.sample()).compact
        let silence = "The revocation status is unavailable: the OCSP responder did not respond. (header.x5c[0])"
        for (code, expected, reply) in [(200, "transaction 2000000000000001", 200), (500, silence, 503)] {
            let transport = Responders { body, _ in
                (code, try OCSPResponder(authority: authority).respond(to: body, at: SystemWallClock().now))
            }
            let checker = RevocationChecker(transport: transport)
            let verifier = signedDataVerifier(using: checker, trusting: roots, in: [.sandbox])
            await serve(refreshing: checker) {
                #expect(await title(of: signed, by: verifier) == expected)
                #expect(await status(answering: notification, by: verifier) == reply)
            }
        }
    }

    @Test func `custom checks refuse as the article shows`() async throws {
        let bytes = try receipt()
        #expect(await answer(to: bytes, by: receiptVerifier(forVersions: ["1.0"], trusting: roots, in: [.sandbox])) == "1 purchases")
        let newer = receiptVerifier(forVersions: ["2.0"], trusting: roots, in: [.sandbox])
        #expect(await answer(to: bytes, by: newer) == "refused: foreign_version at receipt.3")

        var payload = TransactionPayload.sample()
        payload.appAccountToken = CustomerID("00000000-0000-4000-8000-000000000001")
        let signed = try issuer.sign(payload).compact
        let place = "payload.appAccountToken"
        for (isBlocked, failure) in [
            (false, nil), (true, .refused(.custom("blocked_customer"), at: place)),
            (nil, .indeterminate(Indeterminacy(.custom("customer_list_unavailable"), at: place))),
        ] as [(Bool?, VerificationFailure?)] {
            let verifier = signedDataVerifier(blocking: { _ in isBlocked }, trusting: roots, in: [.sandbox])
            do throws(VerificationFailure) {
                #expect(try await purchasedProduct(in: signed, by: verifier) == "com.example.monkeyshop.credits5")
                #expect(failure == nil)
            } catch {
                #expect(error == failure)
            }
        }
    }
}

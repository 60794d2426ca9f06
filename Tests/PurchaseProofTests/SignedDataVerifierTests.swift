import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import Testing

@Suite struct SignedDataVerifierTests {
    private let issuer = TestAuthority.shared.signedData
    private let verifier: SignedDataVerifier

    init() throws {
        verifier = try TestAuthority.shared.verifier()
    }

    @Test func `a transaction says what was signed`() async throws {
        let payload = TransactionPayload.sample(type: .autoRenewable, expires: .testStart.adding(days: 30))
        let signed = try issuer.sign(payload)
        let verified = try await verifier.verify(signed)
        #expect(verified.payload == payload)
        #expect(verified.original == signed)
    }

    @Test func `renewal information says what was signed`() async throws {
        let payload = RenewalInfoPayload.sample()
        #expect(try await verifier.verify(issuer.sign(payload)).payload == payload)
    }

    @Test func `a notification is verified together with what is inside`() async throws {
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

    @Test func `a notification may have nothing inside`() async throws {
        let verified = try await verifier.verify(issuer.sign(NotificationPayload.sample()))
        #expect(verified.transaction == nil)
        #expect(verified.renewalInfo == nil)
    }

    @Test func `a notification is refused when what is inside has another root`() async throws {
        let strangers = TestAuthority.other.signedData
        let transaction = try NotificationPayload.sample(transaction: strangers.sign(.sample()))
        let renewalInfo = try NotificationPayload.sample(renewalInfo: strangers.sign(.sample()))
        for notification in [transaction, renewalInfo] {
            let error = await #expect(throws: SignedDataError.self) { try await verifier.verify(issuer.sign(notification)) }
            #expect(error?.isUntrusted == true)
        }
    }

    @Test func `a notification is refused when what is inside is of another app or environment`() async throws {
        let foreignApp = try NotificationPayload.sample(transaction: issuer.sign(.sample(bundle: "com.example.other")))
        await #expect(throws: SignedDataError.foreignBundle("com.example.other")) { try await verifier.verify(issuer.sign(foreignApp)) }

        let both = try SignedDataVerifier(
            roots: .apple(and: TestAuthority.shared.authority.rootsPEM, in: [.sandbox, .xcode]), bundleID: .test,
            environments: [.sandbox, .xcode]
        )
        let mixed = try NotificationPayload.sample(transaction: issuer.sign(.sample(environment: .xcode)))
        await #expect(throws: SignedDataError.foreignEnvironment("Xcode")) { try await both.verify(issuer.sign(mixed)) }
    }

    @Test func `a notification of another app is refused`() async throws {
        let notification = NotificationPayload.sample(bundle: "com.example.other")
        await #expect(throws: SignedDataError.foreignBundle("com.example.other")) { try await verifier.verify(issuer.sign(notification)) }
    }

    @Test(arguments: [
        (#""summary":{"bundleId":"com.example.monkeyshop","environment":"Sandbox"}"#, nil),
        (#""appData":{"bundleId":"com.example.monkeyshop","environment":"Sandbox"}"#, nil),
        (#""externalPurchaseToken":{"bundleId":"com.example.monkeyshop","externalPurchaseId":"SANDBOX_1"}"#, nil),
        (#""summary":{"bundleId":"com.example.other","environment":"Sandbox"}"#, SignedDataError.foreignBundle("com.example.other")),
        (#""other":{}"#, SignedDataError.malformed(path: "payload")),
    ])
    func `notifications that are not about one purchase are judged by what they are about`(
        subject: String, refusal: SignedDataError?
    ) async throws {
        let json = #"{"notificationType":"X","notificationUUID":"u","version":"2.0","signedDate":1738326896000,\#(subject)}"#
        let signed = SignedNotification(try TokenBuilder(payload: json).build())
        if let refusal {
            await #expect(throws: refusal) { try await verifier.verify(signed) }
        } else {
            #expect(try await verifier.verify(signed).notification.payload.data == nil)
        }
    }

    @Test func `a transaction of another app is refused`() async throws {
        let signed = try issuer.sign(TransactionPayload.sample(bundle: "com.example.other"))
        await #expect(throws: SignedDataError.foreignBundle("com.example.other")) { try await verifier.verify(signed) }
    }

    @Test func `a genuine transaction of another environment is told apart from a forged one`() async throws {
        let production = try SignedDataVerifier(roots: TestAuthority.shared.roots, bundleID: .test, environments: [.production])
        let signed = try issuer.sign(TransactionPayload.sample())
        await #expect(throws: SignedDataError.foreignEnvironment("Sandbox")) { try await production.verify(signed) }
    }

    @Test(arguments: ["Production", "Xcode", "LocalTesting", "sandbox", ""])
    func `a local root vouches for no other environment, whatever the verifier accepts`(environment: String) async throws {
        let all = try SignedDataVerifier(roots: TestAuthority.shared.roots, bundleID: .test, environments: Set(AppEnvironment.allCases))
        var payload = TransactionPayload.sample()
        payload.environment = environment
        let signed = try issuer.sign(payload)
        let error = await #expect(throws: SignedDataError.self) { try await all.verify(signed) }
        #expect(error?.isUntrusted == true)
    }

    @Test(arguments: [
        (AuthorityFlaws.noLeafMarker, true), (.noIntermediateMarker, true), (.expiredLeaf, true), (.wrongKey, true),
        (AuthorityFlaws(), false),
    ])
    func `signed data of a flawed authority is untrusted even under a trusted root`(flaws: AuthorityFlaws, untrusted: Bool) async throws {
        let authority = try TestAuthority.shared.flawed(flaws)
        let signed = try authority.signedData.sign(TransactionPayload.sample())
        let verifier = try authority.verifier()
        do {
            _ = try await verifier.verify(signed)
            #expect(!untrusted)
        } catch {
            #expect(untrusted && error.isUntrusted)
        }
    }

    @Test(arguments: [Int64.min, -1, 4_102_444_800_001, 1 << 53, Int64.max])
    func `a signing date out of this world is untrusted`(milliseconds: Int64) async throws {
        var payload = TransactionPayload.sample()
        payload.signedDate = Timestamp(milliseconds: milliseconds)
        let signed = try issuer.sign(payload)
        let error = await #expect(throws: SignedDataError.self) { try await verifier.verify(signed) }
        #expect(error?.isUntrusted == true)
    }
}

extension SignedDataError {
    var isUntrusted: Bool {
        if case .untrusted = self { true } else { false }
    }
}

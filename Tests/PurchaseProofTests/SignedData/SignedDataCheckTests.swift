import Foundation
import PurchaseModel
import PurchaseTestSupport
import Testing

@testable import PurchaseIssuing
@testable import PurchaseProof

@Suite struct SignedDataCheckTests {
    private let issuer = TestAuthority.shared.signedData

    private static func claims(_ kind: SignedDataKind, _ environment: String, number: Int64?) -> SignedDataClaims {
        var claims = SignedDataClaims(kind: kind, signedDate: .testStart, environment: environment)
        claims.appAppleID = number
        return claims
    }

    @Test(
        arguments: [
            (SignedDataKind.appTransaction, "Production", 7, nil), (.notification, "Production", 7, nil),
            (.realtimeRequest, "Production", 7, nil),
            (.appTransaction, "Production", 8, .foreignApp(8)), (.notification, "Production", nil, .foreignApp(nil)),
            (.realtimeRequest, "Production", 8, .foreignApp(8)), (.notification, "Sandbox", nil, nil), (.appTransaction, "Xcode", 0, nil),
            (.transaction, "Production", nil, nil), (.renewalInfo, "Production", nil, nil),
        ] as [(SignedDataKind, String, Int64?, Refusal.Reason?)])
    func `production must have our number where its kind states one`(
        kind: SignedDataKind, environment: String, number: Int64?, reason: Refusal.Reason?
    ) {
        let claims = Self.claims(kind, environment, number: number)
        do throws(Refusal) {
            try AppNumberCheck(7).examine(claims)
            #expect(reason == nil)
        } catch {
            #expect(error.reason == reason)
            #expect(error.place == "payload.appAppleId")
        }
    }

    @Test(arguments: [(0, true), (3600, true), (3660, true), (3661, false), (-86_400, true)] as [(Int64, Bool)])
    func `signed data is good for as long as the check says, with a minute for the clocks`(age: Int64, passes: Bool) async throws {
        let clock = ManualClock()
        clock.advance(seconds: age)
        let verifier = SignedDataVerifier(roots: try TestAuthority.shared.roots, AgeCheck(seconds: 3600, clock: clock))
        let verdict = await verifier.judge(try issuer.sign(TransactionPayload.sample()))
        if passes {
            #expect(try verdict.get().payload == .sample())
        } else {
            #expect(verdict == .refused(Refusal(.tooOld(.testStart), at: "payload.signedDate")))
        }
    }

    // Computed with hashlib of Python: sha384(nonce + device).
    private static let nonce = "3c6f8a52-91d4-4e0b-a7f3-5d2b1c0e9f84"
    private static let device = "9a1b2c3d-4e5f-4678-8abc-def012345678"
    private static let verification = "TZb7oNCkYPufENH09JVWVdmfjxpwovVdkxH8iactueBGYpR9aZnOZxoNzqW3I7PH"
    private static let upperCase = "m96ZlbGrzBp706PlYYl8fZWBDCtGxO6/pjMVZH5zVP/1k/X4XmrxdbdqHywjjJEI"

    @Test(
        arguments: [
            (verification, nonce, device, true), (verification, nonce.uppercased(), device, true),
            (verification, nonce, device.uppercased(), true),
            (upperCase, nonce, device, false), (upperCase, nonce.uppercased(), device, false), (verification, device, nonce, false),
            (verification, nonce, nonce, false), (verification, "no nonce", device, false), (verification, nil, device, false),
            (nil, nonce, device, false), ("", nonce, device, false), (String(verification.dropLast()), nonce, device, false),
        ] as [(String?, String?, String, Bool)])
    func `a device's copy passes on that device only`(verification: String?, nonce: String?, device: String, passes: Bool) throws {
        var claims = SignedDataClaims(kind: .transaction, signedDate: .testStart, environment: "Sandbox")
        claims.deviceVerification = verification
        claims.deviceVerificationNonce = nonce
        let check = DeviceVerificationCheck(try #require(UUID(uuidString: device)))
        do throws(Refusal) {
            try check.examine(claims)
            #expect(passes)
        } catch {
            #expect(!passes)
            #expect(error == Refusal(.foreignDevice, at: "payload.deviceVerification"))
        }
    }

    @Test func `every kind that a device obtains can be bound to it`() async throws {
        let seal = DeviceSeal(nonce: UUID(), deviceVerificationID: UUID())
        let verifier = SignedDataVerifier(
            roots: try TestAuthority.shared.roots, BundleCheck(.test), and: [DeviceVerificationCheck(seal.deviceVerificationID)]
        )
        _ = try await verifier.verify(issuer.sign(TransactionPayload.sample(), for: seal))
        _ = try await verifier.verify(issuer.sign(RenewalInfoPayload.sample(), for: seal))
        let app = AppTransactionPayload(receiptType: "Sandbox", bundleId: .test, receiptCreationDate: .testStart)
        _ = try await verifier.verify(issuer.sign(app, for: seal))
        await #expect(throws: Unproven.refused(.foreignDevice, at: "payload.deviceVerification")) {
            try await verifier.verify(issuer.sign(TransactionPayload.sample()))
        }
        await #expect(throws: Unproven.refused(.foreignDevice, at: "payload.deviceVerification")) {
            try await verifier.verify(issuer.sign(NotificationPayload.sample()))
        }
    }
}

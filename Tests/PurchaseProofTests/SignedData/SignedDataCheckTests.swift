import Foundation
import PurchaseModel
import PurchaseTestSupport
import Testing

@testable import PurchaseIssuing
@testable import PurchaseProof

@Suite struct SignedDataCheckTests {
    private let issuer = TestAuthority.shared.signedData

    /// Returns signed data as a check receives it.
    private static func authentic(_ claims: SignedDataClaims) async throws -> AuthenticSignedData {
        let chain = try await TrustChain(.signedData).verify()
        let environment = try #require(AppEnvironment(rawValue: claims.environment))
        let signature = SignatureInfo(
            chain, environment: environment, signedDate: claims.signedDate, certificatesPlace: "header.x5c"
        )
        return AuthenticSignedData(claims: claims, payload: 0, json: [], signature: signature, original: "")
    }

    @Test(
        arguments: [
            (SignedDataKind.appTransaction, "Production", 7, nil), (.notification, "Production", 7, nil),
            (.realtimeRequest, "Production", 7, nil),
            (.appTransaction, "Production", 8, .foreignApp(8)), (.notification, "Production", nil, .foreignApp(nil)),
            (.realtimeRequest, "Production", 8, .foreignApp(8)), (.notification, "Sandbox", nil, nil), (.appTransaction, "Xcode", 0, nil),
            (.transaction, "Production", nil, nil), (.renewalInfo, "Production", nil, nil),
        ] as [(SignedDataKind, String, Int64?, Refusal.Reason?)])
    func `production data must have the app's appAppleId where its kind states one`(
        kind: SignedDataKind, environment: String, appAppleID: Int64?, reason: Refusal.Reason?
    ) async throws {
        var claims = SignedDataClaims(kind: kind, signedDate: .testStart, environment: environment)
        claims.appAppleID = appAppleID
        let data = try await Self.authentic(claims)
        do throws(VerificationFailure) {
            try AppAppleIDCheck(7).examine(data)
            #expect(reason == nil)
        } catch {
            #expect(error == reason.map { .refused($0, at: "payload.appAppleId") })
        }
    }

    @Test(arguments: [(0, true), (3600, true), (3660, true), (3661, false), (-86_400, true)] as [(Int64, Bool)])
    func `signed data passes until its maximum age, with a tolerance of a minute`(age: Int64, passes: Bool) async throws {
        let clock = ManualClock()
        clock.advance(seconds: age)
        let verifier = SignedDataVerifier(roots: try TestAuthority.shared.roots, AgeCheck(seconds: 3600, clock: clock))
        let outcome = await verifier.outcome(of: try issuer.sign(TransactionPayload.sample()))
        if passes {
            #expect(try outcome.get().payload == .sample())
        } else {
            #expect(outcome == .refused(Refusal(.tooOld(.testStart), at: "payload.signedDate")))
        }
    }

    // SHA-384 of nonce and device, computed with Python's hashlib.
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
    func `data for a device passes on that device only`(verification: String?, nonce: String?, device: String, passes: Bool) throws {
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

    @Test func `every kind that a device requests can be bound to it`() async throws {
        let deviceBinding = DeviceBinding(nonce: UUID(), deviceVerificationID: UUID())
        let verifier = SignedDataVerifier(
            roots: try TestAuthority.shared.roots, BundleCheck(.test), and: [DeviceVerificationCheck(deviceBinding.deviceVerificationID)]
        )
        _ = try await verifier.verify(issuer.sign(TransactionPayload.sample(), for: deviceBinding))
        _ = try await verifier.verify(issuer.sign(RenewalInfoPayload.sample(), for: deviceBinding))
        let app = AppTransactionPayload(receiptType: "Sandbox", bundleId: .test, receiptCreationDate: .testStart)
        _ = try await verifier.verify(issuer.sign(app, for: deviceBinding))
        await #expect(throws: VerificationFailure.refused(.foreignDevice, at: "payload.deviceVerification")) {
            try await verifier.verify(issuer.sign(TransactionPayload.sample()))
        }
        await #expect(throws: VerificationFailure.refused(.foreignDevice, at: "payload.deviceVerification")) {
            try await verifier.verify(issuer.sign(NotificationPayload.sample()))
        }
    }
}

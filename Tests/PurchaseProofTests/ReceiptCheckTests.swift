import PurchaseModel
import PurchaseTestSupport
import Testing

@testable import PurchaseIssuing
@testable import PurchaseProof

@Suite struct ReceiptCheckTests {
    private func verify(_ content: ReceiptContent, _ check: any ReceiptCheck) async throws {
        let bytes = try TestAuthority.shared.receipts.issue(content)
        _ = try await ReceiptVerifier(roots: TestAuthority.shared.roots, check).verify(bytes)
    }

    @Test func `a receipt of another app is refused`() async throws {
        try await verify(.sample(), BundleCheck(.test))
        await #expect(throws: VerificationFailure.refused(.foreignBundle("com.example.other"), at: "receipt.2")) {
            try await verify(.sample(bundle: "com.example.other"), BundleCheck(.test))
        }
    }

    @Test func `a receipt of another environment is refused`() async throws {
        try await verify(.sample(), EnvironmentCheck([.production, .sandbox]))
        await #expect(throws: VerificationFailure.refused(.foreignEnvironment("Sandbox"), at: "receipt.0")) {
            try await verify(.sample(), EnvironmentCheck([.production]))
        }
    }

    @Test(arguments: ["00112233-4455-6677-8899-aabbccddeefe", "no uuid"] as [DeviceID])
    func `a receipt of another device is refused`(device: DeviceID) async throws {
        try await verify(.sample(), DeviceHashCheck(.test))
        await #expect(throws: VerificationFailure.refused(.foreignDevice, at: "receipt.5")) {
            try await verify(.sample(), DeviceHashCheck(device))
        }
    }

    @Test func `a receipt is refused from its expiration date on`() async throws {
        let clock = ManualClock()
        var content = ReceiptContent.sample()
        try await verify(content, ExpiryCheck(clock: clock))
        let end = Timestamp.testStart.adding(seconds: 60)
        content.expirationDate = end
        clock.advance(seconds: 59)
        try await verify(content, ExpiryCheck(clock: clock))
        clock.advance(seconds: 1)
        await #expect(throws: VerificationFailure.refused(.expired(end), at: "receipt.21")) {
            try await verify(content, ExpiryCheck(clock: clock))
        }
    }

    @Test func `a receipt of a Mac is bound to the MAC address`() async throws {
        var content = ReceiptContent.sample()
        content.macAddress = [0xF8, 0xFF, 0xC2, 0, 0, 1]
        try await verify(content, DeviceHashCheck(guid: [0xF8, 0xFF, 0xC2, 0, 0, 1]))
        await #expect(throws: VerificationFailure.refused(.foreignDevice, at: "receipt.5")) {
            try await verify(content, DeviceHashCheck(guid: [0xF8, 0xFF, 0xC2, 0, 0, 2]))
        }
    }

    @Test func `a receipt of another version is refused`() async throws {
        try await verify(.sample(), VersionCheck("1.0"))
        await #expect(throws: VerificationFailure.refused(.foreignVersion("1.0"), at: "receipt.3")) {
            try await verify(.sample(), VersionCheck("1.0.0"))
        }
    }

    @Test func `a receipt is too old when its age exceeds the maximum and the clock tolerance`() async throws {
        let clock = ManualClock()
        let check = AgeCheck(seconds: 3600, tolerance: 5, clock: clock)
        clock.advance(seconds: -86_400)
        try await verify(.sample(), check)
        clock.set(.testStart.adding(seconds: 3605))
        try await verify(.sample(), check)
        clock.advance(seconds: 1)
        await #expect(throws: VerificationFailure.refused(.tooOld(.testStart), at: "receipt.12")) { try await verify(.sample(), check) }
        try await verify(.sample(), AgeCheck(seconds: .max, tolerance: .max, clock: clock))
    }

    @Test func `every check of a verifier runs`() async throws {
        let bytes = try TestAuthority.shared.receipts.issue(.sample())
        let roots = try TestAuthority.shared.roots
        let verifier = ReceiptVerifier(roots: roots, BundleCheck(.test), EnvironmentCheck([.sandbox]), DeviceHashCheck("no uuid"))
        await #expect(throws: VerificationFailure.refused(.foreignDevice, at: "receipt.5")) { try await verifier.verify(bytes) }
        let late = ReceiptVerifier(roots: roots, BundleCheck(.test), and: [VersionCheck("1.0"), VersionCheck("2.0")])
        await #expect(throws: VerificationFailure.refused(.foreignVersion("1.0"), at: "receipt.3")) { try await late.verify(bytes) }
    }

    @Test func `each check states the observed value and the rule`() async throws {
        var content = ReceiptContent.sample()
        content.expirationDate = .testStart.adding(seconds: 60)
        let payload = try ReceiptPayload(content.encoded(random: .system))
        let signature = try await SignatureInfo(
            TrustChain(.receipts).verify(), environment: .sandbox, signedDate: .testStart, certificatesPlace: "SignedData.certificates"
        )
        let receipt = AuthenticReceipt(payload: payload, signature: signature, original: [])
        let clock = ManualClock()
        let checks: [(any ReceiptCheck, String, String, String)] = [
            (BundleCheck(.test), "bundle", "com.example.monkeyshop", "The data must be for the app com.example.monkeyshop."),
            (
                EnvironmentCheck([.sandbox, .production]), "environment", "Sandbox, receipt type ProductionSandbox",
                "The data must be from Production or Sandbox."
            ),
            (
                DeviceHashCheck(.test), "device", "attribute 5 of 20 bytes",
                "Attribute 5 must be the SHA-1 of the device identifier, attribute 4 and attribute 2."
            ),
            (VersionCheck("1.0"), "version", "1.0", "The receipt must be for version 1.0 of the app."),
            (
                ExpiryCheck(clock: clock), "expiry", "2025-01-31T12:35:56Z",
                "The receipt must have no expiration date, or one after the current time, 2025-01-31T12:34:56Z."
            ),
            (
                AgeCheck(seconds: 60, tolerance: 1, clock: clock), "age", "created 2025-01-31T12:34:56Z",
                "The data must be at most 60 seconds old at 2025-01-31T12:34:56Z, with a tolerance of 1 seconds."
            ),
        ]
        for (check, name, observed, rule) in checks {
            #expect(check.name == name)
            #expect(check.observed(in: receipt) == observed)
            #expect(check.rule == rule)
        }
    }
}

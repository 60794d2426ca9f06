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
        await #expect(throws: Unproven.refused(.foreignBundle("com.example.other"), at: "receipt.2")) {
            try await verify(.sample(bundle: "com.example.other"), BundleCheck(.test))
        }
    }

    @Test func `a receipt of another environment is refused`() async throws {
        try await verify(.sample(), EnvironmentCheck([.production, .sandbox]))
        await #expect(throws: Unproven.refused(.foreignEnvironment("Sandbox"), at: "receipt.0")) {
            try await verify(.sample(), EnvironmentCheck([.production]))
        }
    }

    @Test(arguments: ["00112233-4455-6677-8899-aabbccddeefe", "no uuid"] as [DeviceID])
    func `a receipt of another device is refused`(device: DeviceID) async throws {
        try await verify(.sample(), DeviceHashCheck(.test))
        await #expect(throws: Unproven.refused(.foreignDevice, at: "receipt.5")) {
            try await verify(.sample(), DeviceHashCheck(device))
        }
    }

    @Test func `a receipt that has ended is refused from that moment on`() async throws {
        let clock = ManualClock()
        var content = ReceiptContent.sample()
        try await verify(content, ExpiryCheck(clock: clock))
        let end = Timestamp.testStart.adding(seconds: 60)
        content.expirationDate = end
        clock.advance(seconds: 59)
        try await verify(content, ExpiryCheck(clock: clock))
        clock.advance(seconds: 1)
        await #expect(throws: Unproven.refused(.expired(end), at: "receipt.21")) { try await verify(content, ExpiryCheck(clock: clock)) }
    }

    @Test func `a receipt of a Mac is bound to its network address`() async throws {
        var content = ReceiptContent.sample()
        content.macAddress = [0xF8, 0xFF, 0xC2, 0, 0, 1]
        try await verify(content, DeviceHashCheck(guid: [0xF8, 0xFF, 0xC2, 0, 0, 1]))
        await #expect(throws: Unproven.refused(.foreignDevice, at: "receipt.5")) {
            try await verify(content, DeviceHashCheck(guid: [0xF8, 0xFF, 0xC2, 0, 0, 2]))
        }
    }

    @Test func `a receipt of another version is refused`() async throws {
        try await verify(.sample(), VersionCheck("1.0"))
        await #expect(throws: Unproven.refused(.foreignVersion("1.0"), at: "receipt.3")) {
            try await verify(.sample(), VersionCheck("1.0.0"))
        }
    }

    @Test func `a receipt is too old when its age and the tolerance for clocks are over`() async throws {
        let clock = ManualClock()
        let check = AgeCheck(seconds: 3600, tolerance: 5, clock: clock)
        clock.advance(seconds: -86_400)
        try await verify(.sample(), check)
        clock.set(.testStart.adding(seconds: 3605))
        try await verify(.sample(), check)
        clock.advance(seconds: 1)
        await #expect(throws: Unproven.refused(.tooOld(.testStart), at: "receipt.12")) { try await verify(.sample(), check) }
        try await verify(.sample(), AgeCheck(seconds: .max, tolerance: .max, clock: clock))
    }

    @Test func `each check of a verifier is made`() async throws {
        let bytes = try TestAuthority.shared.receipts.issue(.sample())
        let roots = try TestAuthority.shared.roots
        let verifier = ReceiptVerifier(roots: roots, BundleCheck(.test), EnvironmentCheck([.sandbox]), DeviceHashCheck("no uuid"))
        await #expect(throws: Unproven.refused(.foreignDevice, at: "receipt.5")) { try await verifier.verify(bytes) }
        let late = ReceiptVerifier(roots: roots, BundleCheck(.test), [VersionCheck("1.0"), VersionCheck("2.0")])
        await #expect(throws: Unproven.refused(.foreignVersion("1.0"), at: "receipt.3")) { try await late.verify(bytes) }
    }

    @Test func `each check says what it saw and by which rule`() throws {
        var content = ReceiptContent.sample()
        content.expirationDate = .testStart.adding(seconds: 60)
        let payload = try ReceiptPayload(content.encoded(random: .system))
        let clock = ManualClock()
        let checks: [(any ReceiptCheck, String, String, String)] = [
            (BundleCheck(.test), "bundle", "com.example.monkeyshop", "It is for com.example.monkeyshop."),
            (
                EnvironmentCheck([.sandbox, .production]), "environment", "Sandbox, written ProductionSandbox",
                "It is from Production or Sandbox."
            ),
            (DeviceHashCheck(.test), "device", "a hash of 20 bytes", "The hash of device, attribute 4 and bundle is attribute 5."),
            (VersionCheck("1.0"), "version", "1.0", "The receipt is for version 1.0."),
            (
                ExpiryCheck(clock: clock), "expiry", "2025-01-31T12:35:56Z",
                "The receipt's validity has no end, or ends after 2025-01-31T12:34:56Z."
            ),
            (
                AgeCheck(seconds: 60, tolerance: 1, clock: clock), "age", "made 2025-01-31T12:34:56Z",
                "It is at most 60 seconds old, give or take 1, at 2025-01-31T12:34:56Z."
            ),
        ]
        for (check, name, saw, rule) in checks {
            #expect(check.name == name)
            #expect(check.saw(payload) == saw)
            #expect(check.rule == rule)
        }
    }
}

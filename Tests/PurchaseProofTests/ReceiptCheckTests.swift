import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import Testing

@testable import PurchaseIssuing

@Suite struct ReceiptCheckTests {
    private func verify(_ content: ReceiptContent, _ check: any ReceiptCheck) async throws {
        let bytes = try TestAuthority.shared.receipts.issue(content)
        _ = try await ReceiptVerifier(roots: TestAuthority.shared.roots, check).verify(bytes)
    }

    @Test func `a receipt of another app is refused`() async throws {
        try await verify(.sample(), BundleCheck(.test))
        await #expect(throws: ReceiptError.foreignBundle("com.example.other")) {
            try await verify(.sample(bundle: "com.example.other"), BundleCheck(.test))
        }
    }

    @Test func `a receipt of another environment is refused`() async throws {
        try await verify(.sample(), EnvironmentCheck([.production, .sandbox]))
        await #expect(throws: ReceiptError.foreignEnvironment(.sandbox)) {
            try await verify(.sample(), EnvironmentCheck([.production]))
        }
    }

    @Test(arguments: ["00112233-4455-6677-8899-aabbccddeefe", "no uuid"] as [DeviceID])
    func `a receipt of another device is refused`(device: DeviceID) async throws {
        try await verify(.sample(), DeviceHashCheck(.test))
        await #expect(throws: ReceiptError.foreignDevice) {
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
        await #expect(throws: ReceiptError.expired(end)) { try await verify(content, ExpiryCheck(clock: clock)) }
    }

    @Test func `each check of a verifier is made`() async throws {
        let bytes = try TestAuthority.shared.receipts.issue(.sample())
        let roots = try TestAuthority.shared.roots
        let verifier = ReceiptVerifier(roots: roots, BundleCheck(.test), EnvironmentCheck([.sandbox]), DeviceHashCheck("no uuid"))
        await #expect(throws: ReceiptError.foreignDevice) { try await verifier.verify(bytes) }
    }
}

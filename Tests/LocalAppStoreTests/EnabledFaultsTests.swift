import GRDB
import PurchaseModel
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing

@testable import LocalAppStore

@Suite struct EnabledFaultsTests {
    private static let purchase = FaultCall(
        surface: .device, path: "/device/v1/purchases", bundleID: .test, account: "ada", products: [.book]
    )

    private func fault(_ kind: FaultKind, count: Int? = nil, _ change: (inout Fault) -> Void = { _ in }) -> Fault {
        var fault = Fault(kind, count: count)
        change(&fault)
        return fault
    }

    private func enabledFaults(_ faults: Fault...) -> EnabledFaults {
        EnabledFaults(faults.enumerated().map { EnabledFault(id: Int64($0.offset), fault: $0.element) })
    }

    static let filters: [@Sendable (inout Fault) -> Void] = [
        { $0.account = "ben" }, { $0.bundleID = "other" }, { $0.productID = .credits }, { $0.path = "/inApps" },
        { $0.surface = .serverAPI },
    ]

    @Test func `a fault that is rolled back is not enabled`() async throws {
        let context = try await StoreHarness.start().store.context
        await #expect(throws: CancellationError.self) {
            try await context.transaction { db, _ in
                try FaultRecord(id: nil, fault: Fault(.lostReply, count: 1)).insert(db)
                try context.faultFlag.change(db)
                #expect(context.faultFlag.hasEnabledFaults)
                throw CancellationError()
            }
        }
        #expect(!context.faultFlag.hasEnabledFaults)
    }

    @Test(arguments: filters) func `a fault does not apply to calls outside its filters`(_ filter: @Sendable (inout Fault) -> Void) {
        var enabledFaults = enabledFaults(fault(.lostReply, count: 1, filter))
        #expect(enabledFaults.apply(Self.purchase) == CallEffects())
        #expect(enabledFaults.entries.first?.fault.count == 1)
    }

    @Test func `a fault applies to calls that match all its filters, up to its count`() {
        var enabledFaults = enabledFaults(
            fault(.lostReply, count: 2) {
                ($0.account, $0.bundleID, $0.productID, $0.path, $0.surface) = ("ada", .test, .book, "/device", .device)
            }
        )
        #expect((1...3).map { _ in enabledFaults.apply(Self.purchase).closesConnection } == [true, true, false])
        #expect(enabledFaults.entries.isEmpty)
    }

    @Test func `a fault without a count stays enabled`() {
        var enabledFaults = enabledFaults(fault(.delay(milliseconds: 5)))
        for _ in 0..<3 { #expect(enabledFaults.apply(Self.purchase).delayMilliseconds == 5) }
        #expect(enabledFaults.entries.count == 1)
    }

    @Test func `the oldest fault that answers a call applies, and the others keep their count`() {
        var enabledFaults = enabledFaults(
            fault(.status(code: 500, retryAfterSeconds: nil), count: 1), fault(.purchaseRefused(code: 2), count: 1))
        #expect(enabledFaults.apply(Self.purchase).answer == .status(code: 500, retryAfterSeconds: nil))
        #expect(enabledFaults.apply(Self.purchase).answer == .refusal(code: 2))
    }

    @Test(arguments: [
        (FaultKind.delay(milliseconds: 1), [FaultSurface.device, .verifyReceipt, .serverAPI]),
        (.lostReply, [.device, .verifyReceipt, .serverAPI]),
        (.status(code: 500, retryAfterSeconds: 1), [.device, .verifyReceipt, .serverAPI]),
        (.verifyReceiptStatus(code: 21_005, isRetryable: nil), [.verifyReceipt]), (.verifyReceiptOutage, [.verifyReceipt]),
        (.clockSkew(seconds: 1), FaultSurface.allCases), (.signing(fault: "wrongKey"), FaultSurface.allCases),
        (.purchaseRefused(code: 0), [.device]), (.notificationLost, [.notifications]), (.notificationDuplicated, [.notifications]),
        (.notificationReordered, [.notifications]), (.notificationDelayed(seconds: 1), [.notifications]),
    ])
    func `each kind of fault applies to its surfaces`(_ kind: FaultKind, _ surfaces: [FaultSurface]) {
        let calls = [
            Self.purchase, FaultCall(surface: .verifyReceipt, path: "/verifyReceipt"), FaultCall(surface: .serverAPI, path: "/inApps/v1/x"),
            FaultCall(surface: .notifications),
        ]
        #expect(Set(calls.filter { $0.matches(Fault(kind)) }.map(\.surface)) == Set(surfaces))
    }

    @Test(arguments: ["purchases", "unfinished", "restore", "receipt", "history", "redeem", "subscriptions", "app-transaction"])
    func `signing faults apply to every device call whose reply has signed data`(_ name: String) {
        var enabledFaults = enabledFaults(fault(.signing(fault: "wrongKey")), fault(.clockSkew(seconds: 1)))
        #expect(enabledFaults.apply(FaultCall(surface: .device, path: "/device/v1/\(name)")).applied.count == 2)
    }

    @Test func `signing faults skip replies without signed data, and control calls have no faults`() {
        var enabledFaults = enabledFaults(fault(.signing(fault: "wrongKey"), count: 1))
        #expect(enabledFaults.apply(FaultCall(surface: .device, path: "/device/v1/products")).applied.isEmpty)
        #expect(FaultCall.surface(ofPath: "/control/v1/clock") == nil)
    }
}

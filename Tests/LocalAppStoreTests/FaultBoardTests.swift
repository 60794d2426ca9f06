import PurchaseModel
import PurchaseProtocol
import PurchaseTestSupport
import Testing

@testable import LocalAppStore

@Suite struct FaultBoardTests {
    private static let purchase = FaultCall(
        surface: .device, path: "/device/v1/purchases", bundleID: .test, account: "ada", products: [.book]
    )

    private func fault(_ kind: FaultKind, count: Int? = nil, _ change: (inout Fault) -> Void = { _ in }) -> Fault {
        var fault = Fault(kind, count: count)
        change(&fault)
        return fault
    }

    private func board(_ faults: Fault...) -> FaultBoard {
        FaultBoard(faults.enumerated().map { FaultsReply.Entry(id: Int64($0.offset), fault: $0.element) })
    }

    static let limits: [@Sendable (inout Fault) -> Void] = [
        { $0.account = "ben" }, { $0.bundleID = "other" }, { $0.productID = .credits }, { $0.path = "/inApps" },
        { $0.surface = .serverAPI },
    ]

    @Test(arguments: limits) func `a fault spares calls outside of its limits`(_ limit: @Sendable (inout Fault) -> Void) {
        var board = board(fault(.lostReply, count: 1, limit))
        #expect(board.decide(Self.purchase) == CallEffects())
        #expect(board.entries.first?.fault.count == 1)
    }

    @Test func `a fault hits calls within all of its limits, as often as it may`() {
        var board = board(
            fault(.lostReply, count: 2) {
                ($0.account, $0.bundleID, $0.productID, $0.path, $0.surface) = ("ada", .test, .book, "/device", .device)
            }
        )
        #expect((1...3).map { _ in board.decide(Self.purchase).losesReply } == [true, true, false])
        #expect(board.entries.isEmpty)
    }

    @Test func `without a count it stays`() {
        var board = board(fault(.delay(milliseconds: 5)))
        for _ in 0..<3 { #expect(board.decide(Self.purchase).delayMilliseconds == 5) }
        #expect(board.entries.count == 1)
    }

    @Test func `the oldest answer wins, and the others are kept for later`() {
        var board = board(fault(.status(code: 500, retryAfterSeconds: nil), count: 1), fault(.purchaseRefused(code: 2), count: 1))
        #expect(board.decide(Self.purchase).answer == .status(code: 500, retryAfterSeconds: nil))
        #expect(board.decide(Self.purchase).answer == .refusal(code: 2))
    }

    @Test(arguments: [
        (FaultKind.delay(milliseconds: 1), [FaultSurface.device, .verifyReceipt, .serverAPI]),
        (.lostReply, [.device, .verifyReceipt, .serverAPI]),
        (.status(code: 500, retryAfterSeconds: 1), [.device, .verifyReceipt, .serverAPI]),
        (.verifyReceiptStatus(code: 21_005, isRetryable: nil), [.verifyReceipt]), (.verifyReceiptOutage, [.verifyReceipt]),
        (.wrongClock(seconds: 1), FaultSurface.allCases), (.signing(fault: "wrongKey"), FaultSurface.allCases),
        (.purchaseRefused(code: 0), [.device]), (.notificationLost, [.notifications]), (.notificationDoubled, [.notifications]),
        (.notificationShuffled, [.notifications]), (.notificationLate(seconds: 1), [.notifications]),
    ])
    func `each kind concerns its protocols`(_ kind: FaultKind, _ surfaces: [FaultSurface]) {
        let calls = [
            Self.purchase, FaultCall(surface: .verifyReceipt, path: "/verifyReceipt"), FaultCall(surface: .serverAPI, path: "/inApps/v1/x"),
            FaultCall(surface: .notifications),
        ]
        #expect(Set(calls.filter { $0.concerns(Fault(kind)) }.map(\.surface)) == Set(surfaces))
    }

    @Test(arguments: ["purchases", "unfinished", "restore", "receipt", "history", "redeem", "subscriptions", "app-transaction"])
    func `every call of a device that is answered with something signed meets a wrong signature`(_ name: String) {
        var board = board(fault(.signing(fault: "wrongKey")), fault(.wrongClock(seconds: 1)))
        #expect(board.decide(FaultCall(surface: .device, path: "/device/v1/\(name)")).struck.count == 2)
    }

    @Test func `what signs nothing meets no wrong signature, and control calls never fail`() {
        var board = board(fault(.signing(fault: "wrongKey"), count: 1))
        #expect(board.decide(FaultCall(surface: .device, path: "/device/v1/products")).struck.isEmpty)
        #expect(FaultCall.surface(ofPath: "/control/v1/clock") == nil)
    }
}

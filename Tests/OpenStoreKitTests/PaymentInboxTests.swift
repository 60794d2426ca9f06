import PurchaseModel
import Testing

@testable import OpenStoreKit

@Suite struct PaymentInboxTests {
    private func request(_ number: Int) -> PaymentRequest {
        PaymentRequest(id: PaymentID("\(number)"), productID: "p", quantity: 1, username: nil, product: nil)
    }

    private func added(_ commands: some Sequence<PaymentCommand>) -> [String] {
        commands.compactMap { if case .add(let request) = $0 { request.id.rawValue } else { nil } }
    }

    @Test func `commands are taken in the order of their submission, and once`() {
        let inbox = PaymentInbox()
        // More commands than a block of the inbox holds.
        for number in 1...1_000 { #expect(inbox.submit(.add(request(number)))) }
        #expect(added(inbox.takeAll().joined()) == (1...1_000).map(String.init))
        #expect(inbox.takeAll().isEmpty)
        #expect(inbox.submitted == 1_000)
    }

    @Test func `a store that announces changes all the time does not fill the inbox`() {
        let inbox = PaymentInbox()
        for _ in 0..<1_000 { inbox.submit(.fetchChanges) }
        inbox.submit(.add(request(1)))
        for _ in 0..<1_000 { inbox.submit(.fetchChanges) }
        let commands = Array(inbox.takeAll().joined())
        #expect(commands.count == 3 && added(commands) == ["1"])
    }

    @Test(.timeLimit(.minutes(10)))
    func `a closed inbox keeps earlier commands, accepts no more, and lets nobody wait`() async {
        let inbox = PaymentInbox()
        inbox.submit(.add(request(1)))
        inbox.close()
        #expect(!inbox.submit(.add(request(2))))
        await inbox.turn()
        #expect(added(inbox.takeAll().joined()) == ["1"])
        var signals = 0
        for await _ in inbox.signals { signals += 1 }
        #expect(signals <= 1)
    }
}

import MonkeyShop
import OpenStoreKit
import PurchaseKit
import PurchaseModel
import PurchaseProtocol

extension TourStep {
    static let consumable = TourStep(number: 2, title: "Buys 5 credits × 4; the app is killed between the credit and the finish") { stage in
        let sheet = try await sheetOfFour(stage)
        var run = stage.run(on: .first)
        run.buys = MonkeyShopProduct.credits5
        run.quantity = 4
        run.stopsBeforeFinish = true
        let app = try AppProcess(run, on: stage)
        let first = await app.news.first { _ in true }
        await app.kill()
        try expect("the killed app's last word", first, .delivered(MonkeyShopProduct.credits5))

        // The next app session: the transaction is presented again, is delivered without a second effect, and is finished.
        var next = stage.run(on: .first)
        next.staysOpen = true
        let relaunched = try AppProcess(next, on: stage)
        let news = await relaunched.news.prefix(2).reduce(into: [AppNews]()) { $0.append($1) }
        await relaunched.kill()
        try expect(
            "the transaction to come back, the balance to stay 20 and the queue to be empty",
            news == [.delivered(MonkeyShopProduct.credits5), .settled(balance: 20, queue: [])],
            found: "\(news)"
        )
        let phone = try await stage.launch(.first)
        let balance = try await phone.shop.serverBalance()
        try expect("the server's balance", balance, 20)
        let charges = try await stage.charges(.grownUp).filter { $0.productID == MonkeyShopProduct.credits5 }
        try expect("charges of 3.96 for four", charges.map(\.amount.milliunits), [3960])
        return Scene(
            app: "“\(sheet.text)” – balance 20, and still 20 after the app was killed and launched again",
            evidence: "SIGKILL of process \(app.pid) after the credit; transaction \(charges[0].transaction) came back and was finished; "
                + "1 charge of \(charges[0].amount.formatted(locale: "en_US")); vault 20, server 20"
        )
    }

    /// The confirmation sheet for a quantity of four; the user cancels this purchase.
    private static func sheetOfFour(_ stage: Stage) async throws -> ConfirmationSheet {
        let phone = try await stage.launch(.first)
        phone.user.script(confirmations: [false])
        let outcome = try await phone.buy(MonkeyShopProduct.credits5, quantity: 4)
        try expect("the outcome of a cancelled sheet", outcome, .cancelled)
        guard let sheet = phone.user.sheets.last else { throw TourFailure(expected: "a confirmation sheet", found: "none") }
        try expect("unit price, quantity and total", [sheet.unitPrice, "\(sheet.quantity)", sheet.total], ["$0.99", "4", "$3.96"])
        return sheet
    }
}

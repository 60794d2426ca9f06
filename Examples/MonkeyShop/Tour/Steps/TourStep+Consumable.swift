import MonkeyShop
import MonkeyShopBackend
import OpenStoreKit
import PurchaseKit
import PurchaseModel
import StoreControl

extension TourStep {
    static let consumable = TourStep(number: 2, title: "Buys 5 credits × 4; the app is killed between delivery and finish()") { tour in
        let sheet = try await sheetOfFour(tour)
        var run = tour.script(for: .first)
        run.productToBuy = MonkeyShopProduct.credits5
        run.quantity = 4
        run.hangsBeforeFinish = true
        let app = try AppProcess(run, on: tour)
        let first = await app.output.first { _ in true }
        await app.kill()
        try expect("the killed app's last output", first, .delivered(MonkeyShopProduct.credits5))

        // StoreKit reports the transaction again at the next launch. The app finishes the transaction without a second delivery, because
        // the vault has recorded the first one.
        var next = tour.script(for: .first)
        next.keepsRunning = true
        let relaunched = try AppProcess(next, on: tour)
        let output = await relaunched.output.first { _ in true }
        await relaunched.kill()
        try expect("no second delivery, a balance of 20 and an empty queue", output, .idle(balance: 20, queue: []))
        let phone = try await tour.launch(.first)
        let balance = try await tour.client.credits()
        try expect("the server's balance", balance, 20)
        let charges = try await tour.charges(.adult).filter { $0.productID == MonkeyShopProduct.credits5 }
        try expect("the charges for four", charges.map(\.amount.milliunits), [3960])
        return StepResult(
            app: "“\(sheet.text)”; the balance is 20, and still 20 after the app is killed and launched again",
            evidence: "SIGKILL of process \(app.pid); transaction \(charges[0].transactionID) not delivered again, and finished; "
                + "1 charge of \(charges[0].amount.formatted(locale: "en_US")); balance 20 in the app and on the server"
        )
    }

    /// Returns the confirmation sheet for a quantity of four; the user cancels this purchase.
    private static func sheetOfFour(_ tour: TourEnvironment) async throws -> ConfirmationSheet {
        let phone = try await tour.launch(.first)
        phone.user.script(confirmations: [false])
        let outcome = try await phone.buy(MonkeyShopProduct.credits5, quantity: 4)
        try expect("the outcome of a cancelled sheet", outcome, .canceled)
        guard let sheet = phone.user.sheets.last else { throw TourFailure(expected: "a confirmation sheet", found: "none") }
        try expect("unit price, quantity and total", [sheet.unitPrice, "\(sheet.quantity)", sheet.total], ["$0.99", "4", "$3.96"])
        return sheet
    }
}

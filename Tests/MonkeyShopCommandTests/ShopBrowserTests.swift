import Foundation
import ProcessTestSupport
import PurchaseTestSupport
import Testing

/// Tests of the sample app's page in Chromium, which `Tests/Clients/shop.py` controls.
@Suite(.timeLimit(.minutes(45))) struct ShopBrowserTests {
    /// The promises of the checks, by the names of the functions in `Tests/Clients/shop.py`.
    private static let promises = [
        "credits": "credits are bought three at a time, and spent",
        "endings": "a canceled purchase or restore shows no message, and a restore without purchases shows a message",
        "filters": "a purchased filter is applied to the picture",
        "book": "a purchased book is downloaded and read",
        "magazine": "a subscription renews, survives a declined payment in the grace period, and is canceled",
        "refund": "a granted refund revokes the filter",
        "debt": "the balance follows refunds, below zero if refunded credits were spent",
        "refunded_book": "a refunded book can't be read, restored or downloaded",
        "network": "the page shows the loss and the return of the network",
        "restrictions": "the page shows that purchases are restricted, and disables the buttons",
        "rate_limited": "actions beyond the rate limit are refused, and the page shows a message",
        "offline": "a payment without a network waits, also while the app is killed, and is sent once",
        "again": "a second purchase of a filter is delivered like the first one",
        "receipt": "a phone without a receipt fetches the receipt, and two fetches create no transaction",
        "download": "a paused download survives the end of the app, and resumes without starting again",
        "other_phone": "an encrypted backup opens on a new phone; an unencrypted one lacks the key, and purchases are restored",
        "new_product": "the app offers a product that the App Store begins to sell, without an update",
        "only_mine": "a restore that is limited to a user does not restore the purchases of other users",
        "content": "the server sends the book to the owner, and not for a changed receipt, another app's receipt, or after a refund",
        "later": "a large book is downloaded on request, and as often as needed",
        "hosted": "a paused download of the App Store survives the end of the app, and a canceled one is restored",
        "reinstall": "a reinstalled app shows that the vault is lost, and restores purchases",
        "process": "after SIGKILL of an app's process, by the page or another program, no purchase is lost, and store and server continue",
        "killed": "after SIGKILL of app, store and server, the page connects again and no purchase is lost",
        "tour": "each of the ten stops of the tour shows the result that its text describes",
        "link": "a link reproduces the state of a visit, for other visitors and for the same visitor",
        "restore": "a killed app keeps its purchases, and a second phone restores the chosen products",
        "erase": "an erased phone has no purchases and no account, and restores the chosen products",
        "declined": "a declined payment shows an error with advice, and the next purchase succeeds",
        "transfer": "a restore by another customer with the same account transfers the purchases, according to the server's policy",
        "approval": "a parent approves the purchase of a child",
        "backup": "an older copy of the vault does not spend credits again",
        "vault": "an edited vault is refused, and is reset on request",
        "new_phone": "an export moves purchases to a new phone, and the receipt is shown and validated",
        "messages": "the messages are shown, with the payloads of signed data",
        "keyboard": "the page works with the keyboard, and every control has a name",
        "contrast": "every text has enough contrast",
        "contrast dark": "every text has enough contrast in dark mode",
        "narrow": "no screen scrolls horizontally on a phone",
        "offers": "a subscription is upgraded, downgraded at the renewal, and renewed with a signed offer; the season pass shows its end",
        "code": "an offer code starts a subscription, and a wrong one is refused",
        "german": "the page, the prices and the products are in German for a German browser, and in English on request",
    ]

    @Test func `the sample app works in Chromium`() async throws {
        let results = try await TemporaryFolder.with { folder in
            let arguments = ["serve", "--folder", folder.file("shop").path, "--port", "0", "--json"]
            let shop = try LineProcess(BuiltProducts.path("monkeyshop"), arguments)
            let line = try #require(await shop.lines.first { _ in true })
            let address = try #require(try JSONDecoder().decode([String: String].self, from: Data(line.utf8))["shop"])
            let results = try await ClientCheck.run(
                "shop.py", environment: ["SHOP": address, "SHOP_COMMAND": BuiltProducts.path("monkeyshop")])
            #expect(await shop.terminate() == 0)
            return results
        }
        for result in results where !result.ok {
            Issue.record("\(Self.promises[result.check] ?? result.check): \(result.detail)")
        }
        #expect(Set(results.map(\.check)) == Set(Self.promises.keys))
    }
}

import Foundation
import ProcessTestSupport
import PurchaseTestSupport
import Testing

/// Tests of the sample app's page in Chromium; `Tests/Clients/shop.py` controls the browser.
@Suite(.timeLimit(.minutes(45))) struct ShopBrowserTests {
    /// The promises of the checks, by their names in `Tests/Clients/shop.py`.
    private static let promises = [
        "credits": "credits are bought three at a time, and spent",
        "endings": "a canceled purchase and a canceled restore show no message, and nothing to restore is said",
        "filters": "a purchased filter filters the picture",
        "book": "a purchased book is downloaded and read",
        "magazine": "a subscription renews, survives a declined payment in the grace period, and is canceled",
        "refund": "a granted refund takes the filter away",
        "debt": "the balance follows refunds, below zero if refunded credits were spent",
        "refunded_book": "a refunded book can't be read, and is neither restored nor downloaded",
        "network": "a lost network is shown, and its return",
        "restrictions": "restricted purchases are shown, and the buttons are disabled",
        "rate_limited": "actions beyond the limit are refused, and the page says so",
        "offline": "a payment without a network waits, also while the app is killed, and is sent once",
        "again": "a filter is purchased again, and handled like the first time",
        "receipt": "a phone without a receipt fetches it, and fetching it twice makes no transaction",
        "download": "a download is paused, survives the end of the app, and continues where it stopped",
        "other_phone": "an encrypted backup opens on a new phone; one without encryption has no key, and the App Store restores",
        "new_product": "a product that the App Store begins to sell is in the app without an update",
        "only_mine": "a restore that is limited to a user leaves the purchases of others alone",
        "content": "the server sends the book to its owner only: not for a changed, a foreign or a refunded receipt",
        "later": "a large book is downloaded when it suits, as often as needed",
        "hosted": "a download of the App Store is paused, survives the end of the app, is canceled and restored",
        "reinstall": "a reinstalled app has lost its files, says so, and restores",
        "process": "after SIGKILL of an app's process, by the page or by somebody else, nothing is lost, and store and server run on",
        "killed": "after SIGKILL of app, store and server, the page connects again and nothing is lost",
        "tour": "each of the ten stops of the tour shows what it says",
        "link": "a link reproduces the state of a visit, for others and for the visitor",
        "restore": "a killed app keeps its purchases, and a second phone restores what is chosen",
        "erase": "an erased phone has neither purchases nor an account, and restores what the person chooses",
        "declined": "a declined payment is a failure with advice, and the next purchase works",
        "transfer": "somebody else who restores with the account takes the purchases along, as the server's policy says",
        "approval": "a parent approves the purchase of a child",
        "backup": "an older copy of the vault does not spend credits again",
        "vault": "an edited vault is refused, and reset at the person's request",
        "new_phone": "an export moves purchases to a new phone, and the receipt is shown and validated",
        "messages": "the messages are shown, with the payloads of signed data",
        "keyboard": "the page works with the keyboard, and every control has a name",
        "contrast": "every text has enough contrast",
        "contrast dark": "every text has enough contrast in dark mode",
        "narrow": "no screen scrolls horizontally on a phone",
        "offers": "a subscription is upgraded, downgraded at its renewal, and won back with a signed offer; the season pass states its end",
        "code": "an offer code starts a subscription, and a wrong one is refused",
        "german": "the page, its prices and its products are in German for a German browser, and in English at the person's request",
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

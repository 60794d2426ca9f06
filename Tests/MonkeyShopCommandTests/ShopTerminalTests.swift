import Foundation
import ProcessTestSupport
import PurchaseTestSupport
import Testing

/// Tests of `monkeyshop terminal` in a pseudo-terminal; `Tests/Clients/terminal.py` presses the keys.
@Suite(.timeLimit(.minutes(45))) struct ShopTerminalTests {
    /// The promises of the checks, by their names in `Tests/Clients/terminal.py`.
    private static let promises = [
        "prices": "products have their prices from the store",
        "credits": "the sheet states unit price, quantity and total, and credits are bought and spent",
        "cancel": "a canceled purchase shows no message",
        "network": "a lost network is shown, and its return",
        "restrictions": "restricted purchases are shown, and can't be begun",
        "filters": "a purchased filter filters the picture",
        "book": "a purchased book is downloaded and read",
        "magazine": "a subscription survives a declined payment in the grace period, renews, and is canceled",
        "refund": "a granted refund takes the filter away",
        "restore": "a closed app keeps its purchases, and a second phone restores what is chosen",
        "approval": "a parent approves the purchase of a child",
        "backup": "a backup keeps purchases without a network, and does not spend credits again",
        "vault": "an edited vault is refused, and reset at the person's request",
        "receipt": "the receipt is verified and shown",
        "code": "an offer code is typed, corrected and redeemed",
        "messages": "messages are opened",
        "resize": "the window adapts to its size",
        "ends": "the terminal is as before after the end",
        "terminates": "each signal that ends a program, and control-C during the start, give the terminal back",
        "killed": "the purchases are there after SIGKILL, also of the purchase that was under way",
        "german": "the app is in German for a German terminal",
    ]

    @Test func `the sample app works in a terminal`() async throws {
        let results = try await ClientCheck.run("terminal.py", environment: ["SHOP_COMMAND": BuiltProducts.path("monkeyshop")])
        for result in results where !result.ok {
            Issue.record("\(Self.promises[result.check] ?? result.check): \(result.detail)")
        }
        #expect(Set(results.map(\.check)) == Set(Self.promises.keys))
    }

    @Test func `without a terminal the command says what to do`() async throws {
        let shop = try LineProcess("/bin/sh", ["-c", "exec \"$0\" terminal 2>&1 </dev/null", BuiltProducts.path("monkeyshop")])
        let lines = await shop.lines.reduce(into: [String]()) { $0.append($1) }
        #expect(await shop.end() == 64)
        #expect(lines.contains { $0.contains("monkeyshop serve") }, "\(lines)")
    }
}

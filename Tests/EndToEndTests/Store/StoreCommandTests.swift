import Foundation
import ProcessTestSupport
import PurchaseModel
import PurchaseTestSupport
import Testing

/// Tests of the commands that control a running store.
@Suite struct StoreCommandTests {
    private static let club = """
        { "subscriptionGroups": [ { "id": "21A2B3C4", "name": "Club", "subscriptions": [
          { "productID": "club.year", "type": "RecurringSubscription", "displayPrice": "48.00", "recurringSubscriptionPeriod": "P1Y",
            "billingPlans": [ { "billingPlanType": "MONTHLY", "displayPrice": "5.00" } ] },
          { "productID": "club.month", "type": "RecurringSubscription", "displayPrice": "9.00", "recurringSubscriptionPeriod": "P1M",
            "groupNumber": 2 } ] }, { "id": "31A2B3C4", "name": "Team", "subscriptions": [
          { "productID": "club.team", "type": "RecurringSubscription", "displayPrice": "12.00", "recurringSubscriptionPeriod": "P1M",
            "_tillrollSeats": { "priceTiers": [ { "minimumSeats": 4, "displayPrice": "9.00" } ] } } ] } ],
          "version": { "major": 5, "minor": 0 } }
        """

    @Test func `a canceled commitment is charged until its end, and a product without the billing plan is not sold with it`() async throws {
        try await CommandFolder.with { command in
            try command.write(Data(Self.club.utf8), to: "club.storekit")
            let file = command.folder.file("club.storekit").path()
            let store = try await RunningStore.launch(
                ["store", "up", "--storekit", file, "--bundle-id", "com.example.club", "--port", "0", "--json"], in: command)
            let bought = try await store.json("store", "buy", "club.year", "--account", "jane", "--billing-plan", "monthly")
            let transaction = try #require(bought["transaction"] as? [String: Any])
            #expect(transaction["price"] as? Int == 5_000)
            #expect((transaction["commitmentInfo"] as? [String: Any])?["totalBillingPeriods"] as? Int == 12)
            let id = try #require(transaction["transactionId"] as? String)
            let canceled = try await store.run("store", "disable-auto-renew", id).text
            #expect(canceled.contains("until 20"))
            _ = try await store.json("store", "advance", "370d")
            let charges = try await store.json("store", "charges", "jane")["charges"] as? [[String: Any]]
            #expect(charges?.count == 12)
            let refused = try await store.run("store", "buy", "club.month", "--account", "ben", "--billing-plan", "monthly")
            #expect(refused.code == 1 && refused.text.contains("does not have this billing plan. (SKError 5)"))
            try await Self.buySeats(store)
            #expect(await store.process.terminate() == 0)
        }
    }

    private static func buySeats(_ store: RunningStore) async throws {
        let bought = try await store.json("store", "buy", "club.team", "--account", "eve", "--seats", "5")
        #expect((bought["transaction"] as? [String: Any])?["quantity"] as? Int == 5)
        let none = try await store.run("store", "buy", "club.year", "--account", "ann", "--seats", "2")
        #expect(none.code == 1 && none.text.contains("not sold in seats.") && !none.text.contains("SKError"))
        #expect(try await store.run("store", "seats", "join", "ann", "--account", "eve").text.contains("ann"))
        let seats = try await store.json("store", "seats", "renew-with", "3", "--account", "eve")
        #expect(seats["total"] as? Int == 5 && seats["available"] as? Int == 4 && seats["atRenewal"] as? Int == 3)
        let removed = try await store.run("store", "seats", "remove", "ann", "--account", "eve").text
        #expect(removed.contains("5 seats, 5 available, 3 at the renewal; invitations by the App Store"))
        let missing = try await store.run("store", "seats", "remove", "ann", "--account", "eve")
        #expect(missing.code == 1 && missing.error.contains("not a member"))
        let claim = try await store.run("store", "seats", "release", "x", "--account", "eve")
        #expect(claim.code == 1 && claim.error.contains("no server claims seats"))
        let id = try #require((bought["transaction"] as? [String: Any])?["transactionId"] as? String)
        #expect(try await store.run("store", "refund", id, "--seats", "2").code == 0)
        #expect(try await store.run("store", "subscriptions", "eve").text.contains("active, 3 seats"))
        #expect(try await store.json("store", "seats", "show", id)["total"] as? Int == 3)
    }

    @Test func `a purchase is in the receipt, and its refund is in the receipt and the events`() async throws {
        try await RunningStore.with { store in
            let bought = try await store.json("store", "buy", RunningStore.shed.rawValue, "--account", "jane")
            let transaction = try #require((bought["transaction"] as? [String: Any])?["transactionId"] as? String)
            #expect(bought["outcome"] as? String == "purchased")

            func verified() async throws -> [String: Any]? {
                let script = """
                    "$tillroll" store receipt jane > receipt
                    printf '{"receipt-data":"%s"}' "$(cat receipt)" | curl -sf '\(store.text("sandboxVerifyReceipt"))' -d @-
                    """
                let answer = try await store.shell(script).json
                #expect(answer["status"] as? Int == 0)
                return ((answer["receipt"] as? [String: Any])?["in_app"] as? [[String: Any]])?.first
            }
            #expect(try await verified()?["transaction_id"] as? String == transaction)
            #expect(try await verified()?["cancellation_date"] == nil)

            _ = try await store.json("store", "refund", transaction, "--app-fault")
            #expect(try await verified()?["cancellation_reason"] as? String == "1")
            let events = try await store.run("store", "events", "--account", "jane", "--json").lines
            let kinds = try events.map {
                try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])["kind"] as? String
            }
            #expect(kinds == ["purchase", "notification", "refund", "notification"])
            let charges = try await store.json("store", "charges", "jane")["charges"] as? [[String: Any]]
            #expect(charges?.compactMap { ($0["amount"] as? [String: Any])?["milliunits"] as? Int }.reduce(0, +) == 0)

            // After the reversal the purchase is valid again.
            _ = try await store.json("store", "reverse-refund", transaction)
            #expect(try await verified()?["cancellation_date"] == nil)
        }
    }

    @Test func `commands control the time, and a year of renewals is in order`() async throws {
        try await RunningStore.with { store in
            _ = try await store.json("store", "buy", RunningStore.monthly.rawValue, "--account", "jane")
            _ = try await store.json("store", "freeze")
            let advanced = try await store.json("store", "advance", "1y")
            #expect(advanced["factor"] as? Int == 0)
            #expect((advanced["happened"] as? [String: Int])?.filter { $0.value > 0 } == ["renewals": 12, "notifications": 12])
            let all = try await store.json("store", "transactions", "--account", "jane")["summaries"] as? [[String: Any]]
            let starts = all?.compactMap { ($0["payload"] as? [String: Any])?["purchaseDate"] as? Int }
            #expect(starts?.count == 13 && starts == starts?.sorted())
            _ = try await store.json("store", "disable-auto-renew", "--account", "jane")
            _ = try await store.json("store", "advance", "40d")
            let subscriptions = try await store.json("store", "subscriptions", "jane")["subscriptions"] as? [[String: Any]]
            #expect(subscriptions?.first?["status"] as? Int == 2)
            #expect(try await store.run("store", "accounts", "--text", "JAN").text.contains(": expired "))
            #expect(try await store.run("store", "accounts", "--text", "nobody").text == "no accounts\n")
            #expect(try await store.json("store", "time-rate", "60")["factor"] as? Int == 60)
            #expect(try await store.json("store", "time-rate", "--rate", "1004")["timeRate"] as? Int == 1004)
            #expect(try await store.run("store", "jump", "2031-01-01").text.contains("\nnothing was due\n"))
            #expect(try await store.run("store", "jump", "2001-01-01").code == 1)
            for wrong in ["nan", "2000000"] { #expect(try await store.run("store", "time-rate", wrong).code == 64) }
            #expect(try await store.run("store", "advance", "soon").code == 64)
        }
    }

    @Test func `the time advances to the next renewal and to the end of the grace period`() async throws {
        try await RunningStore.with { store in
            _ = try await store.json("store", "freeze")
            _ = try await store.run("store", "app", "--notify", "http://127.0.0.1:1/")
            let none = try await store.run("store", "advance", "--to", "renewal")
            #expect(none.code == 1 && none.error.contains("No active subscription renews automatically."))
            _ = try await store.json("store", "buy", RunningStore.monthly.rawValue, "--account", "jane")
            _ = try await store.json("store", "advance", "--to", "renewal", "--account", "jane")
            let all = try await store.json("store", "transactions", "jane")["summaries"] as? [[String: Any]]
            #expect(all?.count == 2)
            _ = try await store.json("store", "account", "jane", "--payment-method", "declined")
            let failed = try await store.run("store", "advance", "--to", "renewal").text
            #expect(failed.contains("\n1 billing issue, 1 notification, 1 refused\n"))
            #expect(try await store.run("store", "advance", "--to", "grace-end").text.contains("\n1 expiration, 1 notification, "))
            let subscriptions = try await store.json("store", "subscriptions", "jane")["subscriptions"] as? [[String: Any]]
            #expect(subscriptions?.first?["status"] as? Int == 3)
            let over = try await store.run("store", "advance", "--to", "grace-end", "--account", "jane")
            #expect(over.code == 1 && over.error.contains("No subscription of jane is in a grace period, which begins when "))
            for wrong in [["1d", "--to", "renewal"], [], ["1d", "--account", "jane"], ["--to", "soon"]] {
                #expect(try await store.shell("exec \"$tillroll\" store advance \"$@\"", wrong).code == 64)
            }
        }
    }

    @Test func `an account is removed, and devices are listed`() async throws {
        try await RunningStore.with { store in
            _ = try await store.json("store", "buy", RunningStore.shed.rawValue, "--account", "jane")
            _ = try await store.run("store", "receipt", "jane")
            #expect(try await store.run("store", "devices").text.contains("00112233-4455-6677-8899-aabbccddeeff"))
            #expect(try await store.run("store", "remove-account", "jane").lines == ["The account jane is removed."])
            #expect(try await store.run("store", "remove-account", "jane").code == 1)
            #expect(try await store.run("store", "devices").lines == ["no devices"])
        }
    }

    @Test func `commands control Ask to Buy, interrupted purchases and billing issues`() async throws {
        try await RunningStore.with { store in
            _ = try await store.json("store", "account", "kid", "--ask-to-buy", "on", "--family", "smith")
            for decision in ["approve", "decline"] {
                let reply = try await store.json("store", "buy", RunningStore.seeds.rawValue, "--account", "kid")
                #expect(reply["outcome"] as? String == "deferred")
                let payment = try #require(reply["payment"] as? String)
                #expect(try await store.run("store", "approvals").text.contains(payment))
                _ = try await store.json("store", decision, payment)
            }
            #expect((try await store.json("store", "transactions", "kid")["signedTransactions"] as? [String])?.count == 1)

            _ = try await store.json("store", "account", "slow", "--interrupt-purchases", "on")
            #expect(try await store.run("store", "buy", RunningStore.seeds.rawValue, "--account", "slow").code == 1)
            let pending = try await store.json("store", "interruptions")["pending"] as? [[String: Any]]
            _ = try await store.json("store", "resolve", try #require(pending?.first?["payment"] as? String))
            #expect((try await store.json("store", "transactions", "slow")["signedTransactions"] as? [String])?.count == 1)

            _ = try await store.json("store", "buy", "com.example.garden.almanac.plus", "--account", "poor")
            _ = try await store.json("store", "account", "poor", "--payment-method", "declined")
            _ = try await store.json("store", "advance", "32d")
            _ = try await store.json("store", "account", "poor", "--payment-method", "valid")
            let types = try await store.json("store", "notifications")["deliveries"] as? [[String: Any]]
            #expect(types?.compactMap { $0["type"] as? String }.contains("DID_FAIL_TO_RENEW") == true)
            #expect(types?.last?["subtype"] as? String == "BILLING_RECOVERY")
        }
    }

    @Test func `a refused request is found with its reason, and followed`() async throws {
        try await RunningStore.with(["--requests"]) { store in
            let url = store.text("productionVerifyReceipt")
            let script = """
                "$tillroll" store buy \(RunningStore.shed) --account jane > bought
                printf '{"receipt-data":"%s","password":"geheim"}' "$("$tillroll" store receipt jane)" | curl -s '\(url)' -d @-
                curl -s '\(url)' -d '{'
                """
            #expect(try await store.shell(script).text.contains("21007"))
            let listed = try await store.run("store", "requests", "--failed")
            #expect(listed.lines.count == 2)
            #expect(listed.lines[0].contains("POST /production/verifyReceipt  200 21007"))
            #expect(listed.lines[0].hasSuffix("A receipt of the sandbox was sent to production. Send it to the sandbox."))
            #expect(listed.lines[1].hasSuffix("The body is no JSON object. Send {\"receipt-data\": \"…\"}, and no form."))
            let text = try await store.run("store", "requests", "--text", "jane").text
            #expect(text.contains("POST /device/v1/receipt") && !text.contains("verifyReceipt"))
            let number = try #require(listed.lines[0].firstMatch(of: /#([0-9]+)/)?.1)
            let shown = try await store.run("store", "request", String(number))
            #expect(shown.text.contains(#""password":"•••""#) && !shown.text.contains("geheim"))
            #expect(try await store.run("store", "request", "999999").code == 1)
            #expect(try await store.run("store", "requests", "--limit", "501").code == 64)
            // The store itself prints a line for each request.
            let printed = await store.process.lines.first { $0.contains("21007") }
            #expect(printed?.contains("POST /production/verifyReceipt") == true)
            // A new request, and no past one.
            let following = """
                "$tillroll" store requests --follow --limit 0 --on verifyReceipt > followed &
                until test -s followed; do curl -s '\(url)' -d 'next'; sleep 0.1; done
                kill $!
                cat followed
                """
            let followed = try await store.shell(following)
            #expect(followed.lines.last?.contains("21002") == true && !followed.text.contains("21007"))
        }
    }

    @Test func `commands enable faults, which apply up to their count`() async throws {
        try await RunningStore.with { store in
            let url = store.text("sandboxVerifyReceipt")
            func ask() async throws -> CommandFolder.Outcome {
                try await store.shell("curl -s -o answer -w '%{http_code}' -m 20 '\(url)' -d '{}'; code=$?; echo; cat answer; exit $code")
            }
            _ = try await store.json("store", "fault", "set", "status:503:7", "--on", "verifyReceipt", "--count", "1")
            #expect(try await ask().lines.first == "503")
            _ = try await store.json("store", "fault", "set", "verifyReceipt:21199", "--count", "1")
            #expect(try await ask().text.contains("21199"))
            _ = try await store.json("store", "fault", "set", "lostReply", "--on", "verifyReceipt", "--count", "1")
            #expect(try await ask().code == 52)
            #expect(try await ask().code == 0)

            let refused = try await store.json("store", "fault", "set", "purchaseRefused:2", "--account", "unlucky")
            #expect(try await store.run("store", "buy", RunningStore.seeds.rawValue, "--account", "lucky").code == 0)
            let number = try #require(refused["id"] as? Int)
            #expect(try await store.run("store", "fault", "list").text.contains("purchaseRefused:2"))
            _ = try await store.json("store", "fault", "clear", "\(number)")
            #expect(try await store.run("store", "fault", "list").lines == ["no faults"])

            // A signing fault does not affect these commands, only the receipts of devices.
            _ = try await store.json("store", "buy", RunningStore.shed.rawValue, "--account", "jane")
            for (fault, code, reason) in [("signing:wrongRoot", Int32(1), "untrusted_root"), (nil, 0, nil)] {
                if let fault {
                    _ = try await store.json("store", "fault", "set", fault)
                } else {
                    _ = try await store.json("store", "fault", "clear")
                }
                let receipt = Data(try await store.run("store", "receipt", "jane").text.utf8)
                let root = store.text("rootCertificate")
                let outcome = try await store.run("receipt", "verify", "--root", root, "--json", input: receipt)
                #expect(outcome.code == code && outcome.reason == reason, "\(outcome.text)")
            }
            let wrong = try await store.run("store", "fault", "set", "nonsense")
            #expect(wrong.code == 64 && wrong.error.contains("--help"))
        }
    }

    @Test func `commands change apps, content, rate limits, promotions, devices and prices`() async throws {
        try await RunningStore.with { store in
            _ = try await store.json(
                "store", "app", "com.example.second", "--storekit", RunningStore.storekit, "--receipt-order", "ascending")
            #expect(try await store.run("store", "apps").text.contains("com.example.second"))
            try store.command.write(Data("book".utf8), to: "book")
            _ = try await store.json("store", "content", RunningStore.shed.rawValue, "book")
            #expect(try await store.run("store", "content", "com.example.none", "book").code == 1)
            _ = try await store.json("store", "rate-limits", "on")
            _ = try await store.json(
                "store", "account", "jane", "--environment", "production", "--storefront", "DEU", "--family-sharing", "on")
            _ = try await store.json("store", "promote", RunningStore.shed.rawValue, "--account", "jane")
            _ = try await store.json("store", "restrict", "00112233-4455-6677-8899-aabbccddeeff")
            _ = try await store.json("store", "buy", "com.example.garden.almanac.plus", "--account", "jane")
            for words in [
                ["increase-price", "--price", "12.99"], ["consent-to-price-increase"], ["extend", "--days", "3"], ["renew"], ["expire"],
            ] {
                let outcome = try await store.shell("exec \"$tillroll\" store \"$@\" --account jane --json", words)
                #expect(outcome.code == 0 && outcome.json["status"] is Int, "\(words) \(outcome.error)")
            }
            let reply = try await store.json("store", "request-refund", "--account", "jane")
            #expect(reply["transactionID"] is String)
            #expect(try await store.run("store", "refund-requests").text.contains("pending"))
        }
    }

    @Test func `a refusal exits with 1, an unreachable store with 2 and wrong usage with 64, each with a message`() async throws {
        try await RunningStore.with { store in
            for (words, code) in [
                (["refund", "999"], Int32(1)), (["buy", "com.example.none", "--account", "jane"], 1), (["remove", "nobody"], 1),
                (["buy"], 64), (["charges"], 64), (["refund"], 64), (["accounts", "--store", "here"], 64),
                (["accounts", "--store", "http://127.0.0.1:1"], 2),
            ] {
                let outcome = try await store.shell("exec \"$tillroll\" store \"$@\"", words)
                #expect(outcome.code == code, "\(words)")
                #expect(outcome.error.hasPrefix("Error: ") || outcome.text.hasPrefix("refused  "), "\(words) \(outcome.error)")
            }
        }
    }
}

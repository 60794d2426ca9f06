import Foundation
import NIOCore
import NIOPosix
import ProcessTestSupport
import PurchaseModel
import PurchaseTestSupport
import Release
import Testing

/// Mistakes that people make on the command line; each message says what to do next.
@Suite struct MistakeTests {
    @Test(arguments: [
        (["tour"], "tillroll has no command “tour”: it belongs to the sample app. List its commands with: monkeyshop --help"),
        (["stor"], "tillroll has no command “stor”. Did you mean `tillroll store`?"),
        (["store", "byu"], "Did you mean `tillroll store buy`?"),
        // A command of a group without the group.
        (["buy", "com.example.pro"], "Did you mean `tillroll store buy`?"),
        (["advance"], "Did you mean `tillroll store advance`?"),
        (["store", "nothing-like-it"], "List its commands with: tillroll store --help"),
        (["store", "advance", "-5d"], "The value -5d is negative. Give a value without the minus sign."),
        (["store", "buy", "a", "--account", "jane", "--quantity", "-1"], "The value -1 of --quantity is negative."),
    ])
    func `a misspelled command and a negative number are named, without the syntax of other commands`(
        _ arguments: [String], _ message: String
    ) async throws {
        try await CommandFolder.with { command in
            let outcome = try await command.run(arguments)
            #expect(outcome.code == 64 && outcome.text.isEmpty)
            #expect(outcome.error.contains(message), "\(outcome.error)")
            #expect(!outcome.error.contains("Usage:"))
        }
    }

    @Test(arguments: [
        (["storekit", "lint", "missing.storekit"], "missing.storekit can't be read: no such file or directory."),
        (
            ["offer", "sign", "promotional", "--key", "nosuch", "--product", "a", "--offer", "b", "--bundle-id", "c"],
            "nosuch can't be read: no such file or directory."
        ),
        (
            ["receipt", "verify", "json", "--root", "garbage"],
            "garbage can't be trusted: The PEM text contains something other than valid certificates."
        ),
    ])
    func `a file that can't be used is named with the reason, and without the syntax of the command`(
        _ arguments: [String], _ message: String
    ) async throws {
        try await CommandFolder.with { command in
            try command.write(Data("garbage".utf8), to: "garbage")
            try command.write(Data("{}".utf8), to: "json")
            let outcome = try await command.run(arguments)
            #expect(outcome.code == 64 && outcome.error.contains(message), "\(outcome.error)")
            #expect(!outcome.error.contains("Usage:") && !outcome.error.contains("notARoot"))
        }
    }

    @Test func `wrong usage shows the syntax of the command`() async throws {
        try await CommandFolder.with { command in
            let outcome = try await command.run("store", "advance", "soon")
            #expect(outcome.code == 64 && outcome.error.contains("Usage: tillroll store advance [<span>]"))
        }
    }

    @Test(arguments: [
        ("lostreply", "There is no fault “lostreply”. Did you mean lostReply?"), ("status", "Did you mean status:CODE?"),
        ("nothing-like-it", "Give one of: delay:MILLISECONDS, lostReply, status:CODE,"),
        ("status:99999999999999999999", "Did you mean status:CODE?"),
    ])
    func `an unknown kind of fault is answered with the nearest one, or with all`(_ kind: String, _ message: String) async throws {
        try await CommandFolder.with { command in
            let outcome = try await command.run("store", "fault", "set", kind)
            #expect(outcome.code == 64 && outcome.error.contains(message), "\(outcome.error)")
        }
    }

    @Test func `a damaged store's file has a sentence and an exit code of its own`() async throws {
        try await CommandFolder.with { command in
            let folder = command.folder.file("shop").path
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try command.write(Data(String(repeating: "garbage ", count: 1_000).utf8), to: "shop/store.sqlite")
            let outcome = try await command.run("store", "up", "--folder", folder, "--port", "0")
            #expect(outcome.code == 65 && outcome.error.contains("The file is corrupt or not an SQLite database."), "\(outcome.error)")
            #expect(!outcome.error.contains("Usage:"))
        }
    }

    @Test func `the version is printed`() async throws {
        try await CommandFolder.with { command in
            let outcome = try await command.run("--version")
            #expect(outcome.lines == ["tillroll \(ReleaseVersion.current)"])
        }
    }

    @Test func `JSON without signed data is no receipt`() async throws {
        try await CommandFolder.with { command in
            try command.write(Data(#"{"a": 1}"#.utf8), to: "json")
            let outcome = try await command.run("jws", "verify", "json")
            #expect(outcome.code == 1 && outcome.text.contains("JSON without signed data"))
            #expect(!outcome.text.contains("looks like a receipt"))
        }
    }

    @Test func `a group whose products have errors is not called empty`() async throws {
        let file = #"""
            {"version": {"major": 4, "minor": 0}, "subscriptionGroups": [{"id": "1", "name": "G", "subscriptions": [
            {"productID": "a", "type": "RecurringSubscription", "displayPrice": "four", "recurringSubscriptionPeriod": "P1M"}]}]}
            """#
        try await CommandFolder.with { command in
            try command.write(Data(file.utf8), to: "Shop.storekit")
            let outcome = try await command.run("storekit", "lint", "Shop.storekit")
            #expect(outcome.code == 1 && outcome.error.contains("subscriptions[0].displayPrice"))
            #expect(!outcome.error.contains("is empty"))
        }
    }

    @Test func `an issued sample notification renews when its period ends`() async throws {
        try await CommandFolder.with { command in
            #expect(try await command.run("jws", "issue", "--authority", "mine", "--kind", "notification", "--output", "n").code == 0)
            let sample = try #require(try await command.run("jws", "inspect", "n", "--json").json["payload"] as? [String: Any])
            let data = try #require(sample["data"] as? [String: Any])
            func inner(_ member: String) async throws -> [String: Any]? {
                let jws = try #require(data[member] as? String)
                return try await command.run(["jws", "inspect", "--json"], input: Data(jws.utf8)).json["payload"] as? [String: Any]
            }
            let expires = try #require(try await inner("signedTransactionInfo")?["expiresDate"] as? Int)
            let renewal = try await inner("signedRenewalInfo")
            #expect(renewal?["renewalDate"] as? Int == expires)
        }
    }

    // MARK: - A running store

    @Test func `only the taken one of several ports is named`() async throws {
        let taken = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup).bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(taken.localAddress?.port)
        try await CommandFolder.with { command in
            let outcome = try await command.run("store", "up", "--port", "\(port)", "--tls-port", "0")
            #expect(outcome.code == 64 && outcome.error.contains("Error: --port \(port) "), "\(outcome.error)")
            #expect(outcome.error.contains("is taken. Choose another port"))
            #expect(!outcome.error.contains(" or --"))
        }
        try await taken.close()
    }

    @Test func `the message about a mistake at a store names what exists`() async throws {
        try await RunningStore.with { store in
            let misspelled = try await store.run("store", "buy", "com.example.garden.sheds", "--account", "jane")
            #expect(misspelled.code == 1 && misspelled.text.contains("Did you mean \(RunningStore.shed)?"), "\(misspelled.text)")
            let fault = try await store.run("store", "fault", "clear", "99")
            #expect(fault.code == 1 && fault.error.contains("There is no fault 99. No fault is enabled."))
            let removed = try await store.run("store", "remove", "default")
            #expect(removed.code == 1 && removed.error.contains("The host's first store can't be removed."))
            let secure = try await store.run("store", "clock", "--store", store.url.replacing("http://", with: "https://"))
            #expect(secure.code == 2 && secure.error.contains("A store speaks TLS only at its --tls-port"))
            #expect(try await store.run("store", "show").text.contains("\(store.url)/console/"))
        }
    }

    @Test func `a refund of a part is that part, and what is refunded is not refunded again`() async throws {
        try await RunningStore.with { store in
            let bought = try await store.json("store", "buy", "com.example.garden.almanac.plus", "--account", "jane")
            let payload = try #require(bought["transaction"] as? [String: Any])
            let transaction = try #require(payload["transactionId"] as? String)
            let price = try #require(payload["price"] as? Int)
            _ = try await store.json("store", "refund", transaction, "--percentage", "50")
            let charges = try await store.json("store", "charges", "jane")["charges"] as? [[String: Any]]
            let amounts = charges?.compactMap { ($0["amount"] as? [String: Any])?["milliunits"] as? Int }
            #expect(amounts == [price, -price / 2])
            let again = try await store.run("store", "refund", transaction)
            #expect(again.code == 1 && again.error.contains("is refunded already; nothing has changed."))
        }
    }

    @Test func `a month of the calendar ends on the day of the next renewal`() async throws {
        try await RunningStore.with { store in
            _ = try await store.json("store", "freeze")
            let start = Timestamp(milliseconds: Int64(try #require(try await store.json("store", "clock")["now"] as? Int)))
            let end = try await store.json("store", "advance", "1mo")["now"] as? Int
            #expect(end.map(Int64.init) == BillingPeriod(1, .month)?.end(after: start).milliseconds)
            #expect(try await store.run("store", "advance", "0mo").code == 64)
        }
    }

    @Test func `a notification without an address says so`() async throws {
        try await RunningStore.with { store in
            _ = try await store.json("store", "buy", RunningStore.shed.rawValue, "--account", "jane")
            let listed = try await store.run("store", "notifications")
            #expect(listed.text.contains("no address") && listed.text.contains("tillroll store app --notify URL"))
        }
    }
}

import Foundation
import ProcessTestSupport
import PurchaseModel
import PurchaseTestSupport
import Testing

/// Tests of `tillroll listen`, `trigger` and `resend`.
@Suite struct NotificationCommandTests {
    /// Every notification type of the App Store that the store sends, as an argument of `trigger`; those about seats are not among them.
    static let kinds = NotificationType.allCases.filter { $0 != .unclaimSeats }.flatMap { type -> [String] in
        let seats: Set<NotificationSubtype> = [.seats, .increaseQuantity, .decreaseQuantity]
        let withSubtype = type.subtypes.subtracting(seats).map { "\(type.rawValue).\($0.rawValue)" }.sorted()
        // These types always have a subtype.
        let isBare = ![.subscribed, .didChangeRenewalStatus, .priceIncrease, .renewalExtension, .externalPurchaseToken].contains(type)
        return withSubtype + (isBare ? [type.rawValue] : [])
    }

    @Test func `every notification type can be triggered, and its transaction is in the store`() async throws {
        try await RunningStore.with { store in
            #expect(Self.kinds.count == 39)
            for kind in Self.kinds {
                let reply = try await store.json("trigger", kind)
                let details = try await store.json("store", "notification", try #require(reply["notificationUUID"] as? String))
                let words = [details["type"], details["subtype"]].compactMap { $0 as? String }
                #expect(words.joined(separator: ".") == kind)
                guard let account = reply["account"] as? String, let transaction = reply["transaction"] as? String else { continue }
                #expect(try await store.run("store", "transactions", account).text.contains(transaction), "\(kind)")
            }
            for wrong in ["NOPE", "DID_RENEW.VOLUNTARY", ""] { #expect(try await store.run("trigger", wrong).code == 1) }
        }
    }

    @Test func `listen forwards only the requested notification types, in order`() async throws {
        let server = ReceivingServer()
        try await server.listen { address in
            try await RunningStore.with { store in
                let listener = try LineProcess(
                    BuiltProducts.path("tillroll"),
                    [
                        "listen", "--forward-to", address, "--events", "SUBSCRIBED,DID_RENEW.BILLING_RECOVERY,REFUND", "--after", "0",
                        "--store", store.url, "--json",
                    ], standardError: .nullDevice)
                _ = try await store.json("trigger", "DID_RENEW.BILLING_RECOVERY", "--account", "jane")
                _ = try await store.json("trigger", "ONE_TIME_CHARGE")
                _ = try await store.json("trigger", "REFUND", "--account", "ada")
                let types = await server.next(4).map(\.notificationType)
                #expect(types.prefix(2) == ["SUBSCRIBED", "DID_RENEW"] && types.last == "REFUND" && !types.contains("ONE_TIME_CHARGE"))
                let line = try #require(await listener.lines.first { _ in true })
                let answer = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
                #expect(answer["type"] as? String == "SUBSCRIBED" && answer["status"] as? Int == 200)
                await listener.kill()

                // Resend to this machine, and then to the app's notification URL.
                let notification = try #require(answer["notificationUUID"] as? String)
                #expect(try await store.json("resend", notification, "--forward-to", address)["result"] as? String == "SUCCESS")
                let nowhere = try await store.run("resend", notification)
                #expect(nowhere.code == 1 && nowhere.text.contains("NO_ADDRESS"))
                _ = try await store.json("store", "app", "--notify", address)
                #expect(try await store.json("resend", notification)["result"] as? String == "SUCCESS")
                // The store's delivery pass can send a fourth time between the last two commands.
                #expect((3...4).contains(server.received.count { $0.notificationUUID == notification }))
                #expect(try await store.run("resend", "nothing").code == 1)
            }
        }
    }

    @Test func `listen reports the server's response and fails without a store`() async throws {
        try await CommandFolder.with { command in
            let gone = try await command.run("listen", "--forward-to", "http://127.0.0.1:1/", "--store", "http://127.0.0.1:1")
            #expect(gone.code == 2 && gone.error.contains("No store responds"))
            #expect(try await command.run("listen", "--forward-to", "here").code == 64)
        }
        try await RunningStore.with { store in
            _ = try await store.json("store", "buy", RunningStore.shed.rawValue, "--account", "jane")
            let listener = try LineProcess(
                BuiltProducts.path("tillroll"),
                ["listen", "--forward-to", "http://127.0.0.1:1/", "--after", "0", "--store", store.url, "--json"],
                standardError: .nullDevice)
            #expect(await listener.lines.first { _ in true }?.contains("NO_RESPONSE") == true)
            await listener.kill()
        }
    }
}

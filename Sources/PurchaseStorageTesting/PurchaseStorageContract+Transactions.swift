import Foundation
import PurchaseModel
import PurchaseStorage

extension PurchaseStorageContract {
    private struct Undone: Error {}

    static let transactionChecks: [Check] = [
        Check(description: "a transaction whose body throws writes nothing, and its error reaches the caller") { storage, _ in
            do {
                try await storage.write(app) { records in
                    try records.put(Data([1]), named: "undone")
                    throw Undone()
                }
                throw ContractViolation(description: "the error of the body was lost")
            } catch is Undone {}
            try await storage.write(app) { try $0.put(Data([2]), named: "done") }
            let stored = try await storage.read(app) { records in
                [try records.secret("undone"), try records.secret("done")]
            }
            try expect(stored, equals: [nil, Data([2])], "the secrets after a failed and a successful transaction")
        },
        Check(description: "a transaction that fails among concurrent ones undoes only its own writes") { storage, _ in
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<40 {
                    group.addTask {
                        try? await storage.write(app) { records in
                            try records.put(Data([1]), named: "secret \(number)")
                            if number.isMultiple(of: 3) { throw Undone() }
                        }
                    }
                }
            }
            let stored = try await storage.read(app) { records in
                try (0..<40).filter { try records.secret("secret \($0)") != nil }
            }
            try expect(stored, equals: (0..<40).filter { !$0.isMultiple(of: 3) }, "the numbers of the stored secrets")
        },
        Check(description: "concurrent transactions that read and write are serializable") { storage, _ in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<50 {
                    group.addTask {
                        try await storage.write(app) { records in
                            let number = try records.secret("number")?.first ?? 0
                            try records.put(Data([number + 1]), named: "number")
                        }
                    }
                }
                try await group.waitForAll()
            }
            let number = try await storage.read(app) { try $0.secret("number") }
            try expect(number, equals: Data([50]), "a number that 50 transactions increased")
        },
        Check(description: "a transaction sees its own writes") { storage, _ in
            let secret = try await storage.write(app) { records in
                try records.put(Data([7]), named: "own")
                return try records.secret("own")
            }
            try expect(secret, equals: Data([7]), "the secret in the transaction that stored it")
        },
        Check(description: "the records of an app are invisible in another app") { storage, events in
            let event = try await events.event(events.transaction("1"))
            try await storage.write(app) { records in
                _ = try records.insert(event, receivedAt: ContractEvents.start)
                try records.put(Data([1]), named: "secret")
            }
            let isInvisible = try await storage.read("com.example.other") { records in
                try records.events(of: "1", limit: 9).isEmpty && records.decidingEvents(of: "1") == nil && records.secret("secret") == nil
                    && records.latestTransactions(limit: 10).isEmpty
            }
            try expect(isInvisible, equals: true, "another app finds nothing")
            let isNew = try await storage.write("com.example.other") { try $0.insert(event, receivedAt: ContractEvents.start) }
            try expect(isNew, equals: true, "another app stores the same event for itself")
        },
        Check(description: "the secrets of all apps are changed in one transaction, or none") { storage, _ in
            let other: BundleID = "com.example.other"
            try expect(try await storage.writeSecrets { try $0.apps() }, equals: [], "the apps with secrets of an empty storage")
            for app in [app, other] { try await storage.write(app) { try $0.put(Data([1]), named: "secret") } }
            try await storage.write("com.example.third") { try $0.put(CustomerRecord(id: "1", createdAt: ContractEvents.start)) }
            @Sendable func change(_ secrets: any SharedSecretRecords, to value: UInt8) throws {
                for app in try secrets.apps() { try secrets.secrets(of: app).put(Data([value]), named: "secret") }
            }
            let apps = try await storage.writeSecrets { secrets in
                try change(secrets, to: 2)
                return try secrets.apps()
            }
            try expect(apps, equals: [app, other], "the apps with secrets")
            do {
                try await storage.writeSecrets { secrets in
                    try change(secrets, to: 3)
                    throw ContractViolation(description: "undone")
                }
            } catch is ContractViolation {}
            for app in [app, other] {
                let secret = try await storage.read(app) { try $0.secret("secret") }
                try expect(secret, equals: Data([2]), "the secret of \(app) after a successful and a failed transaction")
            }
        },
        Check(description: "transactions that write the secrets of all apps run one at a time") { storage, _ in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        try await storage.writeSecrets { secrets in
                            let records = secrets.secrets(of: app)
                            let number = try records.secret("number")?.first ?? 0
                            try records.put(Data([number + 1]), named: "number")
                        }
                    }
                }
                try await group.waitForAll()
            }
            let number = try await storage.read(app) { try $0.secret("number") }
            try expect(number, equals: Data([20]), "the number after 20 increments")
        },
        Check(description: "the storage states that it can be written") { storage, _ in try await storage.checkWritable() },
        Check(description: "a notification is stored once, and the newest are listed first") { storage, _ in
            @Sendable func notification(_ number: Int) -> ReceivedNotification {
                let date = ContractEvents.start.adding(seconds: Int64(number))
                return ReceivedNotification(
                    uuid: "uuid \(number)", kind: "TEST", signedDate: date, receivedAt: date,
                    signedNotification: SignedNotification("a.b.c"),
                    hasTransaction: false)
            }
            let stored = try await storage.write(app) { records in
                try [1, 3, 2, 3].map { try records.insert(notification($0)) }
            }
            try expect(stored, equals: [true, true, true, false], "whether the notifications were new")
            let latest = try await storage.read(app) { try $0.latestNotifications(limit: 2) }
            try expect(latest, equals: [notification(3), notification(2)], "the latest notifications")
            let none = try await storage.read(app) { try $0.latestNotifications(limit: -1) }
            try expect(none, equals: [], "the latest notifications with a negative limit")
            let unsigned = ReceivedNotification(
                uuid: "v1:00", kind: "V1 DID_RENEW", signedDate: ContractEvents.start.adding(seconds: 9), receivedAt: ContractEvents.start,
                signedNotification: nil, hasTransaction: true)
            let isNew = try await storage.write(app) { try $0.insert(unsigned) }
            let newest = try await storage.read(app) { try $0.latestNotifications(limit: 1) }
            try expect(isNew, equals: true, "whether the unsigned notification was new")
            try expect(newest, equals: [unsigned], "the unsigned notification")
            let known = try await storage.read(app) { records in try ["uuid 3", "uuid 4"].map { try records.isStored(notification: $0) } }
            try expect(known, equals: [true, false], "whether two notifications are stored")
            let second = notification(2)
            let after = try await storage.read(app) { try $0.notifications(signedAfter: second.signedDate, second.uuid, limit: 1) }
            try expect(after, equals: [notification(3)], "the notification after the second one")
            let named = try await storage.read(app) { records in try ["uuid 3", "uuid 4"].map { try records.notification($0) } }
            try expect(named, equals: [notification(3), nil], "the notifications with two UUIDs")
            try await storage.write(app) { records in
                for number in [1, 2, 2] { try records.insert(unknown: notification(number)) }
            }
            let unknown = try await storage.read(app) { records in try [9, 1, -1].map { try records.unknownNotifications(limit: $0) } }
            try expect(unknown, equals: [[notification(2), notification(1)], [notification(2)], []], "the unknown notifications")
            try await storage.write(app) { try $0.removeUnknown(notification: notification(2).uuid) }
            let rest = try await storage.read(app) { records in
                (try records.unknownNotifications(limit: 9), try records.isStored(notification: notification(2).uuid))
            }
            try expect(rest.0, equals: [notification(1)], "the unknown notifications after a removal")
            try expect(rest.1, equals: true, "whether the removed notification is stored")
        },
    ]
}

import Foundation
import PurchaseModel
import PurchaseStorage

extension PurchaseStorageContract {
    /// The promises about the progress of a reconciliation, and the purchases to look up.
    static let reconciliationChecks: [Check] = [
        Check(description: "the progress of a reconciliation is stored and replaced, for each environment") { storage, _ in
            let start = ContractEvents.start
            var progress = ReconciliationProgress(environment: .sandbox)
            let window = HistoryWindow(
                start: start, end: start.adding(days: 1), requestedEnd: start.adding(days: 2), paginationToken: "token",
                isVerified: false)
            for (window, date) in [(nil, nil), (window, start), (nil, start.adding(days: 1))] {
                (progress.window, progress.completeUntil, progress.completedAt) = (window, date, date?.adding(seconds: 1))
                try await storage.write(app) { [progress] in try $0.put(progress) }
                let (stored, other, foreign) = try await (
                    storage.read(app) { try $0.reconciliation(in: .sandbox) }, storage.read(app) { try $0.reconciliation(in: .production) },
                    storage.read("com.example.other") { try $0.reconciliation(in: .sandbox) }
                )
                try expect(stored, equals: progress, "the progress")
                try expect(other, equals: nil, "the progress in another environment")
                try expect(foreign, equals: nil, "the progress of another app")
            }
        },
        Check(description: "the due requests to the App Store are listed, earliest first, until they are moved or removed") { storage, _ in
            let start = ContractEvents.start
            func request(_ number: Int, _ kind: AppStoreRequest.Kind, due seconds: Int64) -> AppStoreRequest {
                AppStoreRequest(
                    kind, purchase: "1", transactionID: TransactionID("\(number)"), key: "\(number)", expiresAt: start.adding(days: 1),
                    dueAt: start.adding(seconds: seconds))
            }
            var moved = request(1, .consumption, due: 3)
            let (first, other) = (request(1, .finish, due: 2), request(2, .consumption, due: 4))
            try await storage.write(app) { [moved] records in for request in [moved, first, other] { try records.put(request) } }
            func due(at seconds: Int64, limit: Int = 9) async throws -> [AppStoreRequest] {
                try await storage.read(app) { try $0.requests(dueAt: start.adding(seconds: seconds), limit: limit) }
            }
            try expect(try await due(at: 3), equals: [first, moved], "the requests that are due")
            try expect(try await due(at: 9, limit: 1), equals: [first], "the first request that is due")
            (moved.dueAt, moved.attempts) = (start.adding(seconds: 8), 2)
            try await storage.write(app) { [moved] records in
                try records.put(moved)
                try records.remove(first)
            }
            try expect(try await due(at: 9), equals: [other, moved], "the requests after one was moved and one removed")
            let foreign = try await storage.read("com.example.other") { try $0.requests(dueAt: start.adding(days: 1), limit: 9) }
            try expect(foreign, equals: [], "the requests of another app")
        },
        Check(description: "concurrent claims return each due request and each due look-up once, and move it") { storage, _ in
            let start = ContractEvents.start
            let (count, partition) = (40, QueuePartition.number(of: "1"))
            try await storage.write(app) { records in
                for number in 1...count {
                    try records.put(
                        AppStoreRequest(
                            .finish, purchase: "1", transactionID: TransactionID("\(number)"), key: "\(number)",
                            expiresAt: start.adding(days: 1), dueAt: start))
                    try records.put(PurchaseLookup(purchase: TransactionID("\(number)"), dueAt: start))
                }
            }
            let (keys, purchases) = try await withThrowingTaskGroup(of: ([String], [String]).self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        var (keys, purchases): ([String], [String]) = ([], [])
                        for partition in Array(repeating: partition, count: 5) + Array(0..<QueuePartition.count) {
                            let (requests, lookups) = try await storage.write(app) { records in
                                let later = start.adding(seconds: 60)
                                return (
                                    try records.claimRequests(in: partition, dueAt: start, until: later, limit: 3),
                                    try records.claimLookups(in: partition, dueAt: start, until: later, limit: 3)
                                )
                            }
                            keys += requests.map(\.key)
                            purchases += lookups.map(\.purchase.rawValue)
                        }
                        return (keys, purchases)
                    }
                }
                return try await group.reduce(into: ([String](), [String]())) { $0 = ($0.0 + $1.0, $0.1 + $1.1) }
            }
            let all = (1...count).map(String.init).sorted()
            // A claim leaves out what another transaction is claiming, and returns it later.
            let (restOfKeys, restOfPurchases) = try await storage.read(app) { records in
                (
                    try records.requests(dueAt: start, limit: count).map(\.key),
                    try records.lookups(dueAt: start, limit: count).map(\.purchase.rawValue)
                )
            }
            try expect((keys + restOfKeys).sorted(), equals: all, "the claimed requests and the rest")
            try expect((purchases + restOfPurchases).sorted(), equals: all, "the claimed look-ups and the rest")
            try expect(keys.count >= count / 2 && purchases.count >= count / 2, equals: true, "whether most were claimed")
            let later = try await storage.read(app) { try $0.requests(dueAt: start.adding(seconds: 60), limit: 2 * count).count }
            try expect(later, equals: count, "the requests after the claim has ended")
        },
        Check(description: "the newest refused notifications are kept and listed, newest first") { storage, _ in
            func refused(_ number: Int) -> RefusedNotification {
                RefusedNotification(
                    date: ContractEvents.start.adding(seconds: Int64(number)), code: "code", message: "message \(number)", size: number,
                    head: Data([UInt8(truncatingIfNeeded: number)]))
            }
            let count = RefusedNotification.limit + 7
            for number in 1...count { try await storage.write(app) { [refused = refused(number)] in try $0.insert(refused) } }
            let all = try await storage.read(app) { try $0.refusedNotifications(limit: 10 * count) }
            try expect(all, equals: (8...count).reversed().map(refused), "the refused notifications")
            let (two, foreign) = try await (
                storage.read(app) { try $0.refusedNotifications(limit: 2) },
                storage.read("com.example.other") { try $0.refusedNotifications(limit: 2) }
            )
            try expect(two, equals: Array(all.prefix(2)), "the first two refused notifications")
            try expect(foreign, equals: [], "the refused notifications of another app")
        },
        Check(description: "the progress of an import is stored and replaced, for each file") { storage, _ in
            var progress = ImportProgress(file: "a")
            for line in [Int64(1), 70, 1 << 40] {
                progress.position = ImportPosition(offset: 100 * line, line: line)
                (progress.refusedLength, progress.report.records, progress.report.isComplete) = (line, line, line > 1)
                progress.report.refusals = [ImportRefusal(line: line, code: "code", reason: "reason")]
                try await storage.write(app) { [progress] in try $0.put(progress) }
                let (stored, other, foreign) = try await (
                    storage.read(app) { try $0.importProgress(ofFile: "a") }, storage.read(app) { try $0.importProgress(ofFile: "b") },
                    storage.read("com.example.other") { try $0.importProgress(ofFile: "a") }
                )
                try expect(stored, equals: progress, "the progress")
                try expect(other, equals: nil, "the progress of another file")
                try expect(foreign, equals: nil, "the progress of another app")
            }
        },
        Check(description: "the newest comparisons of verifyReceipt are kept and listed, newest first") { storage, _ in
            func comparison(_ number: Int) -> VerifyReceiptComparison {
                VerifyReceiptComparison(
                    date: ContractEvents.start.adding(seconds: Int64(number)), environment: "Sandbox", receipt: "\(number)", count: number,
                    differences: [VerifyReceiptDifference(path: "status", server: nil, appStore: "21003")])
            }
            let count = VerifyReceiptComparison.limit + 7
            for number in 1...count { try await storage.write(app) { [comparison = comparison(number)] in try $0.insert(comparison) } }
            let (all, foreign) = try await (
                storage.read(app) { try $0.verifyReceiptComparisons(limit: 10 * count) },
                storage.read("com.example.other") { try $0.verifyReceiptComparisons(limit: 2) }
            )
            try expect(all, equals: (8...count).reversed().map(comparison), "the comparisons")
            try expect(foreign, equals: [], "the comparisons of another app")
        },
        Check(description: "the due look-ups are listed, earliest first, until they are moved or removed") { storage, _ in
            let lookups = (1...4).map { number in
                PurchaseLookup(purchase: TransactionID("\(number)"), dueAt: ContractEvents.start.adding(seconds: Int64(number % 4)))
            }
            func due(at seconds: Int64, limit: Int = 10) async throws -> [String] {
                try await storage.read(app) { records in
                    try records.lookups(dueAt: ContractEvents.start.adding(seconds: seconds), limit: limit).map(\.purchase.rawValue)
                }
            }
            try await storage.write(app) { records in for lookup in lookups { try records.put(lookup) } }
            try expect(try await due(at: 2), equals: ["4", "1", "2"], "the look-ups that are due")
            try expect(try await due(at: 2, limit: 2), equals: ["4", "1"], "the first two look-ups that are due")
            try await storage.write(app) { records in
                try records.put(PurchaseLookup(purchase: "4", dueAt: ContractEvents.start.adding(seconds: 9)))
                try records.removeLookup(of: "1")
                try records.removeLookup(of: "5")
            }
            try expect(try await due(at: 3), equals: ["2", "3"], "the look-ups after one was moved and one removed")
            try expect(try await due(at: 9), equals: ["2", "3", "4"], "all look-ups")
            let asked = PurchaseLookup(purchase: "2", dueAt: ContractEvents.start, askedAt: ContractEvents.start.adding(seconds: 1))
            let (stored, none, foreign) = try await storage.write(app) { records in
                try records.put(asked)
                return (try records.lookup(of: "2"), try records.lookup(of: "1"), try records.lookups(dueAt: asked.dueAt, limit: 1))
            }
            try expect(stored, equals: asked, "a look-up with the date of the last answer")
            try expect(none, equals: nil, "a removed look-up")
            try expect(foreign, equals: [asked], "the first look-up with the date of the last answer")
        },
    ]
}

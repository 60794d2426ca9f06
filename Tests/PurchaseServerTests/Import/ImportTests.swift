import Crypto
import Foundation
import FoundationExtras
import PurchaseIssuing
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import StoreProtocol
import StoreTestSupport
import Testing

@testable import PurchaseMaintenance
@testable import PurchaseServer
@testable import PurchaseStorage

/// Tests of imports with a local App Store.
@Suite struct ImportTests {
    /// A file to import, and what became of its import.
    private struct Import {
        let shop: ConnectedShop
        let folder: TemporaryFolder
        var format = ImportFormat.csv
        var concurrency = 4
        var path: String { folder.file("purchases.\(format.rawValue)").path }
        var refusedFile: String { path + ".refused.jsonl" }

        func run(_ text: String? = nil, restarts: Bool = false) async throws -> ImportReport {
            if let text { try Data(text.utf8).write(to: URL(filePath: path)) }
            var options = PurchaseFileImporter.Options(format: format, refusedFile: refusedFile)
            options.concurrency = concurrency
            options.restarts = restarts
            return try await #require(shop.server.importer(of: .test)).run(path, options)
        }

        /// The lines of the file of refused lines.
        func refused() throws -> [JSONValue] {
            try Data(contentsOf: URL(filePath: refusedFile)).split(separator: UInt8(ascii: "\n")).map {
                try #require(JSONReader.read(Array($0)))
            }
        }
    }

    private func with(
        clock: ManualClock = ManualClock(), timer: (any Clock<Duration>)? = nil, change: Shop.Change = Shop.Change { _ in },
        _ body: @Sendable (ConnectedShop, TemporaryFolder) async throws -> Void
    ) async throws {
        try await ConnectedShop.open(clock: clock, timer: timer ?? InstantTimer(clock), change: change) { shop in
            try await TemporaryFolder.with { folder in try await body(shop, folder) }
        }
    }

    private static let jane = CustomerID("1a1a1a1a-1111-4222-8333-444444444444")

    @Test func `identifiers are imported with all periods, renewal info, refunds and customers`() async throws {
        try await with { shop, folder in
            let magazine = try await shop.device.buy(.magazine)
            let book = try await shop.device.buy(.book)
            let filter = try await shop.device.buy(.filter)
            try await shop.pass(days: 70)
            try await shop.store.refund(filter.transactionId)
            let file = """
                Original Transaction ID,plan,customer\r
                \(magazine.transactionId),"a ""quoted"", plan",\(Self.jane)\r
                \(book.transactionId),,"account-42"\r
                \(filter.transactionId),,\(Self.jane)\r
                """
            let report = try await Import(shop: shop, folder: folder).run(file)
            #expect(
                report.isComplete && report.summary == "Records: 3 (3 imported, 0 already known, 0 unknown to the App Store, 0 refused)")
            let entitlements = shop.app.entitlements
            let subscription = try await entitlements.read(EntitlementName(ProductID.magazine.rawValue), of: .id(Self.jane), at: nil)
            #expect(subscription.isActive)
            let periods = try await shop.app.storage.read(.test) { try $0.transactions(of: magazine.transactionId) }
            #expect(periods.count == 3)
            let deciding = try await shop.app.storage.read(.test) { try $0.decidingEvents(of: magazine.transactionId) }
            #expect(deciding?.renewal?.renewal?.autoRenewStatus == 1)
            #expect(try await entitlements.read(EntitlementName(ProductID.filter.rawValue), of: .id(Self.jane), at: nil).state == .revoked)
            #expect(try await entitlements.read(EntitlementName(ProductID.book.rawValue), of: .alias("account-42"), at: nil).isActive)

            #expect(try await Import(shop: shop, folder: folder).run().summary.contains("0 imported, 3 already known"))
            let again = try await Import(shop: shop, folder: folder).run(restarts: true)
            #expect(again.summary == "Records: 3 (0 imported, 3 already known, 0 unknown to the App Store, 0 refused)")
            // A complete import of the same file is not repeated.
            #expect(try await Import(shop: shop, folder: folder).run() == again)
        }
    }

    @Test func `receipts are imported, a consumable adds its credits once, and a customer can follow later`() async throws {
        try await with { shop, folder in
            _ = try await shop.device.buy(.credits)
            _ = try await shop.device.buy(.book)
            let receipt = try await shop.device.receipt().base64EncodedString(options: .lineLength64Characters)
            func line(_ customer: String?) throws -> String {
                let members = [("receipt", receipt)] + (customer.map { [("customer", $0)] } ?? [])
                return String(
                    decoding: JSONValue.object(members.map { JSONValue.Member($0.0, .string($0.1)) }).bytes, as: UTF8.self)
            }
            let job = Import(shop: shop, folder: folder, format: .jsonl)
            #expect(try await job.run("\u{FEFF}" + line(nil)).imported == 1)
            #expect(try await shop.app.ledger.balances(of: .id(Self.jane)).amount() == 0)
            #expect(try await job.run(line(Self.jane.rawValue)).imported == 1)
            #expect(try await job.run(line(Self.jane.rawValue) + "\n" + line(Self.jane.rawValue)).known == 2)
            #expect(try await shop.app.ledger.balances(of: .id(Self.jane)).amount() == 5)
        }
    }

    @Test func `refused and unknown lines are in the report and in a file, which can be imported again`() async throws {
        try await with(change: Shop.Change { $0.transfers = TransferRules(policy: .keep) }) { shop, folder in
            let book = try await shop.buy(.book)
            let forged = Data(try TestAuthority.other.receipts.issue(.sample())).base64EncodedString()
            let file = """
                transaction_id,receipt,customer
                \(book.transactionId),,\(Self.jane)
                9999999999999999,,
                ,\(forged),
                12x,,
                "1"2,,
                \(book.transactionId),,\(Shop.customer)
                1,2,3,4

                "unterminated,,
                """
            let job = Import(shop: shop, folder: folder)
            let report = try await job.run(file)
            #expect(report.summary == "Records: 8 (0 imported, 1 already known, 1 unknown to the App Store, 6 refused)")
            let expected: [(Int64, String)] = [
                (2, "import.other-customer"), (3, "proof.unknown-transaction"), (4, "proof.refused"), (5, "line.identifier"),
                (6, "line.quote"), (8, "line.field-count"), (10, "line.unterminated-quote"),
            ]
            #expect(report.refusals.map(\.line) == expected.map(\.0) && report.refusals.map(\.code) == expected.map(\.1))
            let refused = try job.refused()
            #expect(refused.map { $0["code"]?.text } == expected.map(\.1) && refused[0]["line"] == .number(2))
            #expect(refused[0]["original_transaction_id"]?.text == book.transactionId.rawValue && refused[4]["text"]?.text == "\"1\"2,,\n")
            let again = Import(shop: shop, folder: folder, format: .jsonl)
            let copy = try String(contentsOf: URL(filePath: job.refusedFile), encoding: .utf8)
            #expect(try await again.run(copy).refusals.map(\.code).prefix(4) == expected.map(\.1).prefix(4)[...])
        }
    }

    @Test func `a rate limit of the App Store delays the import, and loses nothing`() async throws {
        let clock = ManualClock()
        let timer = InstantTimer(clock)
        try await with(clock: clock, timer: timer) { shop, folder in
            let book = try await shop.device.buy(.book)
            var fault = Fault(.status(code: 429, retryAfterSeconds: 120))
            (fault.surface, fault.count) = (.serverAPI, 6)
            _ = try await shop.store.call(ControlEndpoints.setFault, fault)
            let report = try await Import(shop: shop, folder: folder).run("transaction_id\n\(book.transactionId)\n")
            #expect(report.isComplete && report.imported == 1)
            #expect(timer.delays.contains { $0 >= .seconds(59) })
        }
    }

    @Test func `a request that the App Store refuses for ever does not keep the later records from being imported`() async throws {
        try await with { shop, folder in
            let ids = [try await shop.device.buy(.book).transactionId, try await shop.device.buy(.filter).transactionId]
            var fault = Fault(.status(code: 400, retryAfterSeconds: nil))
            (fault.surface, fault.count) = (.serverAPI, 2)
            _ = try await shop.store.call(ControlEndpoints.setFault, fault)
            let report = try await Import(shop: shop, folder: folder, concurrency: 1).run("transaction_id\n\(ids[0])\n\(ids[1])\n")
            #expect(report.isComplete && report.imported == 1)
            #expect(report.refusals.map(\.code) == ["import.app-store"] && report.refusals.map(\.line) == [2])
        }
    }

    @Test func `the file that is imported is not the file of refused lines`() async throws {
        try await with { shop, folder in
            let path = folder.file("purchases.csv").path
            let text = "transaction_id\n12x\n"
            try Data(text.utf8).write(to: URL(filePath: path))
            let importer = try #require(shop.server.importer(of: .test))
            await #expect(throws: PurchaseImportError.refusedFile(path: path)) {
                try await importer.run(path, PurchaseFileImporter.Options(format: .csv, refusedFile: path))
            }
            #expect(try String(contentsOf: URL(filePath: path), encoding: .utf8) == text)
        }
    }

    @Test func `several records of one purchase are one purchase, and a later one of another customer is refused`() async throws {
        try await with { shop, folder in
            let book = try await shop.device.buy(.book).transactionId
            let filter = try await shop.device.buy(.filter).transactionId
            let names = (1...8).map { "account-\($0)" }
            var lines = ["transaction_id,customer"] + names.map { "\(book),\($0)" }
            lines += ["\(book),account-1", "\(book),", "\(filter),", "\(filter),account-2", "\(filter),account-3"]
            let job = Import(shop: shop, folder: folder, concurrency: 8)
            let report = try await job.run(lines.joined(separator: "\n"))
            // The filter is imported without a customer, and then gets the first one.
            #expect(report.summary == "Records: 13 (3 imported, 2 already known, 0 unknown to the App Store, 8 refused)")
            #expect(report.refusals.map(\.line) == [3, 4, 5, 6, 7, 8, 9, 14] && Set(report.refusals.map(\.code)) == ["import.double"])
            #expect(report.refusals[0].reason.hasPrefix("Line 2 names the same purchase for another customer"))
            let entitlements = shop.app.entitlements
            let owner = try await entitlements.read(EntitlementName(ProductID.book.rawValue), of: .alias("account-1"), at: nil)
            #expect(owner.isActive)
            let claims = try await shop.app.storage.read(.test) { try $0.claims(of: book) }
            #expect(claims.count == 1)
            #expect(try await entitlements.read(EntitlementName(ProductID.filter.rawValue), of: .alias("account-2"), at: nil).isActive)
        }
    }

    @Test func `two transactions of one subscription for two customers are one purchase`() async throws {
        try await with { shop, folder in
            let first = try await shop.device.buy(.magazine).transactionId
            try await shop.pass(days: 40)
            _ = try await Import(shop: shop, folder: folder).run("transaction_id\n\(first)\n")
            let periods = try await shop.app.storage.read(.test) { try $0.transactions(of: first) }
            let second = try #require(periods.map(\.transaction.transactionId).first { $0 != first })
            let report = try await Import(shop: shop, folder: folder, concurrency: 1).run(
                "transaction_id,customer\n\(first),account-1\n\(second),account-2\n")
            #expect(report.imported == 1 && report.refusals.map(\.code) == ["import.double"])
            let magazine = EntitlementName(ProductID.magazine.rawValue)
            #expect(try await shop.app.entitlements.read(magazine, of: .alias("account-1"), at: nil).isActive)
        }
    }

    @Test func `two receipts with several purchases for two customers are refused after the first one`() async throws {
        try await with { shop, folder in
            _ = try await shop.device.buy(.book)
            let book = try await shop.device.receipt().base64EncodedString()
            _ = try await shop.device.buy(.filter)
            let both = try await shop.device.receipt().base64EncodedString()
            _ = try await shop.device.buy(.magazine)
            let all = try await shop.device.receipt().base64EncodedString()
            let report = try await Import(shop: shop, folder: folder, concurrency: 1).run(
                "receipt,customer\n\(both),account-1\n\(all),account-2\n\(book),account-1\n")
            #expect(report.refusals.map(\.code) == ["import.double"] && report.refusals.map(\.line) == [3])
            for product in [ProductID.book, .filter] {
                let entitlement = EntitlementName(product.rawValue)
                #expect(try await shop.app.entitlements.read(entitlement, of: .alias("account-1"), at: nil).isActive)
            }
        }
    }

    @Test func `a record waits for another one of its purchase, and counts if that one is refused`() async throws {
        let owners = ImportOwners()
        let (first, second) = (OpaqueText("purchase 1"), OpaqueText("purchase 2"))
        #expect(owners.take(first, .alias("account-1"), line: 2)?.line == nil)
        async let waiting = owners.take([second, first], .alias("account-2"), line: 3)
        owners.end([first], line: 2, isRefused: true)
        let others = try await waiting
        #expect(others.isEmpty)
        owners.end([first, second], line: 3, isRefused: false)
        #expect(try await owners.take([first, second], .alias("account-3"), line: 4).map(\.line) == [3, 3])
    }

    @Test func `a continued import remembers which customer a processed record names`() async throws {
        try await with { shop, folder in
            let book = try await shop.device.buy(.book).transactionId
            let job = Import(shop: shop, folder: folder)
            let header = "transaction_id,customer\n"
            let text = header + "bad,\n\(book),account-1\n\(book),account-2\n"
            #expect(try await job.run(text).refusals.map(\.code) == ["line.identifier", "import.double"])
            let digest = try #require(try await shop.progress.first)
            var progress = try #require(try await shop.app.storage.read(.test) { try $0.importProgress(ofFile: digest) })
            let first = try Data(contentsOf: URL(filePath: job.refusedFile)).prefix { $0 != UInt8(ascii: "\n") }
            progress.report.isComplete = false
            progress.position = ImportPosition(offset: Int64(header.utf8.count + 5 + book.rawValue.utf8.count + 11), line: 4)
            progress.refusedLength = Int64(first.count + 1)
            progress.refusedDigest = Hexadecimal.encode(SHA256.hash(data: first + [UInt8(ascii: "\n")]))
            try await shop.app.storage.write(.test) { [progress] in try $0.put(progress) }
            _ = try await job.run()
            #expect(try job.refused().map { $0["code"]?.text } == ["line.identifier", "import.double"])
        }
    }

    @Test(arguments: [false, true])
    func `a continued import remembers the purchases of processed receipts and renewals`(_ isReceipt: Bool) async throws {
        try await with { shop, folder in
            let magazine = try await shop.device.buy(.magazine).transactionId
            let receipt = try await shop.device.receipt().base64EncodedString()
            try await shop.pass(days: 40)
            _ = try await Import(shop: shop, folder: folder).run("transaction_id\n\(magazine)\n")
            let periods = try await shop.app.storage.read(.test) { try $0.transactions(of: magazine) }
            let renewal = try #require(periods.map(\.transaction.transactionId).first { $0 != magazine })
            let begin = "transaction_id,receipt,customer\n" + (isReceipt ? ",\(receipt),account-1\n" : "\(renewal),,account-1\n")
            let job = Import(shop: shop, folder: folder, concurrency: 1)
            #expect(try await job.run(begin + "\(magazine),,account-2\n").refusals.map(\.code) == ["import.double"])
            // As after a kill: the progress is after the first record, before which no line was refused.
            let digests = try await shop.progress
            let stored = try await shop.app.storage.read(.test) { records in
                try digests.compactMap { try records.importProgress(ofFile: $0) }
            }
            var progress = try #require(stored.first { $0.report.records == 2 })
            (progress.report, progress.refusedLength) = (ImportReport(), 0)
            progress.position = ImportPosition(offset: Int64(begin.utf8.count), line: 3)
            try await shop.app.storage.write(.test) { [progress] in try $0.put(progress) }
            #expect(try await job.run().refusals.map(\.code) == ["import.double"])
        }
    }

    @Test func `the columns of RevenueCat's exports are read`() async throws {
        try await with { shop, folder in
            let magazine = try await shop.device.buy(.magazine).transactionId
            let book = try await shop.device.buy(.book).transactionId
            try await shop.pass(days: 40)
            let anonymous = "$RCAnonymousID:87c6049c58069238dce29853916d624c"
            let report = try await Import(shop: shop, folder: folder).run(
                """
                rc_original_app_user_id,rc_last_seen_app_user_id_alias,country,store,store_transaction_id,original_store_transaction_id
                \(anonymous),jane,US,app_store,\(magazine),\(magazine)
                \(anonymous),jane,US,app_store,9999999999999999,\(magazine)
                jack,\(anonymous),US,app_store,\(book),\(book)
                jack,jack,US,play_store,GPA.3309-9122-6177-45730,GPA.3309-9122-6177-45730
                """)
            #expect(report.summary == "Records: 4 (2 imported, 1 already known, 0 unknown to the App Store, 1 refused)")
            #expect(report.refusals.map(\.code) == ["line.other-store"])
            for (name, product) in [("jane", ProductID.magazine), ("jack", .book)] {
                let entitlement = EntitlementName(product.rawValue)
                #expect(try await shop.app.entitlements.read(entitlement, of: .alias(OpaqueText(name)), at: nil).isActive, "\(name)")
            }
        }
    }

    @Test(arguments: ["file", "link", "pipe", "hard link", "folder"])
    func `an existing file is never changed by the file of refused lines`(_ kind: String) async throws {
        try await with { shop, folder in
            let job = Import(shop: shop, folder: folder)
            let other = folder.file("other")
            try Data("corrected\n".utf8).write(to: other)
            let manager = FileManager.default
            switch kind {
            case "file": try manager.copyItem(atPath: other.path, toPath: job.refusedFile)
            case "link": try manager.createSymbolicLink(atPath: job.refusedFile, withDestinationPath: other.path)
            case "hard link": try manager.linkItem(atPath: other.path, toPath: job.refusedFile)
            case "pipe": #expect(mkfifo(job.refusedFile, 0o600) == 0)
            default: try manager.createDirectory(atPath: job.refusedFile, withIntermediateDirectories: false)
            }
            for restarts in [false, true] {
                await #expect(throws: PurchaseImportError.refusedFileExists(path: job.refusedFile)) {
                    try await job.run("transaction_id\nbad\n", restarts: restarts)
                }
            }
            #expect(try Data(contentsOf: other) == Data("corrected\n".utf8))
        }
    }

    @Test func `an import continues with a copy of its refused lines, and not with other lines`() async throws {
        try await with { shop, folder in
            let job = Import(shop: shop, folder: folder)
            let complete = try await job.run("transaction_id\nbad\n")
            let url = URL(filePath: job.refusedFile)
            let lines = try Data(contentsOf: url)
            let digest = try #require(try await shop.progress.first)
            var progress = try #require(try await shop.app.storage.read(.test) { try $0.importProgress(ofFile: digest) })
            #expect(progress.refusedDigest == Hexadecimal.encode(SHA256.hash(data: lines)))
            progress.report.isComplete = false
            func run(_ progress: ImportProgress, _ content: Data) async throws -> ImportReport {
                try await shop.app.storage.write(.test) { try $0.put(progress) }
                try FileManager.default.removeItem(at: url)
                try content.write(to: url)
                return try await job.run()
            }
            progress.refusedFile = "another device"
            #expect(try await run(progress, lines) == complete)
            // A version before both members began the import.
            var early = progress
            (early.refusedFile, early.refusedDigest) = (nil, nil)
            #expect(try await run(early, lines) == complete)
            let corrected = Data(lines.reversed())
            let refused = progress
            await #expect(throws: PurchaseImportError.refusedFileExists(path: job.refusedFile)) { _ = try await run(refused, corrected) }
            #expect(try Data(contentsOf: url) == corrected)
        }
    }

    @Test func `corrected lines of a complete import are not emptied by the next one`() async throws {
        try await with { shop, folder in
            let job = Import(shop: shop, folder: folder)
            #expect(try await job.run("transaction_id\nbad\n").refused == 1)
            let lines = try Data(contentsOf: URL(filePath: job.refusedFile))
            await #expect(throws: PurchaseImportError.refusedFileExists(path: job.refusedFile)) {
                try await job.run("transaction_id\nworse\n")
            }
            await #expect(throws: PurchaseImportError.refusedFileExists(path: job.refusedFile)) { try await job.run(restarts: true) }
            #expect(try Data(contentsOf: URL(filePath: job.refusedFile)) == lines)
        }
    }

    @Test(arguments: ["/dev/zero", "/dev/stdin", "pipe"])
    func `a device and a pipe are not imported`(_ name: String) async throws {
        try await with { shop, folder in
            let path = name == "pipe" ? folder.file("pipe").path : name
            if name == "pipe" { #expect(mkfifo(path, 0o600) == 0) }
            let options = PurchaseFileImporter.Options(format: .csv, refusedFile: folder.file("refused").path)
            await #expect(throws: PurchaseImportError.unreadable(path: path)) {
                try await #require(shop.server.importer(of: .test)).run(path, options)
            }
        }
    }

    @Test func `an unavailable App Store ends the import after several attempts, and the next run continues`() async throws {
        try await with { shop, folder in
            var ids: [TransactionID] = []
            for _ in 0..<3 { ids.append(try await shop.device.buy(.credits).transactionId) }
            let job = Import(shop: shop, folder: folder, concurrency: 1)
            let file = "transaction_id,customer\n\(ids[0]),\(Self.jane)\nbad,\n\(ids[1]),\(Self.jane)\n\(ids[2]),\(Self.jane)\n"
            // A file that begins alike is another file.
            #expect(try await job.run("transaction_id,customer\n\(ids[0]),\(Self.jane)\n").imported == 1)
            try await shop.setServerAPI(failing: true)
            let stopped = try await job.run(file)
            #expect(!stopped.isComplete && stopped.message?.contains("Run the command again") == true && stopped.records == 0)
            try await shop.setServerAPI(failing: false)
            let complete = try await job.run()
            #expect(complete.isComplete && complete.message == nil && complete.records == 4 && complete.refused == 1)
            #expect(try job.refused().count == 1)
            #expect(try await shop.app.ledger.balances(of: .id(Self.jane)).amount() == 15)
        }
    }

    @Test func `an import continues at its progress, and refused lines after it are not duplicated`() async throws {
        try await with { shop, folder in
            let rows = (0..<200).map { $0 % 3 == 0 ? "x\($0)" : "\(9_000_000_000_000_000 + $0)" }
            let job = Import(shop: shop, folder: folder)
            let complete = try await job.run("transaction_id\n" + rows.joined(separator: "\n"))
            let expected = try job.refused()
            #expect(complete.records == 200 && complete.refused == 67 && complete.unknown == 133 && expected.count == 200)
            #expect(complete.refusals.count == ImportReport.listLimit)
            // As after a kill: an earlier progress, and lines after it.
            let digest = try #require(try await shop.progress.first)
            var progress = try #require(try await shop.app.storage.read(.test) { try $0.importProgress(ofFile: digest) })
            #expect(progress.position.line == 201 && progress.refusedLength > 0)
            let first = try Data(contentsOf: URL(filePath: job.refusedFile)).prefix { $0 != UInt8(ascii: "\n") }
            progress.report = ImportReport()
            progress.report.add(.refused(ImportRefusal(line: 2, code: "line.identifier", reason: ""), isUnknown: false))
            progress.position = ImportPosition(offset: 15 + 3, line: 3)
            progress.refusedLength = Int64(first.count + 1)
            progress.refusedDigest = Hexadecimal.encode(SHA256.hash(data: first + [UInt8(ascii: "\n")]))
            try await shop.app.storage.write(.test) { [progress] in try $0.put(progress) }
            let continued = try await job.run()
            #expect(continued.records == 200 && continued.refused == 67 && continued.unknown == 133)
            #expect(try job.refused() == expected)
            try Data().write(to: URL(filePath: job.refusedFile))
            progress.report.isComplete = false
            try await shop.app.storage.write(.test) { [progress] in try $0.put(progress) }
            await #expect(throws: PurchaseImportError.refusedFileLost(path: job.refusedFile)) { try await job.run() }
            // An empty file is used again.
            #expect(try await job.run(restarts: true).records == 200)
        }
    }

    @Test func `without a key of the App Store Server API, receipts are imported, and identifiers are refused`() async throws {
        try await with(change: Shop.Change { $0.appStoreServerAPI = nil }) { shop, folder in
            let book = try await shop.device.buy(.book)
            let receipt = try await shop.device.receipt().base64EncodedString()
            let file = "transaction_id,receipt\n\(book.transactionId),\(receipt)\n\(book.transactionId),\n"
            let report = try await Import(shop: shop, folder: folder).run(file)
            #expect(report.imported == 1 && report.refusals.map(\.code) == ["proof.lookup-not-configured"])
        }
    }

    @Test func `a file without a header, and a file that can't be read, are not imported`() async throws {
        try await with { shop, folder in
            let job = Import(shop: shop, folder: folder)
            for text in ["", "1\n2\n", "customer\njane\n", "\"transaction_id"] {
                await #expect(throws: PurchaseImportError.header(path: job.path)) { try await job.run(text) }
            }
            try FileManager.default.removeItem(atPath: job.path)
            await #expect(throws: PurchaseImportError.unreadable(path: job.path)) { try await job.run() }
            try FileManager.default.createDirectory(atPath: job.path, withIntermediateDirectories: false)
            await #expect(throws: PurchaseImportError.unreadable(path: job.path)) { try await job.run() }
        }
    }
}

extension ConnectedShop {
    /// The digests of the imported files.
    fileprivate var progress: [String] {
        get async throws {
            let checked = try #require((server.storage as? MonitoredStorage)?.storage as? CheckedStorage)
            return try await checked.storage.read(.test) { records in
                try #require(records as? SQLTransaction).all("SELECT file FROM import_progress WHERE app = ?1") { try $0["file"] }
            }
        }
    }
}

import Foundation
import ProcessTestSupport
import PurchaseModel
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing

/// Tests of `tillroll-server import`, which is killed and started again.
@Suite struct ImportKillTests {
    private static let customer: CustomerID = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"
    private static let purchases = 60
    private static let rounds = ProcessInfo.processInfo.environment["TILLROLL_SOAK"] == nil ? 4 : 30

    /// A folder with the files of a server and a file to import.
    private struct Folder {
        let folder: TemporaryFolder
        let options: [String]
        var file: String { folder.file("purchases.csv").path }
        var refused: Data { get throws { try Data(contentsOf: URL(filePath: file + ".refused.jsonl")) } }

        init(_ folder: TemporaryFolder, _ store: StoreHarness) throws {
            self.folder = folder
            try RunningServer.writeFiles(in: folder)
            options = try ReconciliationKillTests.options(store, in: folder)
        }

        var arguments: [String] {
            ["import", file, "--json", "--concurrency", "4", "--requests-per-second", "0"] + RunningServer.arguments(in: folder) + options
        }

        /// Imports to the end, and returns the exit code and the report.
        func run(_ more: [String] = []) async throws -> (code: Int32, report: [String: Any]) {
            let (code, lines) = try await RunningServer.run(arguments + more)
            let last = try #require(lines.last)
            return (code, try #require(try JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any], "\(lines)"))
        }

        /// Returns the sums of the ledger's accounts.
        func ledger() async throws -> [String] {
            try await RunningServer.run(["ledger", "audit"] + RunningServer.arguments(in: folder) + options).lines
        }
    }

    /// Returns a file with each purchase several times, and other lines between them.
    private static func file(of store: StoreHarness) async throws -> Data {
        var ids: [TransactionID] = []
        for number in 0..<purchases {
            let reply = try await store.call(
                ControlEndpoints.buy, BuyRequest(account: .test, productID: number == 0 ? .book : .credits))
            guard case .purchased(let signed, _) = reply else { continue }
            ids.append(try await store.payloads([signed])[0].transactionId)
        }
        try #require(ids.count == purchases)
        var lines = ["note,original_transaction_id,customer"]
        for round in 0..<12 {
            for (number, id) in ids.enumerated() {
                lines.append("\"\(round),\n\",\(id),\(customer)")
                if number % 5 == 0 { lines.append(",refused \(round) \(number),") }
                if number % 7 == 0 { lines.append(",9999999999999999,") }
            }
        }
        return Data((lines.joined(separator: "\n") + "\n").utf8)
    }

    @Test func `an import that is killed again and again ends like one that is not, with each credit once`() async throws {
        let store = try await StoreHarness.start()
        try await store.createAccount(.test)
        let file = try await Self.file(of: store)
        try await TemporaryFolder.with { whole in
            try await TemporaryFolder.with { killed in
                let (whole, killed) = (try Folder(whole, store), try Folder(killed, store))
                for folder in [whole, killed] { try file.write(to: URL(filePath: folder.file)) }
                let (code, expected) = try await whole.run()
                #expect(code == 65 && expected["isComplete"] as? Bool == true)
                var kills = 0
                for round in 1...Self.rounds {
                    let process = try RunningServer.launch(killed.arguments)
                    var steps = 0
                    for await line in process.lines where line.contains(#""event":"progress""#) {
                        steps += 1
                        if steps > round % 3 { break }
                    }
                    await process.kill()
                    if await process.end() == SIGKILL { kills += 1 }
                }
                #expect(kills >= 3)
                let (end, report) = try await killed.run()
                #expect(end == 65)
                for name in ["records", "refused", "unknown"] { #expect(report[name] as? Int == expected[name] as? Int, "\(name)") }
                func count(_ report: [String: Any]) -> Int { (report["imported"] as? Int ?? 0) + (report["known"] as? Int ?? 0) }
                #expect(count(report) == count(expected) && count(report) == 12 * Self.purchases)
                #expect(try killed.refused == whole.refused)
                let ledger = try await killed.ledger()
                #expect(try await whole.ledger() == ledger && ledger.last == "balanced")
                let credits = "\(5 * (Self.purchases - 1))"
                #expect(ledger.contains { $0.hasSuffix(" \(credits)") }, "\(ledger)")
                // The complete import is not repeated.
                #expect(try await killed.run().report["records"] as? Int == expected["records"] as? Int)
            }
        }
    }

    @Test func `a line of 100 MB, NUL, invalid UTF-8 and a byte order mark are refused with their lines, in little memory`() async throws {
        let store = try await StoreHarness.start()
        try await TemporaryFolder.with { folder in
            let folder = try Folder(folder, store)
            func write(_ line: Data, _ end: String) throws {
                var bytes = Data([0xEF, 0xBB, 0xBF] + Array("transaction_id\r\n".utf8))
                bytes.append(line)
                bytes.append(Data("\r\n1\0\n".utf8) + [0xFF] + Data("\n\(end)".utf8))
                try bytes.write(to: URL(filePath: folder.file))
            }
            let long = Data(repeating: UInt8(ascii: "1"), count: 100 << 20)
            try write(long, "\"1\n")
            let (code, report) = try await folder.run()
            let refusals = report["refusals"] as? [[String: Any]] ?? []
            #expect(code == 65 && refusals.map { $0["line"] as? Int } == [2, 3, 4, 5])
            #expect(
                refusals.map { $0["code"] as? String } == ["line.too-long", "line.nul", "line.not-utf-8", "line.unterminated-quote"])
            #expect(try folder.refused.count < 1 << 20)

            // The identifiers at the end are looked up slowly, so that the process still runs when its memory is read.
            let end = String(repeating: "bad\n", count: 100) + String(repeating: "9999999999999999\n", count: 50)
            var peaks: [Int] = []
            for line in [Data(), long] {
                try write(line, end)
                // An import of another file does not replace the lines that were refused before.
                try FileManager.default.removeItem(atPath: folder.file + ".refused.jsonl")
                let process = try RunningServer.launch(folder.arguments + ["--requests-per-second", "1"])
                let progress = await process.lines.first { $0.contains(#""event":"progress""#) }
                #expect(progress != nil)
                peaks.append(try process.peakMemory)
                await process.kill()
            }
            #expect(peaks[1] - peaks[0] < 32 << 20, "\(peaks)")
        }
    }

    @Test func `the command prints a report, and states in its exit code what to do`() async throws {
        let store = try await StoreHarness.start()
        try await store.createAccount(.test)
        try await store.buy(.book)
        try await TemporaryFolder.with { folder in
            let folder = try Folder(folder, store)
            func run(_ file: String, _ more: [String] = []) async throws -> (code: Int32, lines: [String]) {
                try await RunningServer.run(["import", file] + RunningServer.arguments(in: folder.folder) + folder.options + more)
            }
            let id = try #require(try await store.charges().first?.transactionID)
            try Data("transaction_id\n\(id)\n".utf8).write(to: URL(filePath: folder.file))
            let (code, lines) = try await run(folder.file)
            #expect(
                code == 0 && lines.last == "Records: 1 (1 imported, 0 already known, 0 unknown to the App Store, 0 refused)", "\(lines)")
            let restarted = try await run(folder.file, ["--restart"])
            #expect(restarted.lines.last == "Records: 1 (0 imported, 1 already known, 0 unknown to the App Store, 0 refused)")
            try Data("transaction_id\n\(id)\n1x\n".utf8).write(to: URL(filePath: folder.file))
            let refused = try await run(folder.file)
            #expect(refused.code == 65 && refused.lines.contains("line 3: line.identifier: A transaction identifier has 1 to 32 digits."))
            try Data("1\n".utf8).write(to: URL(filePath: folder.file))
            let cases: [([String], Int32, String)] = [
                ([folder.file], 65, "names neither original_transaction_id nor receipt"), (["/nowhere.csv"], 66, "/nowhere.csv"),
                (["purchases.txt"], 64, "--format"), ([folder.file, "--format", "xml"], 64, "csv or jsonl"),
                ([folder.file, "--concurrency", "0"], 64, "--concurrency"),
                ([folder.file, "--requests-per-second", "-1"], 64, "--requests-per-second"),
                ([folder.file, "--format", "jsonl", "--refused-file", "/nowhere/x"], 73, "--refused-file"),
            ]
            for (arguments, code, text) in cases {
                let outcome = try await run(arguments[0], Array(arguments.dropFirst()))
                #expect(outcome.code == code && outcome.lines.contains { $0.contains(text) }, "\(arguments) \(outcome)")
            }
        }
    }
}

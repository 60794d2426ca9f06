import Foundation
import ProcessTestSupport
import PurchaseIssuing
import PurchaseModel
import PurchaseTestSupport
import Testing

/// Tests that `tillroll verify-batch` writes one result per item, in order, also after interruptions.
@Suite struct VerifyBatchTests {
    private static let roots = ["--root", "mine/roots.pem"]

    private static func transactions(_ count: Int, by issuer: SignedDataIssuer = TestAuthority.shared.signedData) throws -> [String] {
        try (1...count).map { try issuer.sign(TransactionPayload.sample(id: TransactionID("\($0)"))).compact }
    }

    private static func receipt() throws -> String {
        try Data(TestAuthority.shared.receipts.issue(.sample())).base64EncodedString()
    }

    private static func text(_ lines: [String]) -> Data {
        Data(lines.map { $0 + "\n" }.joined().utf8)
    }

    private static func objects(_ lines: [String]) -> [[String: Any]] {
        lines.map { (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any] ?? [:] }
    }

    @Test(arguments: [1, 2, 7])
    func `results are in the order of the lines, with the identifiers of each item`(_ jobs: Int) async throws {
        try await CommandFolder.with { command in
            let good = try Self.transactions(400)
            // Malformed lines are refused faster than transactions are verified, so an unordered batch would print them first.
            let lines = good.enumerated().map { $0.offset.isMultiple(of: 3) ? "nonsense \($0.offset)" : $0.element }
            try command.write(Self.text(lines), to: "lines")
            let outcome = try await command.run(["verify-batch", "lines", "--jobs", "\(jobs)"] + Self.roots)
            #expect(outcome.code == 1)
            let results = Self.objects(outcome.lines)
            #expect(results.map { $0["line"] as? Int } == Array(1...400))
            for (index, result) in results.enumerated() {
                let isWrong = index.isMultiple(of: 3)
                #expect(result["result"] as? String == (isWrong ? "refused" : "verified"))
                #expect(result["reason"] as? String == (isWrong ? "malformed" : nil))
                #expect(result["transactionId"] as? String == (isWrong ? nil : "\(index + 1)"))
            }
            #expect(outcome.error == "Items: 400 (266 verified, 134 refused, 0 indeterminate)\n")
        }
    }

    @Test func `receipts, transaction receipts, JWS and JSON that contains them can be mixed`() async throws {
        try await CommandFolder.with { command in
            let ios6 = try await command.run("receipt", "issue", "--authority", "mine", "--format", "ios6", "--base64")
            let lines = [
                try Self.receipt(), "", try Self.transactions(1)[0], ios6.lines[0], "{\"receipt-data\":\"\(try Self.receipt())\"}",
            ]
            let outcome = try await command.run(["verify-batch"] + Self.roots, input: Self.text(lines))
            #expect(outcome.code == 0, "\(outcome.text)")
            let results = Self.objects(outcome.lines)
            #expect(results.map { $0["line"] as? Int } == [1, 3, 4, 5])
            #expect(results.map { $0["kind"] as? String } == ["receipt", "transaction", "transaction_receipt", "receipt"])
            #expect(results[0]["bundleID"] as? String == "com.example.monkeyshop")
        }
    }

    @Test(arguments: [("receipt", [true, false]), ("jws", [false, true]), ("auto", [true, true])])
    func `--kind refuses items of another kind`(_ kind: String, _ passing: [Bool]) async throws {
        try await CommandFolder.with { command in
            let lines = [try Self.receipt(), try Self.transactions(1)[0]]
            let outcome = try await command.run(["verify-batch", "-", "--kind", kind] + Self.roots, input: Self.text(lines))
            #expect(Self.objects(outcome.lines).map { $0["result"] as? String == "verified" } == passing)
        }
    }

    @Test func `the exit code is that of the worst result`() async throws {
        try await CommandFolder.with { command in
            let indeterminate = ["verify-batch", "--revocation", "hard"] + Self.roots
            let good = try Self.transactions(2)
            #expect(try await command.run(indeterminate, input: Self.text(good)).code == 2)
            #expect(try await command.run(indeterminate, input: Self.text(good + ["x"])).code == 1)
            #expect(try await command.run("verify-batch", input: Data()).code == 0)
        }
    }

    @Test func `CRLF line breaks and a last line without a line break are accepted`() async throws {
        try await CommandFolder.with { command in
            let lines = try Self.transactions(3).joined(separator: "\r\n")
            let outcome = try await command.run(["verify-batch"] + Self.roots, input: Data(lines.utf8))
            #expect(outcome.code == 0 && outcome.lines.count == 3)
        }
    }

    @Test func `the files of a folder are verified in the order of their names`() async throws {
        try await CommandFolder.with { command in
            try FileManager.default.createDirectory(at: command.folder.file("in/deeper"), withIntermediateDirectories: true)
            let names = ["10", "9", "b\"c", "a", "Z", "unreadable"]
            for name in names { try command.write(Data(base64Encoded: try Self.receipt()) ?? Data(), to: "in/\(name)") }
            try command.write(Data("hidden".utf8), to: "in/.hidden")
            let dangling = command.folder.file("in/unreadable")
            try FileManager.default.removeItem(at: dangling)
            try FileManager.default.createSymbolicLink(atPath: dangling.path, withDestinationPath: "nowhere")
            let outcome = try await command.run(["verify-batch", "in"] + Self.roots)
            #expect(outcome.code == 2)
            let results = Self.objects(outcome.lines)
            #expect(results.map { $0["file"] as? String } == ["10", "9", "Z", "a", "b\"c", "unreadable"])
            #expect(results.map { $0["result"] as? String } == Array(repeating: "verified", count: 5) + ["indeterminate"])
            #expect(results.last?["reason"] as? String == "unreadable")
        }
    }

    @Test func `a killed batch continues after the last result and neither omits nor repeats a result`() async throws {
        try await CommandFolder.with { command in
            let lines = try Self.transactions(500)
            try command.write(Self.text(lines), to: "lines")
            try command.write(Self.text(Array(lines[..<300])), to: "beginning")
            let whole = try await command.run(["verify-batch", "lines"] + Self.roots)

            // The pipe has 300 lines and stays open, so the batch is killed while it waits for more lines.
            #expect(try await command.shell("mkfifo pipe").code == 0)
            let changeFolder = "cd '\(command.folder.url.path)'; "
            let writer = try LineProcess("/bin/bash", ["-c", changeFolder + "exec 3<>pipe; exec tail -n +1 -f beginning >&3"])
            let arguments = [BuiltProducts.path("tillroll"), "verify-batch", "-", "--output", "results", "--progress"] + Self.roots
            let batch = try LineProcess("/bin/bash", ["-c", changeFolder + "exec \"$@\" <pipe 2>&1", "bash"] + arguments)
            #expect(await batch.lines.first { $0.contains(" done ") } != nil)
            await batch.kill()
            await writer.kill()

            let left = try command.read("results")
            let kept = left.count { $0 == UInt8(ascii: "\n") }
            #expect(kept > 0 && kept <= 300)
            // The kill can interrupt a write.
            try command.write(left + Data("{\"line\":\(kept + 1),\"verd".utf8), to: "results")

            let rest = try await command.run(["verify-batch", "lines", "--output", "results"] + Self.roots)
            #expect(rest.code == 0, "\(rest.error)")
            #expect(rest.error.contains("Continuing after line \(kept)"))
            #expect(rest.error.hasSuffix("Items: 500 (500 verified, 0 refused, 0 indeterminate)\n"))
            #expect(try command.read("results") == whole.output)

            let again = try await command.run(["verify-batch", "lines", "--output", "results"] + Self.roots)
            #expect(again.code == 0)
            #expect(try command.read("results") == whole.output)
        }
    }

    @Test func `a batch of a folder continues after the last file and counts earlier results`() async throws {
        try await CommandFolder.with { command in
            try FileManager.default.createDirectory(at: command.folder.file("in"), withIntermediateDirectories: true)
            for name in ["a", "b"] { try command.write(Data(Self.receipt().utf8), to: "in/\(name)") }
            try command.write(Data("nonsense!".utf8), to: "in/a0")
            let arguments = ["verify-batch", "in", "--output", "results"] + Self.roots
            #expect(try await command.run(arguments).code == 1)
            try command.write(Data(Self.receipt().utf8), to: "in/c")
            let again = try await command.run(arguments)
            #expect(again.code == 1 && again.error.hasSuffix("Items: 4 (3 verified, 1 refused, 0 indeterminate)\n"))
            let results = try Self.objects(String(decoding: command.read("results"), as: UTF8.self).split(separator: "\n").map(String.init))
            #expect(results.map { $0["file"] as? String } == ["a", "a0", "b", "c"])
        }
    }

    @Test(arguments: ["my notes", "my notes\n", "{\"line\":1}\n", "{\"line\":1,\"result\":\"guilty\"}\n", "[]"])
    func `a file without results is not overwritten`(_ content: String) async throws {
        try await CommandFolder.with { command in
            try command.write(Data(content.utf8), to: "results")
            let outcome = try await command.run(["verify-batch", "--output", "results"], input: Data("x\n".utf8))
            #expect(outcome.code == 64 && outcome.error.contains("other than results"))
            #expect(try command.read("results") == Data(content.utf8))
        }
    }

    @Test func `a batch does not continue the results of a longer input or of another kind of input`() async throws {
        try await CommandFolder.with { command in
            _ = try await command.run(["verify-batch", "--output", "results"], input: Data("x\ny\nz\n".utf8))
            let shorter = try await command.run(["verify-batch", "--output", "results"], input: Data("x\ny\n".utf8))
            #expect(shorter.code == 64 && shorter.error.contains("another input"), "\(shorter.error)")
            try FileManager.default.createDirectory(at: command.folder.file("in"), withIntermediateDirectories: true)
            let folder = try await command.run(["verify-batch", "in", "--output", "results"])
            #expect(folder.code == 64)
        }
    }

    @Test func `two batches cannot write one file`() async throws {
        try await CommandFolder.with { command in
            let outcome = try await command.shell("exec 9>results; flock 9; exec \"$tillroll\" verify-batch --output results <&-")
            #expect(outcome.code == 64 && outcome.error.contains("another call of verify-batch"), "\(outcome.error)")
        }
    }

    @Test(arguments: [(["nowhere"], "nowhere can't be read"), (["--jobs", "0"], "--jobs"), (["--kind", "gift"], "gift")])
    func `wrong usage exits with 64 and names the cause`(_ arguments: [String], _ cause: String) async throws {
        try await CommandFolder.with { command in
            let outcome = try await command.run(["verify-batch"] + arguments)
            #expect(outcome.code == 64 && outcome.error.contains(cause))
        }
    }
}

import ContentStorage
import Foundation
import ProcessTestSupport
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import Testing

/// Tests of `tillroll-server content`.
@Suite struct ContentCommandTests {
    private func with(_ body: (ContentServer) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in try await ContentServer.with(in: folder, body) }
    }

    private static func objects(_ lines: [String]) throws -> [[String: Any]] {
        try lines.map { try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]) }
    }

    @Test func `a running server sends what is published, and no longer what is removed`() async throws {
        try await with { content in
            let missing = try await ContentAnswer.get(nil, from: content.url)
            #expect(missing.status == 401)
            try await content.publish(Data("first".utf8))
            let token = try await content.token().token
            #expect(try await ContentAnswer.get(token, from: content.url).body == Data("first".utf8))
            try await content.publish(Data("second".utf8), version: "2")
            #expect(try await ContentAnswer.get(token, from: content.url).body == Data("second".utf8))
            let removed = try await content.command("remove", ContentServer.product.rawValue, "--version", "2")
            #expect(removed.code == 0 && removed.lines.count == 1 && removed.lines[0].hasPrefix("removed  "), "\(removed.lines)")
            #expect(try await ContentAnswer.get(token, from: content.url).body == Data("first".utf8))
            #expect(try await content.command("remove", ContentServer.product.rawValue).code == 0)
            #expect(try await ContentAnswer.get(token, from: content.url).status == 404)
        }
    }

    @Test func `a file is published once, and its version is never replaced`() async throws {
        try await with { content in
            let file = content.server.folder.file("book.epub").path
            try Data("first".utf8).write(to: URL(filePath: file))
            let arguments = ["publish", ContentServer.product.rawValue, file, "--version", "1", "--json"]
            for event in ["published", "unchanged"] {
                let (code, lines) = try await RunningServer.run(
                    ["content"] + arguments + RunningServer.arguments(in: content.server.folder))
                let last = try #require(try Self.objects(lines).last)
                #expect(code == 0 && last["event"] as? String == event && last["mediaType"] as? String == "application/epub+zip")
                #expect(last["sha256"] as? String == ContentDigest(of: Data("first".utf8)).hexadecimal)
            }
            try Data("other".utf8).write(to: URL(filePath: file))
            let refused = try await content.command("publish", ContentServer.product.rawValue, file, "--version", "1")
            #expect(refused.code == 1)
            #expect(refused.lines.last?.contains("The version 1 of main is published with the file book.epub") == true, "\(refused.lines)")
            let list = try await content.command("list", "--json")
            #expect(try Self.objects(list.lines).map { $0["version"] as? String } == ["1"])
        }
    }

    @Test(arguments: [
        (["publish", "com.example.monkeyshop.bok", "/dev/null"], 1, "com.example.monkeyshop.book"),
        (["publish", ContentServer.product.rawValue, "/nowhere/book"], 1, "/nowhere/book"),
        (["publish", ContentServer.product.rawValue, "/dev/null"], 1, "/dev/null"),
        (["publish", ContentServer.product.rawValue, "/etc/hostname", "--media-type", "text"], 64, "not a media type"),
        (["publish", ContentServer.product.rawValue, "/etc/hostname", "--item", ""], 1, "name of the item"),
        (["publish", ContentServer.product.rawValue, "/etc/hostname", "--file-name", "../a"], 1, "file name"),
        (["remove", ContentServer.product.rawValue], 1, "no such published version"),
        (["prune", "--older-than-hours", "-1"], 64, "older-than-hours"),
    ])
    func `an error states what failed`(_ arguments: [String], _ code: Int32, _ text: String) async throws {
        try await TemporaryFolder.with { folder in
            try RunningServer.writeFiles(products: ContentServer.products, in: folder)
            let outcome = try await RunningServer.run(["content"] + arguments + RunningServer.arguments(in: folder))
            #expect(outcome.code == code && outcome.lines.joined(separator: "\n").contains(text), "\(outcome.lines)")
        }
    }

    @Test func `a publication that was killed is repeated, and its remains are pruned`() async throws {
        try await with { content in
            let folder = content.server.folder
            let uploads = folder.file(".uploads").path
            var bytes = Data()
            // On a busy machine, the command can store a whole file before it is killed.
            for megabytes in [64, 128, 256, 512] {
                bytes = ContentServer.bytes(megabytes << 20)
                try bytes.write(to: folder.file("album"))
                let arguments = ["content", "publish", ContentServer.product.rawValue, folder.file("album").path]
                let process = try RunningServer.launch(arguments + RunningServer.arguments(in: folder))
                for await line in process.lines where line.hasPrefix("stored ") { kill(process.pid, SIGKILL) }
                #expect(await process.end() == SIGKILL)
                #expect(try await content.command("list").lines.isEmpty)
                guard try FileManager.default.contentsOfDirectory(atPath: uploads).isEmpty else { break }
                _ = try await content.command("prune", "--older-than-hours", "0")
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: uploads).count == 1)

            let (code, lines) = try await content.command("publish", ContentServer.product.rawValue, folder.file("album").path)
            #expect(code == 0 && lines.count > 3, "\(lines)")
            let token = try await content.token()
            #expect(token.sha256 == ContentDigest(of: bytes).hexadecimal)

            #expect(try await content.command("prune").lines == ["0 unused objects, and 0 interrupted uploads removed"])
            let pruned = try await content.command("prune", "--older-than-hours", "0")
            #expect(pruned.lines == ["0 unused objects, and 1 interrupted uploads removed"])
            #expect(try FileManager.default.contentsOfDirectory(atPath: uploads).isEmpty)

            #expect(try await content.command("remove", ContentServer.product.rawValue).code == 0)
            let dry = try await content.command("prune", "--older-than-hours", "0", "--dry-run")
            #expect(dry.lines.last == "2 unused objects, nothing removed")
            let last = try await content.command("prune", "--older-than-hours", "0")
            #expect(last.lines.last == "2 unused objects, and 0 interrupted uploads removed")
            // The operator's own files remain.
            #expect(FileManager.default.fileExists(atPath: folder.file("album").path))
        }
    }
}

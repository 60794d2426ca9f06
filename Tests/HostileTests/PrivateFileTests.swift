import Foundation
import ProcessTestSupport
import PurchaseTestSupport
import Testing

/// Tests that other users of the machine cannot read the files that the programs write.
@Suite struct PrivateFileTests {
    /// Lists the files and folders below `folder` that others can access, as `MODE PATH`, and counts all files.
    private static func open(in folder: URL) throws -> (found: [String], files: Int) {
        var (found, files): ([String], Int) = ([], 0)
        let names = try #require(FileManager.default.enumerator(atPath: folder.path))
        for case let name as String in names {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.appending(path: name).path)
            let mode = try #require(attributes[.posixPermissions] as? Int)
            if attributes[.type] as? FileAttributeType == .typeRegular { files += 1 }
            // Root certificates are public: clients that trust them read them.
            let isPublic = name.hasSuffix("root.pem") || name.hasSuffix("roots.pem")
            if isPublic && attributes[.type] as? FileAttributeType == .typeRegular {
                if mode != 0o644 { found.append("\(String(mode, radix: 8)) \(name)") }
            } else if mode & 0o077 != 0 {
                found.append("\(String(mode, radix: 8)) \(name)")
            }
        }
        return (found.sorted(), files)
    }

    /// Starts a program with a umask in a folder.
    private static func start(_ umask: String, _ program: String, _ arguments: [String], in folder: URL) throws -> LineProcess {
        let script = "umask \(umask); cd '\(folder.path)'; export TMPDIR='\(folder.path)'; exec \"$0\" \"$@\" 2>&1"
        return try LineProcess("/bin/bash", ["-c", script, BuiltProducts.path(program)] + arguments)
    }

    /// Runs `body` with a folder that all users can read.
    private static func with(_ body: (CommandFolder, URL) async throws -> Void) async throws {
        try await CommandFolder.with { command in
            let made = command.folder.file("made")
            try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
            try await body(command, made)
            let mode = try FileManager.default.attributesOfItem(atPath: made.path)[.posixPermissions] as? Int
            #expect(mode == 0o755, "An existing folder must keep its permissions.")
        }
    }

    @Test(arguments: ["0022", "0000"], [["--folder", "shop/of/jane"], []])
    func `other users cannot read the files that a store saves, exports and imports`(_ umask: String, _ options: [String]) async throws {
        try await Self.with { command, made in
            let process = try Self.start(umask, "tillroll", ["store", "up", "--port", "0", "--json"] + options, in: made)
            let line = try #require(await process.lines.first { _ in true })
            let answer = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
            let url = try #require(answer["url"] as? String)
            let keep = options.isEmpty ? "" : "--keep"
            let script = """
                set -e; umask \(umask); cd made; export TILLROLL_STORE='\(url)'
                "$tillroll" store create --name sister \(keep) --files keys/of/sister --storekit '\(RunningStore.storekit)' >&2
                "$tillroll" store export shop.tillroll >&2
                "$tillroll" store import shop.tillroll --name copy \(keep) --files keys/of/copy >&2
                """
            let outcome = try await command.shell(script)
            #expect(outcome.code == 0, "\(outcome.error)")
            let (found, files) = try Self.open(in: made)
            #expect(found.isEmpty && files >= 8, "\(files) files")
            #expect(await process.terminate() == 0)
            #expect(try Self.open(in: made).found.isEmpty)
        }
    }

    @Test(arguments: ["0022", "0000"])
    func `other users cannot read the files of a server`(_ umask: String) async throws {
        try await Self.with { _, made in
            let folder = try TemporaryFolder()
            try RunningServer.writeFiles(in: folder)
            let database = ["--database", made.appending(path: "server.sqlite").path]
            let process = try Self.start(umask, "tillroll-server", RunningServer.arguments(in: folder) + database, in: made)
            _ = await process.lines.first { $0.contains("listening") }
            let (found, files) = try Self.open(in: made)
            #expect(found.isEmpty && files >= 1)
            #expect(await process.terminate() == 0)
        }
    }

    @Test(arguments: ["0022", "0000"])
    func `other users cannot read the files of monkeyshop up`(_ umask: String) async throws {
        try await Self.with { _, made in
            let arguments = ["up", "--store-port", "0", "--server-port", "0", "--shop-port", "0", "--json"]
            let process = try Self.start(umask, "monkeyshop", arguments, in: made)
            _ = await process.lines.first { $0.hasPrefix("{") }
            let (found, files) = try Self.open(in: made)
            #expect(found.isEmpty && files >= 5)
            #expect(await process.terminate() == 0)
        }
    }

    @Test func `other users cannot read the files of devices`() async throws {
        try await Self.with { _, made in
            let process = try Self.start("0000", "monkeyshop", ["tour", "--keep", "--json"], in: made)
            #expect(await process.lines.reduce(into: 0) { count, _ in count += 1 } > 12)
            #expect(await process.end() == 0)
            let (found, files) = try Self.open(in: made)
            #expect(found.isEmpty && files >= 20)
        }
    }

    @Test func `other users cannot read the keys of a certificate authority`() async throws {
        try await Self.with { command, made in
            let script = """
                set -e; umask 0000; cd made
                "$tillroll" receipt issue --authority keys/mine > ../receipt
                "$tillroll" jws issue --authority keys/mine --format xcode > ../jws
                """
            let outcome = try await command.shell(script)
            #expect(outcome.code == 0, "\(outcome.error)")
            let (found, files) = try Self.open(in: made)
            #expect(found.isEmpty && files == 4)
        }
    }

    @Test func `opening a store's file removes the read permission of other users`() async throws {
        try await CommandFolder.with { command in
            let shop = command.folder.file("shop")
            for _ in 0..<2 {
                let store = try await RunningStore.start(["--folder", shop.path], in: command)
                #expect(await store.process.terminate() == 0)
                #expect(try Self.open(in: shop).found.isEmpty)
                let path = shop.appending(path: "store.sqlite").path
                try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
            }
        }
    }
}

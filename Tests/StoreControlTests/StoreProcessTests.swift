import Foundation
import PurchaseModel
import StoreControl
import Testing

/// Tests that start the built `tillroll`.
@Suite(.timeLimit(.minutes(10))) struct StoreProcessTests {
    private static let tillroll = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "tillroll").path

    private struct Failure: Error {}

    @Test func `a store in a process plays a subscription`() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "Shop.storekit")
            try TestShop.storekit.write(to: file)
            let events = try await playInProcess(executable: Self.tillroll, storekit: file.path)
            #expect(Set([StoreEvent.Kind.purchase, .renewal, .refund]).isSubset(of: events))
        }
    }

    @Test func `a store in a process ends with the code that uses it`() async throws {
        let url = try await StoreProcess.withStore(executable: Self.tillroll) { store, description in
            #expect(HTTPURL(description.url) == store.url)
            #expect(description.rootCertificate.contains("BEGIN CERTIFICATE"))
            return store.url
        }
        await #expect(throws: StoreControlError.unreachable(url)) { try await StoreClient(url: url).clock() }
    }

    @Test func `a store in a process ends after an error of the code that uses it`() async throws {
        var url: HTTPURL?
        do {
            try await StoreProcess.withStore(executable: Self.tillroll) { store, _ in
                url = store.url
                throw Failure()
            }
        } catch is Failure {}
        let ended = try #require(url)
        await #expect(throws: StoreControlError.unreachable(ended)) { try await StoreClient(url: ended).clock() }
    }

    @Test func `a store with a token is reached with the token that it prints`() async throws {
        let arguments = ["--token", "secret", "--bundle-id", "com.example.shop"]
        try await StoreProcess.withStore(executable: Self.tillroll, arguments: arguments) { store, description in
            #expect(description.bundleID == "com.example.shop")
            let accounts = try await store.accounts()
            #expect(accounts.isEmpty)
            let error = await #expect(throws: StoreControlError.self) { try await StoreClient(url: store.url).accounts() }
            #expect(error?.status == 401 && error?.code == "access.token-missing")
            let environment = ["TILLROLL_STORE": store.url.text, "TILLROLL_TOKEN": "secret"]
            #expect(try await StoreClient.find(environment: environment).url == store.url)
        }
    }

    @Test func `a missing executable and an invalid file are errors with a reason`() async throws {
        let missing = await #expect(throws: StoreControlError.self) {
            try await StoreProcess.withStore(executable: "/nowhere/tillroll") { _, _ in }
        }
        #expect(missing?.description.contains("/nowhere/tillroll") == true)
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "Shop.storekit")
            try Data("nonsense".utf8).write(to: file)
            let invalid = await #expect(throws: StoreControlError.self) {
                try await StoreProcess.withStore(executable: Self.tillroll, storekit: file.path) { _, _ in }
            }
            #expect(invalid?.description.contains("The process ended before the store was ready.") == true)
        }
    }

    @Test func `a store with --until-input-ends ends with its standard input`() async throws {
        let (process, input, output) = (Process(), Pipe(), Pipe())
        process.executableURL = URL(filePath: Self.tillroll)
        process.arguments = ["store", "up", "--port", "0", "--json", "--until-input-ends"]
        (process.standardInput, process.standardOutput) = (input, output)
        let (codes, ended) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { process in
            ended.yield(process.terminationStatus)
            ended.finish()
        }
        try process.run()
        let handle = output.fileHandleForReading
        let announcement: Data = await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: handle.availableData) }
        }
        #expect(!announcement.isEmpty && process.isRunning)
        try input.fileHandleForWriting.close()
        let code = await codes.first { _ in true }
        #expect(code == 0)
        if code == nil { process.terminate() }
    }

    @Test func `a store in a process ends with the process that started it`() async throws {
        try await withScript("echo \"$@\" >&2; exit 1") { script in
            let error = await #expect(throws: StoreControlError.self) { try await StoreProcess.withStore(executable: script) { _, _ in } }
            #expect(error?.description.contains("--until-input-ends") == true)
        }
    }

    @Test func `a process that prints nothing is ended after the time for the start`() async throws {
        // The script ends at once if its standard input is not a pipe that the tests hold open. Descriptor 3 keeps its standard output open.
        try await withScript("exec cat 3>&1 > /dev/null") { script in
            let error = await #expect(throws: StoreControlError.self) {
                try await StoreProcess.withStore(executable: script, startSeconds: 1) { _, _ in }
            }
            #expect(error?.description.contains("printed no address within 1 s") == true, "\(String(describing: error))")
        }
    }

    @Test func `a process that ignores SIGTERM is killed after the grace time`() async throws {
        let script = "trap '' TERM; echo $$ > \"$0.pid\"; echo '{\"url\":\"http://127.0.0.1:9\"}'; exec sleep 600"
        try await withScript(script) { script in
            let url = try #require(HTTPURL("http://127.0.0.1:9"))
            await #expect(throws: StoreControlError.unreachable(url)) {
                try await StoreProcess.withStore(executable: script, graceSeconds: 0) { _, _ in }
            }
            let text = try String(contentsOfFile: script + ".pid", encoding: .utf8)
            let pid = try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
            #expect(kill(pid, 0) == -1)
        }
    }

    @Test func `the folder of a process is removed`() async throws {
        try await withScript("pwd > \"$0.folder\"; touch state; exit 1") { script in
            await #expect(throws: StoreControlError.self) { try await StoreProcess.withStore(executable: script) { _, _ in } }
            let text = try String(contentsOfFile: script + ".folder", encoding: .utf8)
            let folder = text.trimmingCharacters(in: .whitespacesAndNewlines)
            #expect(folder.contains("/store-") && !FileManager.default.fileExists(atPath: folder))
        }
    }

    @Test func `a store in a process ends in a canceled task`() async throws {
        let (urls, started) = AsyncStream.makeStream(of: HTTPURL.self)
        let task = Task {
            defer { started.finish() }
            try await StoreProcess.withStore(executable: Self.tillroll) { store, _ in
                started.yield(store.url)
                for try await _ in store.events() {}
            }
        }
        let url = try #require(await urls.first { _ in true })
        task.cancel()
        await #expect(throws: StoreControlError.canceled) { try await task.value }
        await #expect(throws: StoreControlError.unreachable(url)) { try await StoreClient(url: url).clock() }
    }

    @Test func `a cancellation during the start is the error for a canceled request`() async throws {
        try await withScript("exec cat > /dev/null") { script in
            let task = Task { try await StoreProcess.withStore(executable: script) { _, _ in } }
            task.cancel()
            await #expect(throws: StoreControlError.canceled) { try await task.value }
        }
    }
}

/// Calls `body` with the path of an executable shell script, which takes the place of `tillroll`.
private func withScript(_ text: String, _ body: (String) async throws -> Void) async throws {
    try await withTemporaryFolder { folder in
        let path = folder.appending(path: "script").path
        let source = folder.appending(path: "source").path
        try Data("#!/bin/sh\n\(text)\n".utf8).write(to: URL(filePath: source))
        // Another process writes the executable: a child process of another test could have a copy of this process's descriptor at the
        // moment, and a file that is open for writing can't be executed.
        let (ends, end) = AsyncStream.makeStream(of: Int32.self)
        let install = Process()
        install.executableURL = URL(filePath: "/usr/bin/install")
        install.arguments = ["-m", "755", source, path]
        install.terminationHandler = { end.yield($0.terminationStatus) }
        try install.run()
        try #require(await ends.first { _ in true } == 0)
        try await body(path)
    }
}

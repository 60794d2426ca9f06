import Foundation
import ProcessTestSupport
import PurchaseTestSupport
import Testing

/// Tests of `tillroll store up --detach` and `--ready-file`, `store env` and `store down`.
@Suite(.timeLimit(.minutes(10))) struct DetachedStoreTests {
    private static let up = ["store", "up", "--storekit", RunningStore.storekit, "--port", "0", "--detach", "--json"]

    /// Starts a store in the background, calls `body` with the printed object, and stops the store.
    private func withStore(_ options: [String] = [], _ body: (CommandFolder, [String: Any]) async throws -> Void) async throws {
        try await CommandFolder.with { command in
            let start = try await command.run(Self.up + options)
            try #require(start.code == 0, "\(start.error)")
            do { try await body(command, start.json) } catch {
                _ = try? await command.run("store", "down")
                throw error
            }
            _ = try await command.run("store", "down")
        }
    }

    private func exists(_ name: String, _ command: CommandFolder) -> Bool {
        FileManager.default.fileExists(atPath: command.folder.file(name).path)
    }

    @Test func `a store in the background responds when the command returns, in a session of its own`() async throws {
        try await CommandFolder.with { command in
            // The shell waits for the end of the output, which the store must not hold open, and has a descriptor for the store to inherit.
            let script = """
                exec 7>held; line=$("$tillroll" "$@") || exit; exec 7>&-; eval "$("$tillroll" store env)"
                curl -sf "$TILLROLL_STORE/store" >description; "$tillroll" store accounts >accounts
                pid=${line##*'"pid":'}; pid=${pid%%,*}
                test "$(cut -d ' ' -f 6,7 /proc/$pid/stat)" = "$pid 0" || exit 90
                readlink /proc/$pid/fd/[012]; ! readlink /proc/$pid/fd/* | grep held || exit 91
                "$tillroll" store down >stopped
                """
            let outcome = try await command.shell(script, Self.up)
            #expect(outcome.code == 0, "\(outcome.error)")
            let log = command.folder.file("tillroll-store.log").path
            #expect(outcome.lines == ["/dev/null", log, log])
            #expect(try !command.read("description").isEmpty)
            #expect(!exists("tillroll-store.json", command))
        }
    }

    @Test func `the ready file is absent until the store responds, and then has the printed line, for its owner only`() async throws {
        try await CommandFolder.with { command in
            // The store reads its products from a pipe, so that it starts when the shell writes them.
            let script = """
                mkfifo Shop.storekit; touch tillroll-store.json
                "$tillroll" store up --storekit Shop.storekit --port 0 --detach --json >line & start=$!
                exec 8>Shop.storekit
                test ! -e tillroll-store.json || exit 90
                "$tillroll" store env >early && exit 91
                cat "$1" >&8; exec 8>&-; wait $start || exit 92
                cmp line tillroll-store.json || exit 93
                stat -c %a tillroll-store.json tillroll-store.log; cat early
                "$tillroll" store down >stopped; test ! -e tillroll-store.json || exit 94
                """
            let outcome = try await command.shell(script, [RunningStore.storekit])
            #expect(outcome.code == 0, "\(outcome.error)")
            #expect(outcome.lines == ["600", "600", "false"])
        }
    }

    @Test(arguments: ["INT", "TERM", "KILL"])
    func `a store whose command is interrupted before the store is ready ends`(_ signal: String) async throws {
        try await CommandFolder.with { command in
            let script = """
                set -m; mkfifo Shop.storekit output
                "$tillroll" store up --storekit Shop.storekit --folder shop --port 0 --detach >output & start=$!
                exec 9<output 8>Shop.storekit
                kill -s "$1" -- -$start; wait $start && exit 90
                cat "$2" >&8; exec 8>&-
                cat <&9 >printed; exec 9<&-
                ls; "$tillroll" store up --folder shop --port 0 --detach >again && "$tillroll" store down >stopped
                """
            let outcome = try await command.shell(script, [signal, RunningStore.storekit])
            // The end of its output is the end of the store, after which another store can have its folder.
            #expect(outcome.code == 0, "\(outcome.error)")
            #expect(outcome.lines.contains("shop") && !outcome.lines.contains { $0.hasPrefix("tillroll-store.json") }, "\(outcome.text)")
        }
    }

    @Test func `a port in use is the error of the command, which leaves no store and no files`() async throws {
        try await RunningStore.with { store in
            let port = try #require(URLComponents(string: store.url)?.port)
            let outcome = try await store.command.run("store", "up", "--port", "\(port)", "--folder", "shop", "--detach")
            #expect(outcome.code == 64 && outcome.text.isEmpty)
            #expect(outcome.error.contains("--port \(port) on 127.0.0.1 is taken"), "\(outcome.error)")
            let files = try FileManager.default.contentsOfDirectory(atPath: store.command.folder.url.path)
            #expect(!files.contains { $0.hasPrefix("tillroll-store") }, "\(files)")
            // Another store can have the folder.
            let next = try await RunningStore.launch(
                ["store", "up", "--port", "0", "--folder", store.command.folder.file("shop").path, "--json"], in: store.command)
            #expect(await next.process.terminate() == 0)
        }
    }

    @Test(arguments: [
        (["--storekit", "broken.storekit"], Int32(1), "lint"), (["--folder", "/proc/nowhere"], 64, "--folder"),
        (["--ready-file", "/nowhere/store.json"], 64, "--ready-file"), (["--log-file", "/nowhere/log"], 64, "--log-file"),
        (["--ready-file", "other.txt"], 64, "is not a ready file"),
        (["--until-input-ends"], 64, "--until-input-ends"), (["--storekit", "-"], 64, "standard input"),
    ])
    func `a store that can't start in the background ends with the message and the exit code`(
        _ options: [String], _ code: Int32, _ word: String
    ) async throws {
        try await CommandFolder.with { command in
            try command.write(Data("{".utf8), to: "broken.storekit")
            try command.write(Data("notes".utf8), to: "other.txt")
            let outcome = try await command.run(["store", "up", "--port", "0", "--detach"] + options)
            #expect(outcome.code == code && outcome.text.isEmpty && outcome.error.contains(word), "\(outcome.error)")
            let files = try FileManager.default.contentsOfDirectory(atPath: command.folder.url.path)
            #expect(Set(files) == ["broken.storekit", "other.txt", "mine"])
            #expect(try command.read("other.txt") == Data("notes".utf8))
        }
    }

    @Test func `a second store with the same ready file or the same folder is refused with the one that runs`() async throws {
        try await withStore(["--folder", "shop"]) { command, store in
            let (url, process) = (try #require(store["url"] as? String), try #require(store["pid"] as? Int))
            for options in [["--folder", "shop"], []] {
                let second = try await command.run(Self.up + options)
                #expect(second.code == 64 && second.text.isEmpty)
                #expect(second.error.contains("\(url) (process \(process)) runs already"), "\(second.error)")
            }
            let third = try await command.run(Self.up + ["--folder", "shop", "--ready-file", "third.json"])
            #expect(third.code == 64 && third.error.contains("a store runs there already (process \(process))"), "\(third.error)")
            #expect(!exists("third.json", command))
            #expect(try await command.run("store", "accounts", "--store", url).code == 0)
        }
    }

    @Test func `the variables of a store are safe for eval, whatever they contain`() async throws {
        let word = "it's $(touch injected) `touch injected`; \"touch\" injected"
        try await withStore(["--bundle-id", word, "--token", word, "--folder", word]) { command, store in
            let script = """
                set -eu; export TILLROLL_STORE_TLS_PORT=1; eval "$("$tillroll" store env)"
                "$tillroll" store accounts >accounts; test -z "${TILLROLL_STORE_TLS_PORT-}"
                printf '%s\\n' "$TILLROLL_STORE_BUNDLE_ID" "$OPENSTOREKIT_BUNDLE_ID" "$TILLROLL_TOKEN"
                printf '%s\\n' "$TILLROLL_STORE_ROOT_CERTIFICATE" "$OPENSTOREKIT_ROOTS"
                test -s "$TILLROLL_STORE_API_KEY"
                """
            let outcome = try await command.shell(script)
            #expect(outcome.code == 0, "\(outcome.error)")
            let root = try #require(store["rootCertificate"] as? String)
            #expect(outcome.lines == [word, word, word, root, root])
            #expect(!exists("injected", command))
            let variables = try await command.run("store", "env", "--json").json
            #expect(variables["TILLROLL_STORE"] as? String == store["url"] as? String)
            #expect(variables["TILLROLL_STORE_SERVER_API"] as? String == store["serverAPI"] as? String)
            #expect(variables["TILLROLL_TOKEN"] as? String == word && variables["TILLROLL_STORE_TLS_URL"] == nil)
        }
    }

    @Test func `the variables of a store that does not run end a shell that stops at errors`() async throws {
        try await CommandFolder.with { command in
            let outcome = try await command.shell("set -e; eval \"$(\"$tillroll\" store env)\"; echo reached")
            #expect(outcome.code != 0 && outcome.text.isEmpty && outcome.error.contains("store up --detach"), "\(outcome.error)")
            for name in ["env", "down"] { #expect(try await command.run("store", name, "--json").code == 2) }
            try command.write(Data("{}".utf8), to: "other.json")
            let other = try await command.run("store", "down", "--ready-file", "other.json")
            #expect(other.code == 64 && other.error.contains("other.json is not a ready file"))
        }
    }

    @Test func `the ready file of a killed store is not used, and the next store replaces it`() async throws {
        try await withStore { command, store in
            let process = try #require(store["pid"] as? Int)
            let script = """
                kill -KILL "$1"; while "$tillroll" store env >variables 2>errors; do :; done
                cat errors >&2; cat variables; test -s tillroll-store.json; "$tillroll" store down 2>missing && exit 90
                shift; "$tillroll" "$@" >line && cmp line tillroll-store.json
                """
            let outcome = try await command.shell(script, ["\(process)"] + Self.up)
            #expect(outcome.code == 0 && outcome.error.contains("has ended"), "\(outcome.error)")
            #expect(outcome.lines == ["false"])
            #expect(try await command.run("store", "env").text.hasPrefix("export TILLROLL_STORE='http://127.0.0.1:"))
        }
    }

    @Test func `a stopped store has freed its port and its folder`() async throws {
        try await withStore(["--folder", "shop"]) { command, store in
            let url = try #require(store["url"] as? String)
            let down = try await command.run("store", "down", "--json")
            #expect(down.code == 0 && down.json["url"] as? String == url && down.json["pid"] as? Int == store["pid"] as? Int)
            #expect(try await command.run("store", "accounts", "--store", url).code == 2)
            #expect(try await command.run("store", "down").code == 2)
            let port = try #require(URLComponents(string: url)?.port)
            let again = try await command.run("store", "up", "--folder", "shop", "--port", "\(port)", "--detach")
            #expect(again.code == 0 && again.text.contains("eval \"$(tillroll store env)\""), "\(again.error)")
        }
    }

    @Test func `a store in the background outlives the terminal in which it was started`() async throws {
        try await CommandFolder.with { command in
            let script = """
                python3 -c 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]))' "$tillroll" "$@" >terminal || exit 90
                eval "$("$tillroll" store env)"; "$tillroll" store accounts >accounts && "$tillroll" store down
                """
            let outcome = try await command.shell(script, Self.up)
            #expect(outcome.code == 0 && outcome.text.hasPrefix("stopped  http"), "\(outcome.error)")
        }
    }

    @Test func `a store in the foreground has a ready file on request, with which it is stopped`() async throws {
        try await CommandFolder.with { command in
            let file = command.folder.file("store.json")
            let store = try await RunningStore.start(["--ready-file", file.path], in: command)
            #expect(try String(contentsOf: file, encoding: .utf8) == store.line + "\n")
            #expect(try await command.run("store", "down", "--ready-file", "store.json").code == 0)
            #expect(await store.process.end() == 0)
            #expect(!FileManager.default.fileExists(atPath: file.path))
            let outcome = try await command.run("store", "up", "--port", "0", "--log-file", "log")
            #expect(outcome.code == 64 && outcome.error.contains("--detach"))
        }
    }
}

import ArgumentParser
import Foundation
import FoundationExtras
import StoreProtocol

/// Prints the environment variables with which a shell uses a running store.
struct StoreEnvCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "env",
        abstract: "Print the addresses and keys of a running store as environment variables.",
        discussion: """
            The output is for eval in a POSIX shell. The command requires a store of `store up --detach` or `store up --ready-file`.

              tillroll store up --detach --storekit Shop.storekit --port 0
              eval "$(tillroll store env)"

            TILLROLL_STORE and TILLROLL_TOKEN are for the other commands and for StoreControl; OPENSTOREKIT_STORE_URL, \
            OPENSTOREKIT_ROOTS and OPENSTOREKIT_BUNDLE_ID are for StoreKit on Linux; TILLROLL_STORE_SERVER_API, \
            TILLROLL_STORE_ROOT_CERTIFICATE, TILLROLL_STORE_API_KEY and so on are the members that `store up --json` prints. A variable \
            without a value is unset. If no store runs, the output is the command false, so that eval fails, too.
            """,
        exitCodes: ExitCodeFooter(success: "printed", indeterminate: "the store does not run")
    )

    @OptionGroup var file: ReadyFileOption
    @Flag(help: "Print the variables as one JSON object instead of commands of a shell.") var json = false

    func run() throws {
        StandardStreams.prepare()
        let variables: [(name: String, value: String?)]
        do { variables = try file.runningStore().store.variables } catch {
            // Print `false`, because a shell ignores the exit code of a command whose output is the argument of `eval`.
            if !json { try StandardOutput.lines(["false"]) }
            throw error
        }
        if json {
            let members = variables.compactMap { name, value in value.map { (name, $0) } }
            let object = Dictionary(members) { first, _ in first }
            try StandardOutput.lines([String(decoding: try WireJSON.encode(object), as: UTF8.self)])
        } else {
            try StandardOutput.lines(
                variables.map { name, value in value.map { "export \(name)=\(ShellText.inApostrophes($0))" } ?? "unset \(name)" })
        }
    }
}

/// Stops a running store.
struct StoreDownCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "down",
        abstract: "Stop a store that runs in the background.",
        discussion: """
            The command sends SIGTERM to the process of a store that `store up --detach` or `store up --ready-file` started, and returns \
            when the store has ended.

              tillroll store down
              tillroll store down --ready-file store.json
            """,
        exitCodes: ExitCodeFooter(
            success: "stopped", refused: "the store can't be stopped", indeterminate: "the store does not run, or does not end")
    )

    /// The maximum time to wait for the store's end, longer than the store's shutdown deadline.
    private static let patience = Duration.seconds(60)

    @OptionGroup var file: ReadyFileOption
    @Flag(help: "Print the address and the process ID of the stopped store as one JSON object instead of text.") var json = false

    func run() async throws {
        StandardStreams.prepare()
        let (store, found) = try file.runningStore()
        let url = store.store.url
        guard let process = found else {
            StandardError.line("Error: The store at \(url) runs in another container. Stop the store there.")
            throw ExitCode.refused
        }
        guard kill(process, SIGTERM) == 0 || errno == ESRCH else {
            StandardError.line("Error: The store at \(url) (process \(process)) can't be stopped: \(SystemError(number: errno)).")
            throw ExitCode.refused
        }
        let deadline = ContinuousClock.now + Self.patience
        while file.isRunning(process) {
            guard ContinuousClock.now < deadline else {
                StandardError.line("Error: The store at \(url) does not end. End the store with: kill -KILL \(process)")
                throw ExitCode.indeterminate
            }
            try await Task.sleep(for: .milliseconds(10))
        }
        if json {
            let output = StoppedStore(url: url, pid: process)
            try StandardOutput.lines([String(decoding: try WireJSON.encode(output), as: UTF8.self)])
        } else {
            try StandardOutput.lines(["\(TerminalStyle.detected().good("stopped"))  \(url)"])
        }
    }
}

/// The output of `store down`.
struct StoppedStore: Encodable {
    /// The address at which the store responded.
    let url: String
    /// The identifier of the store's process, which has ended.
    let pid: Int32
}

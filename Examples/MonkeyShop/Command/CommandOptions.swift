import ArgumentParser
import Foundation
import MonkeyShopBackend
import NIOCore
import NIOPosix
import ServiceLifecycle
import UnixSignals

/// The option that runs the sample app of each phone in a separate process.
struct AppProcessOptions: ParsableArguments {
    @Flag(
        help:
            "Run the app of each phone in a separate process, which the page can kill with SIGKILL; each process needs about 15 MB of memory."
    )
    var processes = false

    /// The path of this program, to start the processes; nil to run the apps in this process.
    var executable: String? { processes ? Bundle.main.executablePath : nil }
}

/// Returns a path from the command line unless the path is empty.
///
/// An empty path, usually from an unset shell variable, is an error, because the path would name the current folder.
///
/// - Throws: A usage error for an empty path.
@Sendable func nonEmptyPath(_ text: String) throws -> String {
    guard !text.isEmpty else { throw ValidationError("the path is empty. Give a path, or omit the argument.") }
    return text
}

/// A lock of a folder, which one process at a time can hold.
///
/// Two processes must not run the same stores, because each process would renew the subscriptions.
struct FolderLock: ~Copyable {
    private let descriptor: Int32

    /// Creates the folder, and locks the folder until the value is destroyed.
    ///
    /// - Throws: `ValidationError` if the folder can't be created, or if another process has locked the folder.
    init(_ folder: String) throws {
        do { try SampleFiles.createFolder(folder) } catch {
            throw ValidationError("\(folder): this path can't be created or is not a folder. Choose another folder with --folder.")
        }
        let file = open("\(folder)/lock", O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard file >= 0, flock(file, LOCK_EX | LOCK_NB) == 0 else {
            if file >= 0 { close(file) }
            throw ValidationError("\(folder) is in use by another process, or can't be written. Choose another folder with --folder.")
        }
        descriptor = file
    }

    deinit { close(descriptor) }
}

/// Finds the ports on which another process listens.
enum TakenPorts {
    /// Returns the options whose ports are taken, such as `--shop-port 7703`; all options if no port is taken.
    static func find(among requested: [(option: String, port: Int)], on host: String) async -> String {
        var taken: [String] = []
        for (option, port) in requested where port != 0 {
            guard
                let channel = try? await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                    .serverChannelOption(.socketOption(.so_reuseaddr), value: 1).bind(host: host, port: port).get()
            else {
                taken.append("\(option) \(port)")
                continue
            }
            try? await channel.close()
        }
        return (taken.isEmpty ? requested.map { "\($0.option) \($0.port)" } : taken).joined(separator: " or ")
    }
}

/// Defers SIGTERM and SIGINT from the start of a command until the command's services run.
///
/// A command that is stopped during its start releases resources like a running command.
struct StopSignals {
    private let signals: UnixSignalsSequence

    /// Starts to defer the signals; before this call, a signal ends the process.
    init() async {
        signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
    }

    /// Runs services until their end or a signal to the process; a deferred signal stops the services at once.
    func run(_ group: ServiceGroup) async throws {
        let watch = Task {
            for await _ in signals { await group.triggerGracefulShutdown() }
        }
        defer { watch.cancel() }
        try await group.run()
    }
}

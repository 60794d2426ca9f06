import ArgumentParser
import ContentStorage
import Foundation
import PurchaseModel
import PurchaseServer
import PurchaseStorage

/// The options of the commands that manage one app of the server.
struct AppCommandOptions: ParsableArguments {
    @OptionGroup var options: ServerOptions
    @OptionGroup var app: AppOption

    @Flag(help: "Print JSON, one object on each line.")
    var json = false

    /// Opens the server's database, and runs a command with a manager of the selected app, such as the service for API keys.
    ///
    /// - Parameters:
    ///   - manager: Returns the manager of an app, such as `PurchaseServer.apiKeys(of:)`.
    ///   - body: The command; an error of the command is printed on one line.
    func run<Manager>(_ manager: (PurchaseServer) -> (BundleID) -> Manager?, _ body: (Manager) async throws -> Void) async throws {
        try await TillrollServer.reportingConfigurationErrors {
            let (server, configuration) = try await options.server()
            guard let manager = manager(server)(try app.selected(from: configuration)) else { return }
            do {
                try await body(manager)
            } catch let error as APIKeyError {
                throw ValidationError("\(error)")
            } catch let error as ContentPublicationError {
                throw Self.failure("\(error)")
            } catch let error as ContentManifestError {
                throw Self.failure("\(error)")
            } catch let error as ContentStorageError {
                throw Self.failure("\(error)")
            } catch let error as StorageError {
                throw Self.failure(error)
            }
        }
    }

    /// Prints an error of the database on standard error, and returns the exit code.
    static func failure(_ error: StorageError) -> ExitCode {
        failure("\(error.operatorMessage ?? "too many writes are pending; repeat the command")")
    }

    /// Prints an error on standard error, and returns the exit code.
    static func failure(_ message: String) -> ExitCode {
        try? FileHandle.standardError.write(contentsOf: Data("tillroll-server: \(message)\n".utf8))
        return .failure
    }

    /// Prints a value as JSON if the flag `--json` is set, and otherwise as a line of text.
    func print(_ value: some Encodable, line: String) throws {
        if json { try Self.print(value) } else { Swift.print(line) }
    }

    static func print(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        Swift.print(String(decoding: try encoder.encode(value), as: UTF8.self))
    }
}

/// The command-line option that selects one app of a server with several apps.
struct AppOption: ParsableArguments {
    @Option(help: ArgumentHelp("The bundle ID of the app. Required if the server has several apps.", valueName: "bundle-id"))
    var app: String?

    /// Returns the identifier of the selected app, or of the only app.
    ///
    /// - Throws: `ValidationError` if the option names an unknown app, or is missing although the server has several apps.
    func selected(from configuration: PurchaseServerConfiguration) throws -> BundleID {
        let apps = configuration.apps.map(\.bundleID)
        let list = apps.map(\.rawValue).joined(separator: ", ")
        if let app {
            guard apps.contains(BundleID(app)) else { throw ValidationError("The server has no app \(app). The apps are: \(list).") }
            return BundleID(app)
        }
        guard let first = apps.first, apps.count == 1 else {
            throw ValidationError("The server has several apps. Select one with --app: \(list).")
        }
        return first
    }
}

extension Timestamp {
    /// Reads a date of RFC 3339, or a day in UTC.
    ///
    /// - Throws: `ValidationError` for another text.
    init(argument text: String) throws {
        let day = Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day()
        guard let date = (try? Date.ISO8601FormatStyle(timeZone: .gmt).parse(text)) ?? (try? day.parse(text)) else {
            throw ValidationError("\(text) is not a date. Use a date such as 2026-01-31 or 2026-01-31T12:00:00Z.")
        }
        self.init(date)
    }
}

import ArgumentParser
import Foundation
import PurchaseModel
import PurchaseServer
import PurchaseStorage

struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Create, list and revoke API keys, and print the keys that verify signed answers.",
        discussion: """
            A publishable key is part of an app, and acts for the app's current customer only. A secret key is for a backend, which acts for \
            every customer. An admin key also changes the server's settings. The commands use the same configuration as the server, and can \
            run while the server runs.
            """,
        subcommands: [CreateKeyCommand.self, ListKeysCommand.self, RevokeKeyCommand.self, VerificationKeysCommand.self]
    )
}

/// The output of the commands about an API key.
struct KeyOutput: Encodable {
    let id: String
    let kind: String
    let scopes: [String]
    let name: String
    let createdAt: String
    let revokedAt: String?
    /// The complete key, which only the command `create` can print; nil for all other commands.
    let key: String?

    init(_ record: APIKeyRecord, key: String? = nil) {
        id = record.id
        kind = record.kind.rawValue
        scopes = record.scopes.map(\.rawValue).sorted()
        name = record.name
        createdAt = "\(record.createdAt)"
        revokedAt = record.revokedAt.map { "\($0)" }
        self.key = key
    }

    var line: String {
        if let key { return key }
        let state = revokedAt.map { "revoked \($0)" } ?? "created \(createdAt)"
        return [id, kind, state, scopes.joined(separator: ","), name].joined(separator: "  ")
    }
}

extension AppCommandOptions {
    fileprivate func print(_ key: KeyOutput) throws { try print(key, line: key.line) }
}

struct CreateKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create an API key, and print it.",
        discussion: "The database contains only a hash of the key, so the key can't be printed again."
    )

    @Argument(help: "The kind: publishable, secret or admin.")
    var kind: String

    @Option(help: "A name that lists of keys show.")
    var name = ""

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            """
            The scopes of the key. (default: all scopes that the kind permits, except customers:debit and offers:sign for a publishable key)
            """,
            valueName: "scope"))
    var scope: [String] = []

    @OptionGroup var common: AppCommandOptions

    func run() async throws {
        guard let kind = APIKeyKind(rawValue: kind) else {
            throw ValidationError("The kind must be publishable, secret or admin.")
        }
        let scopes = try scope.map { text in
            guard let scope = APIKeyScope(rawValue: text) else {
                throw ValidationError(
                    "\(text) is not a scope. The scopes are: \(APIKeyScope.allCases.map(\.rawValue).joined(separator: ", ")).")
            }
            return scope
        }
        try await common.run(PurchaseServer.apiKeys(of:)) { keys in
            let created = try await keys.create(kind, scopes: scopes.isEmpty ? nil : Set(scopes), name: name)
            try common.print(KeyOutput(created.record, key: created.text))
        }
    }
}

struct ListKeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the API keys without their secrets.")

    @OptionGroup var common: AppCommandOptions

    func run() async throws {
        try await common.run(PurchaseServer.apiKeys(of:)) { keys in
            for record in try await keys.list() { try common.print(KeyOutput(record)) }
        }
    }
}

struct RevokeKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke an API key.",
        discussion: "Running servers refuse the key after at most five seconds."
    )

    @Argument(help: "The identifier of the key, such as key_4f1c9a2b8d03.")
    var id: String

    @OptionGroup var common: AppCommandOptions

    func run() async throws {
        try await common.run(PurchaseServer.apiKeys(of:)) { keys in try common.print(KeyOutput(try await keys.revoke(id: id))) }
    }
}

struct VerificationKeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verification",
        abstract: "Print the public keys that verify signed answers and leases, as a JWK set (RFC 7517).",
        discussion: "Add the set to the app as a constant, so that the app accepts only answers of this server."
    )

    @OptionGroup var options: ServerOptions
    @OptionGroup var app: AppOption

    func run() async throws {
        try await TillrollServer.reportingConfigurationErrors {
            let (server, configuration) = try await options.server()
            guard let keys = server.verificationKeys(of: try app.selected(from: configuration)) else { return }
            print(String(decoding: keys, as: UTF8.self))
        }
    }
}

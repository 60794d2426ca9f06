import ArgumentParser
import PurchaseModel
import PurchaseServer

/// Manages the encryption of the server's secrets.
struct SecretsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "secrets",
        abstract: "Rotate the key that encrypts the server's secrets.",
        subcommands: [RotateSecretsCommand.self])
}

/// Encrypts all secrets with a new key.
struct RotateSecretsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Encrypt the server's secrets in the database with a new key.",
        discussion: """
            The key is in the file of the key secret-key-file, by default the path of the database with the suffix .key. Running servers \
            read the file again. If the command is interrupted, run it again: until it ends, the file contains all keys in use. The earlier \
            keys stay in the file while the database has secrets of apps that are not configured.
            """
    )

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await TillrollServer.reportingConfigurationErrors {
            let (server, _) = try await options.server()
            let rotation = try await server.rotateSecretKey()
            print("encrypted \(rotation.encryptedSecrets) secrets with a new key")
            guard !rotation.unconfiguredApps.isEmpty else { return }
            let apps = rotation.unconfiguredApps.map(\.rawValue).joined(separator: ", ")
            print("The earlier keys stay in the key file, because the database has secrets of apps that are not configured: \(apps).")
            print("Run the command with a configuration of all apps.")
        }
    }
}

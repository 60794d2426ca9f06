import ArgumentParser
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
            read the file again. If the command is interrupted, run it again: until it ends, the file contains all keys in use.
            """
    )

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await TillrollServer.reportingConfigurationErrors {
            let (server, _) = try await options.server()
            let count = try await server.rotateSecretKey()
            print("encrypted \(count) secrets with a new key")
        }
    }
}

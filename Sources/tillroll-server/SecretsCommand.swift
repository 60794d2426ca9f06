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
            read the file again. The earlier keys stay in the file, so that it decrypts the secrets of earlier backups, too. Copy the file \
            after the command: a backup that is made later needs the new key.

            A key that others have seen can be removed with --remove-earlier-keys, after which the backups that were made before the command \
            can be restored only with an earlier copy of the file.

            If the command is interrupted, run it again: the file always contains all keys in use. Several commands at once rotate one \
            after another.

            Exit codes: 0 the secrets are encrypted with the new key, 64 wrong usage, 75 another rotation runs for too long or the database \
            is unavailable, 78 the configuration or the key file is invalid.
            """
    )

    @Flag(help: "Remove the keys that only the secrets of earlier backups need.")
    var removeEarlierKeys = false

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await TillrollServer.reportingConfigurationErrors {
            do {
                let (server, configuration) = try await options.server()
                let rotation = try await server.rotateSecretKey(removingEarlierKeys: removeEarlierKeys)
                print("encrypted \(rotation.encryptedSecrets) secrets with a new key")
                let file = configuration.secretKeyPath ?? "the key file"
                if rotation.earlierKeys > 0 {
                    print(
                        "\(file) has \(rotation.earlierKeys) earlier \(rotation.earlierKeys == 1 ? "key" : "keys"), for earlier backups. "
                            + "Copy the file to where you keep its copy.")
                } else {
                    print(
                        "\(file) has no earlier key: backups from before can't be restored with it. Make a backup and a copy of the file.")
                }
            } catch StorageError.locked, StorageError.overloaded {
                _ = AppCommandOptions.failure(
                    "A rotation is running, or another process writes to the database. Run the command again after its end.")
                throw ExitCode(75)
            } catch let error as StorageError {
                _ = AppCommandOptions.failure(error)
                throw ExitCode(75)
            }
        }
    }
}

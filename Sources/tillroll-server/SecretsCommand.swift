import ArgumentParser
import PurchaseModel
import PurchaseServer
import PurchaseStorage

struct SecretsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "secrets",
        abstract: "Rotate the key that encrypts the server's secrets.",
        subcommands: [RotateSecretsCommand.self])
}

struct RotateSecretsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Encrypt the server's secrets in the database with a new key.",
        discussion: """
            The new key is added to the key file (secret-key-file; by default, the path of the database with the suffix .key), which running \
            servers read again. Earlier keys stay in the key file, so that it decrypts the secrets of earlier backups, too. Copy the key file \
            after the command, because later backups need the new key.

            After an earlier key was exposed, run the command with --remove-earlier-keys. Backups from before the command can then be restored \
            only with an earlier copy of the key file.

            Run an interrupted command again: the key file always contains all keys in use. Several commands at the same time rotate one after \
            another.

            Exit codes: 0 the secrets are encrypted with the new key, 64 wrong usage, 75 another rotation runs for too long or the database \
            is unavailable, 78 the configuration or the key file is invalid.
            """
    )

    @Flag(help: "Remove the keys that only earlier backups need.")
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
                            + "Replace your copy of the file.")
                } else {
                    print(
                        "\(file) has no earlier keys, so it can't restore earlier backups. Make a backup and a copy of the file.")
                }
            } catch StorageError.locked, StorageError.overloaded {
                _ = AppCommandOptions.failure(
                    "Another rotation is running, or another process writes to the database. Run the command again later.")
                throw ExitCode(75)
            } catch let error as StorageError {
                _ = AppCommandOptions.failure(error)
                throw ExitCode(75)
            }
        }
    }
}

import ArgumentParser
import AsyncHTTPClient
import Foundation
import FoundationExtras
import NIOCore
import NIOHTTP1
import PrivateFiles
import PurchaseModel
import StoreProtocol
import Wire
import WireClient

/// Shows a store's addresses, root certificate and API key.
struct StoreShowCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a store's addresses, its root certificate and its API key.",
        discussion: """
            With --json the output is the object that `store up` prints. The root certificate and the API key are PEM texts, or \
            paths with --files.

              tillroll store show
              tillroll store show --files keys --json
            """,
        exitCodes: .store
    )

    @OptionGroup var files: KeyFilesOptions
    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> StoreDescription {
        try files.writeKeyFiles(of: try await store.call(HostEndpoints.currentStore))
    }

    func lines(_ output: StoreDescription, _ style: TerminalStyle) -> [String] {
        var table = TextTable()
        table.add("store", output.url)
        table.add("console", "\(output.url)/console/")
        table.add("verifyReceipt", "\(output.sandboxVerifyReceipt) and \(output.productionVerifyReceipt)")
        table.add("Server API", "\(output.serverAPI) and \(output.productionServerAPI)")
        table.add("API key", "key ID \(output.keyID)  issuer ID \(output.issuerID)")
        table.add("app", "\(output.bundleID)  appAppleId \(output.appAppleID)")
        if files.files != nil {
            table.add("root certificate", output.rootCertificate)
            table.add("API key file", output.apiKey)
        } else {
            table.add("files", "root certificate and API key with: tillroll store show --files FOLDER")
        }
        return table.lines(style, indent: "")
    }
}

/// Lists the stores of a host.
struct StoreListCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the stores of a host.",
        discussion: """
              tillroll store list
            """,
        exitCodes: .store
    )

    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> StoresReply {
        try await store.host.call(HostEndpoints.stores)
    }

    func lines(_ output: StoresReply, _ style: TerminalStyle) -> [String] {
        var table = TextTable(["name", "address", "app"])
        for store in output.stores { table.add([store.name, store.url, store.bundleID.rawValue]) }
        return table.lines(style, indent: "")
    }
}

/// Creates another store on a host.
struct StoreCreateCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create another store on a host, for example for one test.",
        discussion: """
            With --json the output is the object that `store up` prints. The root certificate and the API key are PEM texts, or \
            paths with --files.

              tillroll store create --storekit Shop.storekit
              tillroll store create --name checkout-test --keep
            """,
        exitCodes: .store
    )

    @Option(help: ArgumentHelp("A .storekit file (default: no products).", valueName: "file"), transform: nonEmptyPath)
    var storekit: String?
    @Option(help: "The store's name: up to 64 of a-z, 0-9 and - (default: random).") var name: String?
    @Option(help: "The app's bundle ID.") var bundleID: String?
    @Option(help: "The password that verifyReceipt requires.") var sharedSecret: String?
    @Flag(help: "Keep the store in the host's folder (default: in memory).") var keep = false
    @OptionGroup var files: KeyFilesOptions
    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> StoreDescription {
        let request = CreateStoreRequest(
            name: name, storekit: try storekit.map { try StorekitFile($0).text() }, bundleID: bundleID.map { BundleID($0) },
            sharedSecret: sharedSecret, isPersistent: keep ? true : nil
        )
        return try files.writeKeyFiles(of: try await store.host.call(HostEndpoints.createStore, request))
    }

    func lines(_ output: StoreDescription, _ style: TerminalStyle) -> [String] {
        ["\(style.good("created"))  \(output.url)"]
    }
}

/// Removes a store from a host.
struct StoreRemoveCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a store and its file from a host.",
        discussion: """
              tillroll store remove checkout-test
            """,
        exitCodes: .store
    )

    @Argument(help: "The store's name.") var name: String
    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> Empty {
        try await store.host.call(HostEndpoints.deleteStore, ["store": name])
    }

    func lines(_ output: Empty, _ style: TerminalStyle) -> [String] {
        ["Removed store \(TerminalText.safe(name))."]
    }
}

/// Exports a store's complete state to a file.
struct StoreExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export a store's complete state to a file, including its private keys.",
        discussion: """
            The file is a SQLite database. `import` creates a store with the same state from the file.

              tillroll store export store.tillroll
            """,
        exitCodes: .storeRequest(outputError: "the file can't be written")
    )

    @Argument(help: "The file to write.", transform: nonEmptyPath) var file: String
    @OptionGroup(title: "Store") var options: StoreOptions

    func run() async throws {
        StandardStreams.prepare()
        let store = try options.client()
        var count = 0
        do {
            let response = try await store.open(HostEndpoints.exportPath)
            // Write the export under a temporary name until its end, so that a failed export does not replace an earlier file.
            let part = "\(file).part-\(UUID().uuidString)"
            defer { try? FileManager.default.removeItem(atPath: part) }
            let output = try FileDescriptor.opening(part, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
            defer { output.close() }
            for try await buffer in response.body {
                count += buffer.readableBytes
                try output.write(Array(buffer: buffer))
            }
            guard rename(part, file) == 0 else { throw SystemError(number: errno) }
        } catch let error as WireClientError {
            throw store.report(error)
        } catch let error as SystemError {
            StandardError.line("Error: \(file) can't be written: \(error). Choose another file.")
            throw ExitCode.outputError
        }
        if options.json {
            let output = ["file": file, "bytes": "\(count)"]
            try StandardOutput.bytes([UInt8](try WireJSON.encode(output)) + [UInt8(ascii: "\n")])
        } else {
            try StandardOutput.lines(["\(TerminalText.safe(file)): \(count) bytes, with the store's private keys."])
        }
    }
}

/// Creates a store on a host from an exported file.
struct StoreImportCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Create a store on a host from a file that `export` wrote.",
        discussion: """
            The store has the keys, accounts, purchases and time of the exported store, and a new address.

              tillroll store import store.tillroll --name copy
            """,
        exitCodes: .store
    )

    @Argument(help: "The exported file.") var file: String
    @Option(help: "The store's name: up to 64 of a-z, 0-9 and - (default: random).") var name: String?
    @Flag(help: "Keep the store in the host's folder (default: in memory).") var keep = false
    @OptionGroup var files: KeyFilesOptions
    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> StoreDescription {
        let source = try FileDescriptor.reading(file)
        guard let size = source.size else {
            source.close()
            throw ValidationError("\(file) is not a regular file. Give a file that `tillroll store export` wrote.")
        }
        var query = keep ? ["isPersistent": "true"] : [:]
        query["name"] = name
        let content = WireContent(
            type: "application/vnd.sqlite3", body: .stream(FileParts(file: source), length: .known(Int64(size))))
        defer { source.close() }
        return try files.writeKeyFiles(of: try await store.host.send(.POST, content, to: HostEndpoints.importPath, query: query))
    }

    func lines(_ output: StoreDescription, _ style: TerminalStyle) -> [String] {
        ["\(style.good("imported"))  \(output.url)"]
    }
}

/// The command-line option for the folder that receives a store's root certificate and API key.
struct KeyFilesOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The folder for root.pem and api-key.p8; the output has their paths.", valueName: "folder"),
        transform: nonEmptyPath
    )
    var files: String?

    /// Writes a store's root certificate and API key to the folder, and returns the description with paths instead of PEM texts.
    ///
    /// Without `--files` the description is returned unchanged.
    ///
    /// - Throws: A usage error if the files can't be written.
    func writeKeyFiles(of description: StoreDescription) throws -> StoreDescription {
        guard let files else { return description }
        let folder = URL(filePath: files).standardizedFileURL.path
        do { try PrivateFiles.createFolder(folder) } catch {
            throw ValidationError("\(error): this path can't be created or is not a folder. Choose another folder with --files.")
        }
        return try StoreKeyFiles(folder).writeKeyFiles(of: description)
    }
}

/// A folder with the files that a developer's server needs: the store's root certificate and its key of the App Store Server API.
struct StoreKeyFiles {
    private let folder: String

    /// Selects the folder, which must exist.
    init(_ folder: String) {
        self.folder = folder
    }

    /// Writes `root.pem` and `api-key.p8`, and returns the description with their paths instead of PEM texts.
    ///
    /// - Throws: A usage error if the files can't be written.
    func writeKeyFiles(of description: StoreDescription) throws -> StoreDescription {
        var named = description
        named.rootCertificate = try write(description.rootCertificate, to: "root.pem", isPublic: true)
        named.apiKey = try write(description.apiKey, to: "api-key.p8")
        return named
    }

    private func write(_ text: String, to name: String, isPublic: Bool = false) throws -> String {
        let path = "\(folder)/\(name)"
        do { try DurableFile.replace(path, with: Data(text.utf8), isPublic: isPublic) } catch {
            throw ValidationError("\(path) can't be written. Choose another folder, or remove the file.")
        }
        return path
    }
}

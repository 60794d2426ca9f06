import ArgumentParser
import ContentStorage
import Foundation
import PurchaseModel
import PurchaseServer
import PurchaseStorage

struct ContentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "content",
        abstract: "Publish, list and remove the files that purchases unlock.",
        discussion: """
            The content of a product consists of items, which are files with versions. The version that was published last is the current \
            version; earlier versions can be downloaded until they are removed. The commands use the same configuration as the server, and \
            can run while the server runs.
            """,
        subcommands: [PublishContentCommand.self, ListContentCommand.self, RemoveContentCommand.self, PruneContentCommand.self])
}

/// The output of the commands about a published version.
struct ContentVersionOutput: Encodable {
    /// The command's effect on the version, such as `published`; nil in a list.
    let event: String?
    let product: String
    let item: String
    let version: String
    let fileName: String
    let mediaType: String
    let length: Int64
    let sha256: String
    let manifest: String
    let publishedAt: String

    init(_ version: ContentVersion, event: String?) {
        self.event = event
        product = version.product.rawValue
        item = version.item.rawValue
        self.version = version.version.rawValue
        fileName = version.fileName
        mediaType = version.mediaType.text
        length = version.length
        sha256 = version.sha256.hexadecimal
        manifest = version.manifest.hexadecimal
        publishedAt = "\(version.publishedAt)"
    }

    var line: String {
        [product, item, version, publishedAt, "\(length) bytes", mediaType, sha256, fileName].joined(separator: "  ")
    }
}

extension AppCommandOptions {
    /// Prints a version, and the command's effect on the version.
    fileprivate func print(_ version: ContentVersion, event: String? = nil) throws {
        let output = ContentVersionOutput(version, event: event)
        try print(output, line: ([event].compactMap { $0 } + [output.line]).joined(separator: "  "))
    }
}

struct PublishContentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Publish a file as the current version of an item.",
        discussion: """
            The command stores the file and its manifest in the content storage, and then inserts the version, which running servers send \
            from then on. Run an interrupted command again: a bucket keeps the complete parts. A published version is never replaced by \
            another file.
            """
    )

    @Argument(help: "The product, which must be in the list of products.")
    var product: String

    @Argument(help: "The path of the file.")
    var file: String

    @Option(help: "The name of the item, for a product with several files.")
    var item = ContentItemName.main.rawValue

    @Option(help: "The name of the version. (default: the next number)")
    var version: String?

    @Option(help: "The file name that apps use to save the file. (default: the name of the file)")
    var fileName: String?

    @Option(help: "The media type. (default: the type for the file name's extension)")
    var mediaType: String?

    @OptionGroup var common: AppCommandOptions

    func run() async throws {
        let type = try mediaType.map { text in
            do { return try MediaType(text) } catch {
                throw ValidationError("\(text) is not a media type. Use a type such as application/pdf.")
            }
        }
        let publication = ContentPublication(
            product: ProductID(product), item: ContentItemName(item), version: version.map { ContentVersionName($0) }, fileName: fileName,
            mediaType: type)
        try await common.run(PurchaseServer.contentPublisher(of:)) { publisher in
            let progress = ProgressReporter(isJSON: common.json)
            let (version, isNew) = try await publisher.publish(file, as: publication) { state in
                let reused = state.reused > 0 ? ", \(state.reused) of them stored before" : ""
                progress.report(
                    completed: state.completed, total: state.total, line: "stored \(state.completed) of \(state.total) bytes\(reused)",
                    json: UploadProgressLine(completed: state.completed, reused: state.reused, total: state.total))
            }
            progress.end()
            try common.print(version, event: isNew ? "published" : "unchanged")
        }
    }
}

private struct UploadProgressLine: Encodable {
    let event = "progress"
    let completed: Int64
    let reused: Int64
    let total: Int64
}

struct ListContentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the published versions, the latest publication of a product first.",
        discussion: "The files that the list of products names are not published, and are not listed.")

    @Argument(help: "The product. (default: all products)")
    var product: String?

    @OptionGroup var common: AppCommandOptions

    func run() async throws {
        try await common.run(PurchaseServer.contentPublisher(of:)) { publisher in
            for version in try await publisher.versions(of: product.map { ProductID($0) }) { try common.print(version) }
        }
    }
}

struct RemoveContentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove published versions, which then can't be downloaded.",
        discussion: "The bytes remain in the content storage until tillroll-server content prune removes them."
    )

    @Argument(help: "The product.")
    var product: String

    @Option(help: "The name of the item. (default: all items)")
    var item: String?

    @Option(help: "The name of the version. (default: all versions)")
    var version: String?

    @OptionGroup var common: AppCommandOptions

    func run() async throws {
        try await common.run(PurchaseServer.contentPublisher(of:)) { publisher in
            let removed = try await publisher.remove(
                ProductID(product), item: item.map { ContentItemName($0) }, version: version.map { ContentVersionName($0) })
            for version in removed { try common.print(version, event: "removed") }
        }
    }
}

struct PruneContentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract: "Remove published bytes that no version refers to, and interrupted uploads.",
        discussion: """
            Files that the list of products names are never removed. In a bucket, interrupted uploads that are older than --older-than-hours \
            are removed, even if another program began them. Do not share the objects of one app between two databases.
            """
    )

    @Option(help: "The minimum age, in hours, of objects and uploads to remove.")
    var olderThanHours = 24

    @Flag(help: "Print the objects to remove, without removing them.")
    var dryRun = false

    @OptionGroup var common: AppCommandOptions

    private struct Output: Encodable {
        let event: String
        let key: String
        let length: Int64
    }

    private struct Summary: Encodable {
        let event = "pruned"
        let objects: Int
        let uploads: Int?
    }

    func validate() throws {
        guard (0...87_600).contains(olderThanHours) else { throw ValidationError("--older-than-hours must be from 0 to 87600.") }
    }

    func run() async throws {
        try await common.run(PurchaseServer.contentPublisher(of:)) { publisher in
            let pruning = try await publisher.prune(olderThan: Int64(olderThanHours) * 3_600, isDryRun: dryRun)
            for object in pruning.objects {
                let output = Output(event: dryRun ? "unused" : "removed", key: object.key.text, length: object.length)
                try common.print(output, line: [output.event, output.key, "\(output.length) bytes"].joined(separator: "  "))
            }
            let uploads = pruning.uploads.map { ", and \($0) interrupted uploads removed" } ?? ", nothing removed"
            try common.print(
                Summary(objects: pruning.objects.count, uploads: pruning.uploads),
                line: "\(pruning.objects.count) unused objects\(uploads)")
        }
    }
}

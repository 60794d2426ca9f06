import Crypto
import Foundation
import FoundationExtras
import PurchaseKit
import PurchaseModel

/// A file with a line for each transaction, which the app appends once.
struct NoteFile: Sendable {
    let path: String
    let points: KillPoints

    /// The complete lines.
    var notes: [String] {
        let text = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
        // The last part has no line end: it is empty, or what a crash left of a line.
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { String($0) }
    }

    /// Appends a transaction, unless the file has it.
    func append(_ id: TransactionID) throws(DeliveryError) {
        points.reach("note appending")
        let notes = notes
        guard !notes.contains(id.rawValue) else { return points.reach("note repeated") }
        let line = Data("\(id)\n".utf8)
        do {
            if !FileManager.default.fileExists(atPath: path) { try Data().write(to: URL(filePath: path)) }
            let file = try FileHandle(forUpdating: URL(filePath: path))
            defer { try? file.close() }
            try file.truncate(atOffset: UInt64(notes.reduce(0) { $0 + $1.utf8.count + 1 }))
            try file.seekToEnd()
            if points.isCut("note half-appended") {
                try file.write(contentsOf: line.prefix(line.count / 2))
                points.end()
            }
            try file.write(contentsOf: line)
            try file.synchronize()
        } catch {
            throw .later("The note can't be written (\(error)).")
        }
        points.reach("note appended")
    }
}

/// Content that an app without a server copies from a file, in parts.
struct CopiedContent: ContentDelivery {
    private static let parts = 4

    let source: String
    let folder: String
    let points: KillPoints

    func install(
        _ purchase: Purchase, report: @escaping @Sendable (Int64, Int64) -> Void
    ) async throws(DeliveryError) -> InstalledContent {
        let (path, partial) = ("\(folder)/book", "\(folder)/book.partial")
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let data = try Data(contentsOf: URL(filePath: source))
            try Data().write(to: URL(filePath: partial))
            let file = try FileHandle(forWritingTo: URL(filePath: partial))
            defer { try? file.close() }
            for part in 0..<Self.parts {
                points.reach("content copying")
                let range = data.count * part / Self.parts..<data.count * (part + 1) / Self.parts
                try file.write(contentsOf: data[range])
                report(Int64(range.upperBound), Int64(data.count))
            }
            try file.synchronize()
            points.reach("content copied")
            guard rename(partial, path) == 0 else { throw DeliveryError.later("The book can't be moved.") }
            points.reach("content moved")
            return InstalledContent(path: path, length: Int64(data.count), sha256: ContentHash.sha256(data))
        } catch {
            throw .later("The book can't be copied (\(error)).")
        }
    }
}

/// Content that is downloaded from the developer's server, with a step at each event.
struct DownloadedContent: ContentDelivery {
    let downloader: ContentDownloader
    let points: KillPoints

    func install(
        _ purchase: Purchase, report: @escaping @Sendable (Int64, Int64) -> Void
    ) async throws(DeliveryError) -> InstalledContent {
        var downloader = downloader
        downloader.observe = { [points] event in
            switch event {
            case .announced: points.reach("content announced")
            case .started: points.reach("content started")
            case .received: points.reach("content received")
            case .broken: points.reach("content broken")
            case .installed: points.reach("content moved")
            }
        }
        return try await downloader.install(purchase, report: report)
    }
}

/// The hash of content.
enum ContentHash {
    static func sha256(_ data: Data) -> String { Hexadecimal.encode(Data(SHA256.hash(data: data))) }
}

import AsyncHTTPClient
public import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import PrivateFiles
public import PurchaseModel
import PurchaseProtocol
import WireClient

/// Downloads purchased content from the developer's server, resumes interrupted downloads, and verifies the content.
///
/// The received bytes are stored in a file, so that a download can continue in a later app session.
public struct ContentDownloader: Sendable {
    private let server: WireClient
    private let folder: String
    private static let hexDigits = Array("0123456789abcdef".utf8)

    /// Creates a downloader.
    ///
    /// - Parameters:
    ///   - serverURL: The base address of the developer's server.
    ///   - folder: The folder for content, which is created if it does not exist.
    public init(serverURL: HTTPURL, folder: String) {
        server = WireClient(baseURL: serverURL)
        self.folder = folder
    }

    /// Downloads and verifies the content of a product.
    ///
    /// If the connection is lost, the download continues with a new connection, until a connection brings no new bytes.
    ///
    /// - Parameters:
    ///   - product: The product whose content is downloaded.
    ///   - receipt: The app receipt, which contains the purchase of the product.
    ///   - report: Receives the events of the download.
    /// - Returns: The content's file, with its verified hash.
    /// - Throws: ``ContentError/interrupted(received:)`` if the download must be continued by a later call, or another
    ///   ``ContentError``.
    public func fetch(
        _ product: ProductID,
        receipt: Data,
        report: @Sendable (DownloadEvent) -> Void = { _ in }
    ) async throws(ContentError) -> InstalledContent {
        do {
            try PrivateFiles.createFolder(folder)
        } catch {
            throw .storage(reason: "the folder can't be created")
        }
        let ticket = try await ticket(for: product, receipt: receipt)
        report(.announced(file: ticket.file, length: ticket.length, verification: ticket.verification))
        let partial = PartialFile(folder: folder, sha256: ticket.sha256)
        // The file is created first, because no bytes are received for empty content.
        _ = try partial.open(keeping: true)
        while partial.length < ticket.length {
            let before = partial.length
            guard try await !fetchRest(of: partial, of: product, ticket, report) else { break }
            let received = partial.length
            report(.broken(received: received))
            guard received > before else { throw .interrupted(received: received) }
        }
        let content = try install(partial, ticket, product)
        report(.installed(content))
        return content
    }

    private func ticket(for product: ProductID, receipt: Data) async throws(ContentError) -> ContentTicket {
        let ticket: ContentTicket
        do {
            ticket = try await server.call(
                ServerEndpoints.contentTicket,
                ContentTicketRequest(receipt: receipt),
                parameters: ["product": product.rawValue]
            )
        } catch .refused(let status, let error) where status < 500 {
            throw .refused(code: error.code, message: error.message)
        } catch {
            throw .interrupted(received: 0)
        }
        // The hash is validated, because it becomes part of a file name.
        guard ticket.sha256.utf8.count == 64, ticket.sha256.utf8.allSatisfy({ Self.hexDigits.contains($0) }), ticket.length >= 0 else {
            throw .damaged
        }
        return ticket
    }

    /// Requests the missing bytes and appends them to the file; returns false if the connection was lost before the end.
    private func fetchRest(
        of partial: PartialFile,
        of product: ProductID,
        _ ticket: ContentTicket,
        _ report: @Sendable (DownloadEvent) -> Void
    ) async throws(ContentError) -> Bool {
        let offset = partial.length
        let response: HTTPClientResponse
        do {
            var request = HTTPClientRequest(url: address(of: product, ticket))
            for (name, value) in ResumedRange.fields(after: offset, of: "\"\(ticket.sha256)\"") {
                request.headers.add(name: name, value: value)
            }
            response = try await HTTPClient.wire.execute(request, deadline: .distantFuture)
        } catch {
            return false
        }
        switch response.status {
        case .ok, .partialContent:
            break
        case .rangeNotSatisfiable:
            partial.discard()
            throw .damaged
        default:
            throw await refusal(response, received: offset)
        }
        let range = ResumedRange(status: Int(response.status.code)) { response.headers.first(name: $0) }
        guard range.continues(after: offset) else {
            partial.discard()
            throw .damaged
        }
        let continues = offset > 0 && range.offset == offset
        report(.started(offset: continues ? offset : 0))
        let handle = try partial.open(keeping: continues)
        do {
            var room = ticket.length - (continues ? offset : 0)
            for try await chunk in response.body {
                room -= Int64(chunk.readableBytes)
                guard room >= 0 else { throw ContentError.damaged }
                do { try handle.write(contentsOf: Data(buffer: chunk)) } catch {
                    throw ContentError.storage(reason: "the file can't be written")
                }
            }
            try handle.synchronize()
            try handle.close()
            return true
        } catch let error as ContentError {
            if error == .damaged { partial.discard() }
            throw error
        } catch {
            try? handle.synchronize()
            try? handle.close()
            return false
        }
    }

    private func address(of product: ProductID, _ ticket: ContentTicket) -> String {
        var unreserved = CharacterSet.alphanumerics
        unreserved.insert(charactersIn: "-._~")
        let text = ticket.ticket.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
        return "\(server.baseURL.base)\(ServerEndpoints.content.path(["product": product.rawValue]))?ticket=\(text)"
    }

    private func refusal(_ response: HTTPClientResponse, received: Int64) async -> ContentError {
        guard let buffer = try? await withDeadline(.seconds(30), { try await response.body.collect(upTo: 1 << 16) }),
            let error = try? WireJSON.decode(WireError.self, from: Data(buffer: buffer))
        else { return .interrupted(received: received) }
        return response.status.code >= 500 ? .interrupted(received: received) : .refused(code: error.code, message: error.message)
    }

    private func install(_ partial: PartialFile, _ ticket: ContentTicket, _ product: ProductID) throws(ContentError) -> InstalledContent {
        guard partial.length == ticket.length, try partial.sha256() == ticket.sha256 else {
            partial.discard()
            throw .damaged
        }
        let path = "\(folder)/\(ticket.sha256)"
        do {
            try DurableFile.move(partial.path, to: path)
        } catch {
            throw .storage(reason: "the file can't be moved to the content folder")
        }
        return InstalledContent(path: path, length: ticket.length, sha256: ticket.sha256)
    }
}

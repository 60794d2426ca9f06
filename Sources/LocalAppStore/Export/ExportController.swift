import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOFoundationCompat
import NIOPosix
import PrivateFiles
import PurchaseModel
import StoreProtocol
import WireServer

/// Adds the routes that export a store as a file, create a store from such a file, and import transaction histories into accounts.
struct ExportController: Sendable {
    let host: StoreHost

    func addRoutes(to router: Router<StoreRequestContext>) {
        router.get(RouterPath(HostEndpoints.exportPath)) { _, context in
            let store = try context.store
            let path = StoreFile.temporary()
            defer { StoreFile.remove(path) }
            try await store.storeServices.exports.export(to: path)
            let chunks = try FileChunks(deletingAfterOpening: path)
            var headers: HTTPFields = [.contentType: "application/vnd.sqlite3", .cacheControl: "no-store"]
            headers[.contentDisposition] = "attachment; filename=\"\(store.name).tillroll\""
            return Response(status: .ok, headers: headers, body: ResponseBody(asyncSequence: chunks))
        }
        router.post(RouterPath(HostEndpoints.importPath)) { request, context in
            let path = StoreFile.temporary()
            defer { StoreFile.remove(path) }
            try await Self.save(request, to: path)
            let (name, store) = try await host.importStore(
                fromFileAt: path, name: request.query("name"), isPersistent: request.query("isPersistent") == "true")
            return Response(.created, StoreDescription(store, HostController.base(of: request), name: name))
        }
        router.mount(ControlEndpoints.importHistory, limit: ImportHistoryRequest.sizeLimit) { body, _, context in
            try await context.services.historyImports.importHistory(body)
        }
    }

    /// Writes the body of a request to a private file, one chunk at a time.
    ///
    /// - Throws: ``ImportError/invalidStoreFile(_:)`` if the body is larger than ``StoreFile/sizeLimit``.
    private static func save(_ request: Request, to path: String) async throws {
        try PrivateFiles.createFile(path)
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        defer { try? file.close() }
        var count = 0
        for try await chunk in request.body {
            count += chunk.readableBytes
            guard count <= StoreFile.sizeLimit else { throw ImportError.invalidStoreFile(.tooLarge(limit: StoreFile.sizeLimit)) }
            // A write can wait for the disk, which must not occupy a thread of Swift concurrency.
            try await NIOThreadPool.singleton.runIfActive { try file.write(contentsOf: Data(buffer: chunk)) }
        }
    }
}

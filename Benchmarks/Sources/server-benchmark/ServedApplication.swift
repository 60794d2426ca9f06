import Crypto
import Foundation
import GRDB
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import PurchaseModel
import PurchaseServer

/// The applications of the measured processes, which print their port.
enum ServedApplication {
    private static let log: Logger = {
        var logger = Logger(label: "server-benchmark", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = .info
        return logger
    }()

    /// Runs the purchase server, with the log level of production.
    static func purchaseServer(in folder: BenchmarkFolder) async throws {
        let server = try await PurchaseServer(configuration: BenchmarkShop.configuration(folder), logger: log)
        try await server.application(hostname: "127.0.0.1", port: 0) { printPort($0) }.run()
    }

    /// Runs a server whose only route does the unavoidable work of a read: one read of the database by a key, and one signature for a
    /// request with a nonce.
    static func bareServer(in folder: BenchmarkFolder) async throws {
        let read: @Sendable (String) async throws -> String?
        if let url = folder.postgres {
            let database = try BarePostgres(url)
            read = { try await database.entitlement(of: $0) }
        } else {
            let pool = try DatabasePool(path: folder.database.path)
            read = { customer in
                try await pool.read { db in
                    try String.fetchOne(
                        db.cachedStatement(sql: "SELECT entitlement FROM customer_purchase WHERE app = ?1 AND customer = ?2"),
                        arguments: [BenchmarkShop.bundleID.rawValue, customer])
                }
            }
        }
        let key = P256.Signing.PrivateKey()
        let router = Router()
        let (customer, nonce) = (HTTPField.Name("Tillroll-Customer"), HTTPField.Name("Tillroll-Nonce"))
        guard let customer, let nonce, let signature = HTTPField.Name("Signature") else { return }
        router.get("/v1/customer/entitlements/{entitlement}") { request, _ in
            let name = request.headers[customer] ?? ""
            guard let entitlement = try await read(name) else { throw HTTPError(.notFound) }
            var headers: HTTPFields = [.contentType: "application/json; charset=utf-8"]
            if let nonce = request.headers[nonce] {
                headers[signature] = try key.signature(for: Data((entitlement + nonce).utf8)).rawRepresentation.base64EncodedString()
            }
            return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: entitlement)))
        }
        let application = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { printPort($0.localAddress?.port ?? 0) }, logger: log)
        try await application.run()
    }

    private static func printPort(_ port: Int) {
        try? FileHandle.standardOutput.write(contentsOf: Data("\(port)\n".utf8))
    }
}

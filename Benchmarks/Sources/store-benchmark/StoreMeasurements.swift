import CoreFoundation
import Crypto
import CryptoExtras
import Foundation
import HTTPTypes
import HummingbirdTesting
import Lines
import NIOCore
import NIOFoundationCompat
import PurchaseModel

/// Measures by calling the host's router, without a network between.
///
/// Times are the core's for this process, so that others on the machine hardly matter; medians of several turns.
struct StoreMeasurements: Sendable {
    let client: any TestClientProtocol

    struct Refused: Error {
        var status: Int
        var body: String
    }

    // MARK: What is measured

    /// All measurements by name, in the order of the table.
    var all: [(name: String, measure: @Sendable () async throws -> [Line])] {
        [("making", making), ("memory", memory), ("year", year), ("purchase", purchase), ("histories", histories)]
    }

    /// A store in memory, its authority and catalogue included.
    func making() async throws -> [Line] {
        _ = try await make()
        var times: [Double] = []
        for _ in 0..<30 {
            times.append(try await milliseconds { _ = try await make() })
        }
        return [Line(title: "making a store in memory", value: median(times), unit: "ms", limit: 10)]
    }

    /// What a store takes that nothing happened in, and one in which somebody bought.
    func memory() async throws -> [Line] {
        let idle = try await memory(of: 1_000) { _ in }
        let used = try await memory(of: 300) { store in
            _ = try await post(store, ControlEndpoints.buy, BuyRequest(account: "ada", productID: BenchmarkShop.credits))
        }
        return [
            Line(title: "memory of each of 1,000 stores", value: idle, unit: "KiB", limit: 200),
            Line(title: "memory of one with a purchase", value: used, unit: "KiB"),
        ]
    }

    private func memory(of count: Int, _ use: (StoreDescription) async throws -> Void) async throws -> Double {
        let before = try residentKiB()
        for _ in 0..<count { try await use(try await make()) }
        return (try residentKiB() - before) / Double(count)
    }

    /// Twelve months of one subscription with every notification signed and kept.
    func year() async throws -> [Line] {
        let p256 = try bareP256()
        var times: [Double] = []
        for _ in 0..<15 {
            let store = try await make()
            times.append(
                try await milliseconds {
                    _ = try await post(store, ControlEndpoints.buy, BuyRequest(account: "ada", productID: BenchmarkShop.monthly))
                    _ = try await post(store, ControlEndpoints.advance, AdvanceRequest(seconds: 365 * 86_400))
                })
        }
        let time = median(times)
        // Each period: a transaction and renewal information inside of a notification.
        return [
            Line(title: "twelve months of a subscription", value: time, unit: "ms", limit: 50),
            Line(
                title: "the same, compared with its signatures", value: time, unit: "ms", basis: "39 P-256 signatures",
                ratio: time / (39 * p256)),
        ]
    }

    /// A purchase by a device and its receipt, with all that is signed for both.
    func purchase() async throws -> [Line] {
        let store = try await make()
        let token = try await signIn(store, "ada")
        let (ecdsa, rsa) = (P256.Signing.PrivateKey(), try _RSA.Signing.PrivateKey(keySize: .bits2048))
        let message = Data(repeating: 7, count: 700)
        let empty = try WireJSON.encode(ReceiptRequest())
        var times: [Double] = []
        var bare: [Double] = []
        for _ in 0..<300 {
            // In turns, so that what slows the machine down for a while slows both down.
            bare.append(
                try await milliseconds {
                    _ = try rsa.signature(for: SHA256.hash(data: message), padding: .insecurePKCS1v1_5)
                    for _ in 0..<3 { _ = try ecdsa.signature(for: message) }
                })
            let request = PurchaseRequest(
                payment: PaymentID(UUID()), productID: BenchmarkShop.credits, quantity: 1, appAccountToken: nil)
            let wish = try WireJSON.encode(request)
            // What the client makes of the answers is not the store's time.
            times.append(
                try await milliseconds {
                    _ = try await send(.post, "/stores/\(store.name)\(DeviceEndpoints.purchase.path())", bearer: token, body: wish)
                    _ = try await send(.post, "/stores/\(store.name)\(DeviceEndpoints.receipt.path())", bearer: token, body: empty)
                })
            // Finished, so that the receipt stays small.
            try await finishAll(store, token)
        }
        let time = median(times)
        return [
            Line(
                title: "a purchase with its receipt, notification and JWS", value: time, unit: "ms",
                basis: "its signatures (RSA-2048, 3 P-256)", ratio: time / median(bare), limit: 2)
        ]
    }

    /// The cost of one transaction in the history of a customer who has many, against one who has few.
    func histories() async throws -> [Line] {
        let few = try await history(of: 100)
        let many = try await history(of: 10_000)
        return [
            Line(
                title: "a history page of a customer with 10,000", value: many.page, unit: "ms", basis: "one of a customer with 100",
                ratio: many.page / few.page, limit: 1.5),
            Line(
                title: "a transaction in a receipt of 10,000", value: many.entry * 1_000, unit: "µs", basis: "one in a receipt of 100",
                ratio: many.entry / few.entry, limit: 1.5),
        ]
    }

    private func history(of count: Int) async throws -> (page: Double, entry: Double) {
        let store = try await make()
        let token = try await signIn(store, "ada")
        var last: TransactionID?
        for _ in 0..<count {
            let bought = try await post(store, ControlEndpoints.buy, BuyRequest(account: "ada", productID: BenchmarkShop.credits))
            guard case .purchased(let signed, _) = bought, last == nil else { continue }
            last = try payload(signed).transactionId
        }
        guard let last else { throw Refused(status: 0, body: "nothing bought") }
        var pages: [Double] = []
        var receipts: [Double] = []
        let bearer = try apiToken(store)
        let path = "/stores/\(store.name)/inApps/v2/history/\(last)?sort=DESCENDING"
        for _ in 0..<40 {
            pages.append(try await milliseconds { _ = try await send(.get, path, bearer: bearer) })
        }
        for _ in 0..<5 {
            receipts.append(
                try await milliseconds { _ = try await post(store, DeviceEndpoints.receipt, ReceiptRequest(), token) } / Double(count))
        }
        return (median(pages), median(receipts))
    }

    // MARK: What it is compared with

    private func bareP256() throws -> Double {
        let key = P256.Signing.PrivateKey()
        let message = Data(repeating: 7, count: 700)
        return try bare { _ = try key.signature(for: message) }
    }

    private func bare(_ sign: () throws -> Void) throws -> Double {
        for _ in 0..<20 { try sign() }
        let start = coreMilliseconds()
        for _ in 0..<200 { try sign() }
        return (coreMilliseconds() - start) / 200
    }

    // MARK: Calls

    private func make() async throws -> StoreDescription {
        let wish = NewStoreRequest(storekit: JSONText(Data(BenchmarkShop.storekit.utf8)), bundleID: BenchmarkShop.bundleID)
        let body = try await send(.post, "/stores", body: try WireJSON.encode(wish))
        return try WireJSON.decode(StoreDescription.self, from: body)
    }

    private func signIn(_ store: StoreDescription, _ account: AccountID) async throws -> String {
        _ = try await post(store, ControlEndpoints.openAccount, OpenAccountRequest(account: account, password: "secret"))
        let request = SignInRequest(
            account: account, password: "secret", device: DeviceID(UUID()), bundleID: BenchmarkShop.bundleID, appVersion: "1.0")
        return try await post(store, DeviceEndpoints.signIn, request).token
    }

    private func finishAll(_ store: StoreDescription, _ token: String) async throws {
        for unfinished in try await post(store, DeviceEndpoints.unfinished, UnfinishedRequest(), token).transactions {
            let id = try payload(unfinished.transaction).transactionId
            _ = try await post(store, DeviceEndpoints.finish, FinishRequest(transaction: id), token)
        }
    }

    private func post<Request, Response>(
        _ store: StoreDescription, _ endpoint: Endpoint<Request, Response>, _ body: Request, _ token: String? = nil
    ) async throws -> Response {
        let path = "/stores/\(store.name)\(endpoint.path())"
        return try WireJSON.decode(Response.self, from: try await send(.post, path, bearer: token, body: try WireJSON.encode(body)))
    }

    private func send(_ method: HTTPRequest.Method, _ path: String, bearer: String? = nil, body: Data? = nil) async throws -> Data {
        var headers: HTTPFields = [:]
        headers[.authorization] = bearer.map { "Bearer \($0)" }
        let response = try await client.executeRequest(
            uri: path, method: method, headers: headers, body: body.map { ByteBuffer(data: $0) })
        guard response.status.kind == .successful else {
            throw Refused(status: response.status.code, body: String(buffer: response.body))
        }
        return Data(buffer: response.body)
    }

    /// A token for the App Store Server API.
    private func apiToken(_ store: StoreDescription) throws -> String {
        let key = try P256.Signing.PrivateKey(pemRepresentation: store.apiKey)
        let now = Int(Date().timeIntervalSince1970)
        let header = "{\"alg\":\"ES256\",\"kid\":\"\(store.keyID)\",\"typ\":\"JWT\"}"
        let claims = """
            {"iss":"\(store.issuerID)","iat":\(now),"exp":\(now + 1800),"aud":"appstoreconnect-v1","bid":"\(store.bundleID)"}
            """
        let text = Self.base64URL(Data(header.utf8)) + "." + Self.base64URL(Data(claims.utf8))
        return text + "." + Self.base64URL(try key.signature(for: Data(text.utf8)).rawRepresentation)
    }

    private func payload(_ signed: SignedTransaction) throws -> TransactionPayload {
        let part = signed.compact.split(separator: ".")[1]
        var text = part.replacing("-", with: "+").replacing("_", with: "/")
        text += String(repeating: "=", count: (4 - text.count % 4) % 4)
        return try WireJSON.decode(TransactionPayload.self, from: Data(base64Encoded: String(text)) ?? Data())
    }

    private static func base64URL(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    // MARK: Time and memory

    private func milliseconds(_ work: () async throws -> Void) async throws -> Double {
        let start = coreMilliseconds()
        try await work()
        return coreMilliseconds() - start
    }

    private func coreMilliseconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    }

    private func residentKiB() throws -> Double {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        guard let number = line?.split(separator: " ").dropFirst().first.flatMap({ Double($0) }) else {
            throw Refused(status: 0, body: "no VmRSS")
        }
        return number
    }

    private func median(_ values: [Double]) -> Double {
        values.sorted()[values.count / 2]
    }
}

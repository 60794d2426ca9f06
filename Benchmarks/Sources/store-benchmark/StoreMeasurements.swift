import BenchmarkReport
import CoreFoundation
import Crypto
import CryptoExtras
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import NIOFoundationCompat
import PurchaseModel

/// Measures a host by calls of the router, without a network.
///
/// Times are processor times of this process, so that other processes have little effect. Values are medians of several rounds.
struct StoreMeasurements: Sendable {
    let client: any TestClientProtocol
    /// Whether to make few calls, to test the benchmark itself.
    let isShort: Bool

    /// The members of a store's description that the benchmark uses.
    struct Store: Decodable {
        let name: String
        let bundleID: String
        let keyID: String
        let issuerID: String
        let apiKey: String
    }

    private struct SignedIn: Decodable {
        let token: String
    }

    private struct Purchased: Decodable {
        struct Purchase: Decodable {
            let signedTransaction: SignedTransaction
        }

        let purchased: Purchase
    }

    private struct Unfinished: Decodable {
        struct Element: Decodable {
            let signedTransaction: SignedTransaction
        }

        let transactions: [Element]
    }

    struct Refused: Error {
        var status: Int
        var body: String
    }

    // MARK: Measurements

    /// All measurements by name, in the order of the table.
    var all: [(name: String, measure: @Sendable () async throws -> [ReportLine])] {
        [
            ("creation", storeCreation), ("memory", memory), ("year", year), ("purchase", purchase), ("growth", growth),
            ("histories", histories),
        ]
    }

    /// Measures the creation of a store in memory, including the authority and the catalog.
    func storeCreation() async throws -> [ReportLine] {
        _ = try await make()
        var times: [Double] = []
        for _ in 0..<(isShort ? 2 : 30) {
            times.append(try await milliseconds { _ = try await make() })
        }
        return [ReportLine(title: "creating a store in memory", value: median(times), unit: "ms", limit: 10)]
    }

    /// Measures the memory of an unused store, and of a store with a purchase.
    func memory() async throws -> [ReportLine] {
        let idle = try await memory(of: isShort ? 5 : 1_000) { _ in }
        let used = try await memory(of: isShort ? 5 : 300) { store in
            _ = try await buy(store, BenchmarkShop.credits)
        }
        return [
            ReportLine(title: "memory of an unused store among 1,000", value: idle, unit: "KiB", limit: 200),
            ReportLine(title: "memory of a store with one purchase", value: used, unit: "KiB"),
        ]
    }

    private func memory(of count: Int, _ use: (Store) async throws -> Void) async throws -> Double {
        let before = try residentKiB()
        for _ in 0..<count { try await use(try await make()) }
        return (try residentKiB() - before) / Double(count)
    }

    /// Measures twelve months of one subscription, with every notification signed and stored.
    func year() async throws -> [ReportLine] {
        let p256 = try bareP256()
        var times: [Double] = []
        for _ in 0..<(isShort ? 1 : 15) {
            let store = try await make()
            times.append(
                try await milliseconds {
                    _ = try await buy(store, BenchmarkShop.monthly)
                    _ = try await post(store, "/control/v1/clock/advance", ["seconds": 365 * 86_400])
                })
        }
        let time = median(times)
        // Each period has a notification with a transaction and renewal information.
        return [
            ReportLine(title: "a year of a monthly subscription", value: time, unit: "ms", limit: 50),
            ReportLine(
                title: "a year of a monthly subscription, to its signatures", value: time, unit: "ms", basis: "39 P-256 signatures",
                ratio: time / (39 * p256)),
        ]
    }

    /// Measures a purchase by a device and the receipt, with all signatures of both.
    func purchase() async throws -> [ReportLine] {
        let store = try await make()
        let token = try await signIn(store, "ada")
        let (ecdsa, rsa) = (P256.Signing.PrivateKey(), try _RSA.Signing.PrivateKey(keySize: .bits2048))
        let message = Data(repeating: 7, count: 700)
        var times: [Double] = []
        var bare: [Double] = []
        for _ in 0..<(isShort ? 5 : 300) {
            // The two measurements alternate, so that a temporary slowdown affects both.
            bare.append(
                try await milliseconds {
                    _ = try rsa.signature(for: SHA256.hash(data: message), padding: .insecurePKCS1v1_5)
                    for _ in 0..<3 { _ = try ecdsa.signature(for: message) }
                })
            times.append(try await purchaseTime(in: store, token))
        }
        let time = median(times)
        return [
            ReportLine(
                title: "a purchase with its receipt, notification and JWS", value: time, unit: "ms",
                basis: "its signatures (RSA-2048, 3 P-256)", ratio: time / median(bare), limit: 2)
        ]
    }

    /// Measures a purchase of a customer with many finished purchases, compared with a customer with few.
    func growth() async throws -> [ReportLine] {
        let few = try await storeWithPurchases(10)
        let many = try await storeWithPurchases(isShort ? 20 : 10_000)
        var times: (few: [Double], many: [Double]) = ([], [])
        for _ in 0..<(isShort ? 5 : 300) {
            times.few.append(try await purchaseTime(in: few.store, few.token))
            times.many.append(try await purchaseTime(in: many.store, many.token))
        }
        return [
            ReportLine(
                title: "a purchase, customer with 10,000 purchases", value: median(times.many), unit: "ms",
                basis: "a purchase after 10 purchases", ratio: median(times.many) / median(times.few), limit: 1.2)
        ]
    }

    private func storeWithPurchases(_ count: Int) async throws -> (store: Store, token: String) {
        let store = try await make()
        let token = try await signIn(store, "ada")
        for _ in 0..<count {
            _ = try await buy(store, BenchmarkShop.credits)
            try await finishAll(store, token)
        }
        return (store, token)
    }

    /// Returns the time of a purchase by a device and of the receipt, and then finishes the transaction.
    private func purchaseTime(in store: Store, _ token: String) async throws -> Double {
        let receipt = try json(["expired": false])
        let purchase = try json([
            "payment": UUID().uuidString.lowercased(), "productID": BenchmarkShop.credits.rawValue, "quantity": 1,
        ])
        // The processing of the responses is not part of the measured time.
        let time = try await milliseconds {
            _ = try await send(.post, "/stores/\(store.name)/device/v1/purchases", bearer: token, body: purchase)
            _ = try await send(.post, "/stores/\(store.name)/device/v1/receipt", bearer: token, body: receipt)
        }
        // The transactions are finished, so that the receipt stays small.
        try await finishAll(store, token)
        return time
    }

    /// Measures the cost of one transaction in a long history, compared with a short one.
    func histories() async throws -> [ReportLine] {
        let few = try await history(of: isShort ? 5 : 100)
        let many = try await history(of: isShort ? 10 : 10_000)
        return [
            ReportLine(
                title: "a history page, customer with 10,000 purchases", value: many.page, unit: "ms", basis: "a page with 100 purchases",
                ratio: many.page / few.page, limit: 1.5),
            ReportLine(
                title: "each transaction in a receipt of 10,000", value: many.entry * 1_000, unit: "µs", basis: "each in a receipt of 100",
                ratio: many.entry / few.entry, limit: 1.5),
        ]
    }

    private func history(of count: Int) async throws -> (page: Double, entry: Double) {
        let store = try await make()
        let token = try await signIn(store, "ada")
        var last: TransactionID?
        for _ in 0..<count {
            let bought = try await buy(store, BenchmarkShop.credits)
            guard last == nil else { continue }
            last = try payload(try JSONDecoder().decode(Purchased.self, from: bought).purchased.signedTransaction).transactionId
        }
        guard let last else { throw Refused(status: 0, body: "no purchase") }
        var pages: [Double] = []
        var receipts: [Double] = []
        let bearer = try apiToken(store)
        let path = "/stores/\(store.name)/inApps/v2/history/\(last)?sort=DESCENDING"
        for _ in 0..<40 {
            pages.append(try await milliseconds { _ = try await send(.get, path, bearer: bearer) })
        }
        for _ in 0..<5 {
            receipts.append(
                try await milliseconds { _ = try await post(store, "/device/v1/receipt", ["expired": false], token) } / Double(count))
        }
        return (median(pages), median(receipts))
    }

    // MARK: Comparison

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

    private func make() async throws -> Store {
        let catalog = try JSONSerialization.jsonObject(with: Data(BenchmarkShop.storekit.utf8))
        let body = try json(["storekit": catalog, "bundleID": BenchmarkShop.bundleID.rawValue])
        return try JSONDecoder().decode(Store.self, from: try await send(.post, "/stores", body: body))
    }

    private func signIn(_ store: Store, _ account: String) async throws -> String {
        _ = try await post(store, "/control/v1/accounts", ["account": account, "password": "secret", "askToBuyEnabled": false])
        let answer = try await post(
            store, "/device/v1/sign-in",
            [
                "account": account, "password": "secret", "device": UUID().uuidString, "bundleID": BenchmarkShop.bundleID.rawValue,
                "appVersion": "1.0",
            ])
        return try JSONDecoder().decode(SignedIn.self, from: answer).token
    }

    private func buy(_ store: Store, _ product: ProductID) async throws -> Data {
        try await post(store, "/control/v1/purchases", ["account": "ada", "productID": product.rawValue])
    }

    private func finishAll(_ store: Store, _ token: String) async throws {
        let answer = try await post(store, "/device/v1/unfinished", [:], token)
        for unfinished in try JSONDecoder().decode(Unfinished.self, from: answer).transactions {
            let id = try payload(unfinished.signedTransaction).transactionId
            _ = try await post(store, "/device/v1/finish", ["transactionID": id.rawValue], token)
        }
    }

    private func post(_ store: Store, _ path: String, _ body: [String: Any], _ token: String? = nil) async throws -> Data {
        try await send(.post, "/stores/\(store.name)\(path)", bearer: token, body: try json(body))
    }

    private func json(_ body: [String: Any]) throws -> Data {
        try JSONSerialization.data(withJSONObject: body)
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

    /// Returns a token for the App Store Server API.
    private func apiToken(_ store: Store) throws -> String {
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
        return try JSONDecoder().decode(TransactionPayload.self, from: Data(base64Encoded: String(text)) ?? Data())
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

import Foundation
import Logging
import PurchaseModel
import WireClient

extension PurchaseServer {
    /// The time in seconds for which an answer is awaited.
    private static let addressTimeout: Int64 = 3

    /// Checks that `verifyReceipt` and the App Store Server API answer at the configured URLs that are not Apple's.
    ///
    /// A wrong path would otherwise be noticed at the first receipt only, which remains unconfirmed. A URL at which nothing answers is
    /// logged, because a store can start after the server.
    ///
    /// - Throws: ``ConfigurationError/wrongAddress(key:url:answer:)`` if something else answers.
    public func checkAddresses() async throws(ConfigurationError) {
        var seen: Set<HTTPURL> = []
        for app in configuration.apps {
            let receipts = [
                ("verify-receipt.production-url", app.verifyReceiptProductionURL),
                ("verify-receipt.sandbox-url", app.verifyReceiptSandboxURL),
            ]
            for (key, url) in receipts {
                let base = VerifyReceiptClient.base(of: url)
                guard !base.isApple, seen.insert(base).inserted else { continue }
                try await check(base, key: key, "POST", "/verifyReceipt", Data("{}".utf8)) { status, json in
                    guard status == 200, case .number(let number) = json?["status"] else { return false }
                    return Int(number) != nil
                }
            }
            guard let base = app.appStoreServerAPI?.baseURL, !base.isApple, seen.insert(base).inserted else { continue }
            // The App Store refuses a request without a token with status 401, before it reads the path's parameters.
            try await check(base, key: "app-store-server-api.url", "GET", "/inApps/v1/transactions/0", nil) { status, json in
                status == 401 || status == 429 || json?["errorCode"] != nil
            }
        }
    }

    private func check(
        _ base: HTTPURL, key: String, _ method: String, _ path: String, _ body: Data?, _ isExpected: (Int, JSONValue?) -> Bool
    ) async throws(ConfigurationError) {
        let client = WireClient(baseURL: base, timeoutSeconds: Self.addressTimeout)
        let headers = body == nil ? [:] : ["Content-Type": "application/json"]
        guard let answer = try? await client.exchange(method, path, headers, body), answer.status < 500 else {
            logger.warning("nothing answers at a configured URL now", metadata: ["key": "\(key)", "url": "\(base.base)\(path)"])
            return
        }
        guard !isExpected(answer.status, JSONReader.read([UInt8](answer.body))) else { return }
        throw .wrongAddress(
            key: key, url: base.base + path, answer: "the answer has status \(answer.status) and is not one of the App Store")
    }
}

extension HTTPURL {
    /// The host and the port, and the path, of which either can be empty.
    private var parts: (host: Substring, path: Substring) {
        let rest = base.split(separator: "://", maxSplits: 1).last ?? ""
        let host = rest.prefix { $0 != "/" }
        return (host, rest.dropFirst(host.count))
    }

    /// Whether the host is one of Apple's.
    var isApple: Bool { parts.host.prefix { $0 != ":" }.lowercased().hasSuffix(".apple.com") }

    /// Whether the URL has no path but a slash.
    var hasNoPath: Bool { parts.path.isEmpty }
}

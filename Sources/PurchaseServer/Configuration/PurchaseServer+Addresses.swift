import Foundation
import FoundationExtras
import Logging
import PurchaseModel
import Wire
import WireClient

/// A request that shows whether an App Store answers at a configured URL.
private struct AddressProbe: Sendable {
    let key: String
    let base: HTTPURL
    let method: String
    let path: String
    var body: Data?
    /// Returns whether the status and the body match a response of the App Store's service.
    let isExpected: @Sendable (Int, JSONValue?) -> Bool
}

extension PurchaseServer {
    /// The maximum time in seconds for the response to a probe.
    private static let addressTimeout: Int64 = 3

    /// The statuses below 500 with which the App Store, or a proxy of the App Store, temporarily refuses a request.
    private static let temporaryStatuses: Set<Int> = [408, 425, 429]

    /// Checks that `verifyReceipt` and the App Store Server API answer at the configured URLs that are not Apple's.
    ///
    /// Without the check, the first effect of a wrong path would be an unconfirmed receipt. A URL without a response or with a temporary
    /// refusal causes only a warning, because a store can start after the server.
    ///
    /// - Throws: ``ConfigurationError/wrongAddress(key:url:answer:)`` for the first URL at which a service other than the App Store
    ///   answers.
    public func checkAddresses() async throws(ConfigurationError) {
        let probes = addressProbes()
        let errors = await withTaskGroup(of: (Int, ConfigurationError?).self) { group in
            for (index, probe) in probes.enumerated() {
                group.addTask { (index, await self.error(of: probe)) }
            }
            var errors: [Int: ConfigurationError] = [:]
            for await (index, error) in group { errors[index] = error }
            return errors
        }
        guard let first = errors.min(by: { $0.key < $1.key }) else { return }
        throw first.value
    }

    /// Returns a probe for each configured URL of `verifyReceipt` and the App Store Server API, in the order of the configuration.
    private func addressProbes() -> [AddressProbe] {
        var seen: (receipts: Set<HTTPURL>, serverAPI: Set<HTTPURL>) = ([], [])
        var probes: [AddressProbe] = []
        for app in configuration.apps {
            let receipts = [
                ("verify-receipt.production-url", app.verifyReceiptProductionURL),
                ("verify-receipt.sandbox-url", app.verifyReceiptSandboxURL),
            ]
            for (key, url) in receipts {
                let base = VerifyReceiptClient.base(of: url)
                guard !base.isApple, seen.receipts.insert(base).inserted else { continue }
                probes.append(
                    AddressProbe(key: key, base: base, method: "POST", path: "/verifyReceipt", body: Data("{}".utf8)) { status, json in
                        guard status == 200, case .number(let number) = json?["status"] else { return false }
                        return Int(number) != nil
                    })
            }
            guard let base = app.appStoreServerAPI?.baseURL, !base.isApple, seen.serverAPI.insert(base).inserted else { continue }
            // Send no token: the App Store then responds with status 401, before it reads the path's parameters.
            probes.append(
                AddressProbe(key: "app-store-server-api.url", base: base, method: "GET", path: "/inApps/v1/transactions/0") {
                    status, json in
                    status == 401 || status == 429 || json?["errorCode"] != nil
                })
        }
        return probes
    }

    /// Sends the request of a probe, and returns an error if a service other than an App Store answers.
    private func error(of probe: AddressProbe) async -> ConfigurationError? {
        let client = WireClient(baseURL: probe.base, timeoutSeconds: Self.addressTimeout)
        let headers = probe.body == nil ? [:] : ["Content-Type": "application/json"]
        let url = probe.base.base + probe.path
        let answer = try? await client.exchange(probe.method, probe.path, headers, probe.body)
        if let answer, answer.status < 500, probe.isExpected(answer.status, JSONReader.read([UInt8](answer.body))) { return nil }
        guard let answer, answer.status < 500, !Self.temporaryStatuses.contains(answer.status) else {
            logger.warning("nothing answers at a configured URL now", metadata: ["key": "\(probe.key)", "url": "\(url)"])
            return nil
        }
        return .wrongAddress(
            key: probe.key, url: url, answer: "the answer has status \(answer.status) and is not one of the App Store")
    }
}

extension HTTPURL {
    /// The host with the port, and the path; the host and the path can be empty.
    private var parts: (host: Substring, path: Substring) {
        let rest = base.split(separator: "://", maxSplits: 1).last ?? ""
        let host = rest.prefix { $0 != "/" }
        return (host, rest.dropFirst(host.count))
    }

    /// Whether the host is in the domain `apple.com`.
    var isApple: Bool { parts.host.prefix { $0 != ":" }.lowercased().hasSuffix(".apple.com") }

    /// Whether the URL has no path, except for a slash.
    var hasNoPath: Bool { parts.path.isEmpty }
}

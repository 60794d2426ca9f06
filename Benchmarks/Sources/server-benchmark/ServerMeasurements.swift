import BenchmarkReport
import Foundation
import PurchaseModel

/// Measures a purchase server in a process of its own, by requests on the loopback interface.
///
/// Rates are of the wall clock: this process has another core than the server. The subjects of a comparison take turns, and values are
/// medians of several rounds.
struct ServerMeasurements {
    let launcher: ProcessLauncher
    let samples: SignedSamples
    let isShort: Bool
    /// The number of customers in the database.
    let customers: Int
    let keys: (publishable: String, secret: String)
    let server: (process: MeasuredProcess, port: Int)

    /// The number of the first transaction that a measurement can use; each measurement has 10,000,000 numbers.
    static func firstNumber(_ measurement: Int) -> Int { 1_000_000_000 + measurement * 10_000_000 }

    private var rounds: Int { isShort ? 1 : 7 }

    // MARK: Reads

    /// Measures reads of one entitlement, compared with a bare route.
    func reads() async throws -> [ReportLine] {
        let (bare, barePort) = try launcher.startServer("bare")
        let subjects: [(port: Int, requests: [[UInt8]])] = [
            (barePort, reads { [customerField($0)] }),
            (server.port, reads { [authorization(keys.secret), customerField($0)] }),
            (server.port, reads { [authorization(keys.publishable), "Tillroll-Customer-Token: \(CustomerDatabase.token($0))"] }),
            (barePort, reads { [customerField($0), nonce()] }),
            (server.port, reads { [authorization(keys.secret), customerField($0), nonce()] }),
            (server.port, reads { [authorization(keys.publishable), "Tillroll-Customer-Token: \(CustomerDatabase.token($0))", nonce()] }),
        ]
        let results = try compare(subjects)
        try bare.stop()
        let titles = [
            "an entitlement, secret key", "an entitlement, customer token", "a signed entitlement, secret key",
            "a signed entitlement, customer token",
        ]
        return zip(titles, [(0, 1), (0, 2), (3, 4), (3, 5)]).flatMap { title, pair in
            let (bare, measured) = (results[pair.0], results[pair.1])
            return [
                ReportLine(
                    title: title, value: measured.rate, unit: "/s", basis: "bare route", ratio: measured.rate / bare.rate, minimum: 0.6),
                ReportLine(
                    title: "\(title), p99", value: measured.p99, unit: "µs", basis: "bare route", ratio: measured.p99 / bare.p99, limit: 3),
            ]
        }
    }

    func reads(_ fields: (Int) -> [String]) -> [[UInt8]] {
        (0..<(isShort ? 100 : 50_000)).map { _ in
            HTTPRequestText.get("/v1/customer/entitlements/\(BenchmarkShop.entitlement)", fields(Int.random(in: 1...customers)))
        }
    }

    /// Measures subjects in turns, and returns the medians of their rates and of their 99th percentiles.
    func compare(_ subjects: [(port: Int, requests: [[UInt8]])]) throws -> [(rate: Double, p99: Double)] {
        var results = subjects.map { _ in [LoadResult]() }
        let seconds = isShort ? 0.1 : 1
        for round in 0...rounds {
            for (index, subject) in subjects.enumerated() {
                let result = try LoadClient(port: subject.port).run(subject.requests, seconds: seconds)
                // The first round fills caches.
                if round > 0 { results[index].append(result) }
            }
        }
        return results.map { ($0.map(\.rate).median, $0.map(\.p99).median) }
    }

    // MARK: Intake

    /// Measures notifications and submissions, compared with the verification of the same signed data.
    func intake() async throws -> [ReportLine] {
        let count = isShort ? 20 : 3_000
        var next = Self.firstNumber(0)
        let notifications = try intake(.notification, count) {
            next += 1
            let signed = try samples.notification(of: samples.period(first: next, for: CustomerID(UUID())), "SUBSCRIBED", "INITIAL_BUY")
            return (signed, post(notification: signed))
        }
        let subscriptions = try intake(.transaction, count) {
            next += 1
            return try submission(samples.period(first: next, for: customer(next)), next)
        }
        let consumables = try intake(.transaction, count) {
            next += 1
            return try submission(samples.consumable(BenchmarkShop.coins, next, for: customer(next)), next)
        }
        let batches = try batches(count) {
            next += 1
            return samples.period(first: next, for: customer(next))
        }
        return [
            ReportLine(
                title: "a notification, stored durably", value: notifications.rate, unit: "/s", basis: "its verifications",
                ratio: notifications.ratio, minimum: 0.5),
            ReportLine(
                title: "a transaction, stored durably", value: subscriptions.rate, unit: "/s", basis: "its verification",
                ratio: subscriptions.ratio, minimum: 0.5),
            ReportLine(
                title: "a transaction with credits, stored durably", value: consumables.rate, unit: "/s", basis: "its verification",
                ratio: consumables.ratio),
            ReportLine(
                title: "a transaction of 100 in a request", value: batches.rate, unit: "/s", basis: "its verification",
                ratio: batches.ratio),
        ]
    }

    /// Returns the median rate of requests, and its ratio to the verification of their signed data.
    private func intake(
        _ kind: PureVerification.Kind, _ count: Int, _ sample: () throws -> (signed: String, request: [UInt8])
    ) throws -> (rate: Double, ratio: Double) {
        var results: [(rate: Double, ratio: Double)] = []
        for _ in 0..<rounds {
            let batch = try (0..<count).map { _ in try sample() }
            let verified = try PureVerification.rate(of: batch.map(\.signed), kind, launcher)
            let rate = try LoadClient(port: server.port).run(batch.map(\.request)).rate
            results.append((rate, rate / verified))
        }
        return (results.map(\.rate).median, results.map(\.ratio).median)
    }

    /// Returns the median rate of transactions that are submitted 100 in a request, and its ratio to their verification.
    private func batches(_ count: Int, _ transaction: () -> TransactionPayload) throws -> (rate: Double, ratio: Double) {
        let size = 100
        var results: [(rate: Double, ratio: Double)] = []
        for _ in 0..<rounds {
            let signed = try (0..<max(count, size)).map { _ in try samples.authority.sign(transaction()) }
            let verified = try PureVerification.rate(of: signed, .transaction, launcher)
            let requests = stride(from: 0, to: signed.count - size + 1, by: size).map { start in
                let body = SignedSamples.submission(of: Array(signed[start..<start + size]))
                return HTTPRequestText.post("/v1/purchases", [authorization(keys.secret)], body)
            }
            let rate = try LoadClient(port: server.port, connections: 8).run(requests).rate * Double(size)
            results.append((rate, rate / verified))
        }
        return (results.map(\.rate).median, results.map(\.ratio).median)
    }

    func submission(_ transaction: TransactionPayload, _ number: Int) throws -> (signed: String, request: [UInt8]) {
        let signed = try samples.authority.sign(transaction)
        let body = Array(#"{"proofs":[{"signedTransaction":"\#(signed)"}]}"#.utf8)
        let token = CustomerDatabase.token(number % customers + 1)
        return (
            signed, HTTPRequestText.post("/v1/purchases", [authorization(keys.publishable), "Tillroll-Customer-Token: \(token)"], body)
        )
    }

    func customer(_ number: Int) -> CustomerID { CustomerDatabase.customer(number % customers + 1) }

    private func post(notification: String) -> [UInt8] {
        HTTPRequestText.post("/v1/notifications", [], Array(#"{"signedPayload":"\#(notification)"}"#.utf8))
    }

    // MARK: Growth

    /// Measures whether the cost of a notification and of a read grows with the transactions of the customer.
    func growth() async throws -> [ReportLine] {
        let (few, many) = isShort ? (2, 20) : (10, 10_000)
        let renewals = try growth(few, many, isSubscription: true)
        let consumables = try growth(few, many, isSubscription: false)
        let (less, more) = (
            few.formatted(.number.locale(Locale(identifier: "en_US"))), many.formatted(.number.locale(Locale(identifier: "en_US")))
        )
        return [
            ReportLine(
                title: "a renewal's notification after \(more) renewals", value: renewals.notification.many, unit: "/s",
                basis: "time after \(less) renewals", ratio: renewals.notification.growth, limit: 1.5),
            ReportLine(
                title: "an entitlement after \(more) renewals", value: renewals.read.many, unit: "/s",
                basis: "time after \(less) renewals", ratio: renewals.read.growth, limit: 1.5),
            ReportLine(
                title: "a consumable's notification after \(more) others", value: consumables.notification.many, unit: "/s",
                basis: "time after \(less) others", ratio: consumables.notification.growth, limit: 1.5),
            ReportLine(
                title: "an entitlement after \(more) consumables", value: consumables.read.many, unit: "/s",
                basis: "time after \(less) consumables", ratio: consumables.read.growth, limit: 1.5),
        ]
    }

    private struct Growth {
        var many: Double
        /// The time of a request of a customer with many transactions, as a multiple of that of a customer with few.
        var growth: Double
    }

    /// Compares a customer with many transactions, and as many customers with few transactions as have the same number together.
    private func growth(_ few: Int, _ many: Int, isSubscription: Bool) throws -> (notification: Growth, read: Growth) {
        let first = Self.firstNumber(isSubscription ? 1 : 2)
        let lengths = (few: few, many: many)
        let groups = many / few
        let crowd = (0..<groups).map { _ in CustomerID(UUID()) }
        let one = CustomerID(UUID())
        // The transactions of the crowd precede those of the one customer. Each customer has numbers for further transactions.
        func transaction(_ index: Int, of customer: Int?) -> TransactionPayload {
            let space = 1_000
            let start = customer.map { first + $0 * space } ?? first + groups * space
            let owner = customer.map { crowd[$0] } ?? one
            let current = (customer == nil ? lengths.many : lengths.few) - 1
            return isSubscription
                ? samples.period(index, current: current, length: 3_600, first: start, for: owner)
                : samples.consumable(BenchmarkShop.hint, start + index, for: owner)
        }
        var history: [TransactionPayload] = []
        for group in 0..<groups { history += (0..<few).map { transaction($0, of: group) } }
        history += (0..<many).map { transaction($0, of: nil) }
        if !isSubscription {
            history += crowd.indices.map { samples.period(first: first + 5_000_000 + $0, for: crowd[$0]) }
            history.append(samples.period(first: first + 6_000_000, for: one))
        }
        try record(history)

        var few = few
        var many = many
        let count = isShort ? 10 : groups
        var notifications: [(few: Double, many: Double)] = []
        let type = isSubscription ? "DID_RENEW" : "ONE_TIME_CHARGE"
        for _ in 0..<rounds {
            let ofFew = try (0..<count).map { post(notification: try samples.notification(of: transaction(few, of: $0), type)) }
            let ofMany = try (0..<count).map { post(notification: try samples.notification(of: transaction(many + $0, of: nil), type)) }
            few += 1
            many += count
            notifications.append((try LoadClient(port: server.port).run(ofFew).rate, try LoadClient(port: server.port).run(ofMany).rate))
        }
        func read(_ customer: CustomerID) -> [UInt8] {
            HTTPRequestText.get(
                "/v1/customer/entitlements/\(BenchmarkShop.entitlement)",
                [authorization(keys.secret), "Tillroll-Customer: \(customer.rawValue)"])
        }
        let reads = try compare([(server.port, crowd.map(read)), (server.port, [read(one)])])
        return (
            Growth(many: notifications.map(\.many).median, growth: notifications.map { $0.few / $0.many }.median),
            Growth(many: reads[1].rate, growth: reads[0].rate / reads[1].rate)
        )
    }

    /// Submits transactions to the server, 100 in a request.
    func record(_ transactions: [TransactionPayload]) throws {
        let requests = try stride(from: 0, to: transactions.count, by: 100).map { start in
            let batch = Array(transactions[start..<min(start + 100, transactions.count)])
            return HTTPRequestText.post("/v1/purchases", [authorization(keys.secret)], try samples.submission(batch))
        }
        _ = try LoadClient(port: server.port, connections: 8).run(requests)
    }

    // MARK: Requests

    func authorization(_ key: String) -> String { "Authorization: Bearer \(key)" }

    func customerField(_ number: Int) -> String { "Tillroll-Customer: \(CustomerDatabase.customer(number).rawValue)" }

    private func nonce() -> String { "Tillroll-Nonce: \(UUID().uuidString)" }
}

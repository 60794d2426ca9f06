import Foundation
import FoundationExtras
import Logging
import PurchaseModel
import PurchaseStorage
import ServerProtocol

/// Creates the deliveries of an app's events, and sends them to the webhook endpoints.
///
/// A delivery is a row of the database until the endpoint has acknowledged the message, so a killed server loses none. A server claims a
/// customer's deliveries to an endpoint before it sends them, and sends them one at a time in the order of the feed; the failure of a message
/// holds back the later messages about the same customer to the same endpoint only.
struct WebhookSender: Sendable {
    /// The maximum number of events of one transaction that creates deliveries.
    private static let batchSize = 200
    /// The maximum number of transactions that create deliveries for one endpoint before the next endpoint's turn.
    private static let batches = 20
    /// The longest time in seconds after which the last message of a claim begins.
    private static let laneSeconds: Int64 = 20
    /// The duration of a claim in seconds, after which another server can send the same message.
    ///
    /// A claim is longer than the deadlines of one message, and each message of a lane renews it.
    static let claimSeconds = SystemHostResolver.deadline + WebhookSchedule.attemptSeconds + 5

    let app: BundleID
    let storage: any PurchaseStorage
    let messages: WebhookMessages
    var hosts: WebhookHosts
    var transport: any WebhookTransport
    var clock: any WallClock
    let metrics: ServerMetrics
    let logger: Logger
    /// Returns a random number from 0 to 1.
    var random: @Sendable () -> Double = { Double.random(in: 0...1) }
    /// The number of open messages to each endpoint, and their recent results.
    let traffic = WebhookTraffic()

    /// What is to be done for an enabled endpoint.
    struct Work: Hashable, Sendable {
        let endpoint: String
        /// Whether the feed has events without deliveries.
        let hasEvents: Bool
        /// Whether a lane is due.
        let isDue: Bool
    }

    /// Returns the work of all enabled endpoints, with one read of the database.
    func work() async throws -> [Work] {
        let now = clock.now
        let (endpoints, work) = try await reading { records in
            let endpoints = try records.webhookEndpoints()
            guard !endpoints.isEmpty else { return (endpoints, [Work]()) }
            let positions = try records.feedPositions()
            let work = try endpoints.filter(\.isEnabled).map { endpoint in
                let due = try records.webhookLanes(of: endpoint.id, dueAfter: nil, limit: 1).first?.dueAt
                let position = max(try records.webhookPosition(of: endpoint.id) ?? .max, positions.removed)
                let receivesEvents = endpoint.format != WebhookFormat.notification.rawValue
                return Work(
                    endpoint: endpoint.id, hasEvents: receivesEvents && position < positions.newest,
                    isDue: due.map { $0 <= now } ?? false)
            }
            return (endpoints, work)
        }
        for endpoint in endpoints {
            metrics.set(.webhookEnabled, to: endpoint.isEnabled ? 1 : 0, ["app": app.rawValue, "endpoint": endpoint.id])
        }
        return work
    }

    /// Reads from the primary database, which has the newest events.
    private func reading<Value: Sendable>(
        _ body: @escaping @Sendable (any StorageTransaction) throws -> Value
    ) async throws -> Value {
        try await RequestPosition.$current.withValue(nil) { try await storage.read(app, body) }
    }

    // MARK: Deliveries

    /// Creates the deliveries of new events to an endpoint.
    ///
    /// The lock of the endpoint's position excludes other servers. The events that retention has removed are skipped.
    ///
    /// - Returns: Whether the feed has further events for the endpoint.
    @discardableResult
    func enqueue(to id: String) async throws -> Bool {
        for _ in 0..<Self.batches {
            let now = clock.now
            let count = try await storage.write(app) { records in
                guard let endpoint = try records.webhookEndpoint(id), endpoint.isEnabled,
                    let position = try records.claimWebhookPosition(of: id)
                else { return 0 }
                let events = try records.feedEvents(after: max(position, records.feedPositions().removed), limit: Self.batchSize)
                guard let last = events.last else { return 0 }
                for event in events {
                    if let delivery = endpoint.delivery(of: event, at: now) { _ = try records.insert(delivery) }
                }
                try records.putWebhookPosition(last.position, of: id)
                return events.count
            }
            if count < Self.batchSize { return false }
        }
        return true
    }

    /// Sends the due messages of an endpoint, until no lane is due or enough messages are open.
    ///
    /// The method can run several times at the same time, so that a slow message of one customer does not delay other customers.
    func send(to id: String) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            var open = 0
            while !Task.isCancelled {
                let limit = traffic.begin(to: id, at: clock.now)
                let lanes: [WebhookLane]
                do {
                    lanes = try await claim(of: id, limit: limit)
                } catch {
                    traffic.end(limit, to: id)
                    throw error
                }
                traffic.end(limit - lanes.count, to: id)
                for lane in lanes {
                    group.addTask {
                        await sendReporting(lane)
                        traffic.end(1, to: id)
                    }
                }
                open += lanes.count
                guard open > 0 else { return }
                // Claim several lanes in one transaction, although a single message has ended.
                for _ in 0..<max(1, open - WebhookTraffic.limit / 2) {
                    _ = try await group.next()
                    open -= 1
                }
            }
        }
    }

    /// Sends the messages of a lane; an error concerns the lane only, which is due again at the end of the claim.
    private func sendReporting(_ lane: WebhookLane) async {
        do {
            if let isAcknowledged = try await send(lane) { traffic.note(isAcknowledged: isAcknowledged, lane.endpoint, at: clock.now) }
        } catch {
            guard !Task.isCancelled else { return }
            logger.error(
                "webhooks of a customer not sent",
                metadata: ["app": "\(app)", "endpoint": "\(lane.endpoint)", "customer": "\(lane.lane)", "error": "\(error)"])
        }
    }

    private func claim(of id: String, limit: Int) async throws -> [WebhookLane] {
        guard limit > 0 else { return [] }
        let (now, claim) = (clock.now, UUID().uuidString)
        return try await storage.write(app) { records in
            guard try records.webhookEndpoint(id)?.isEnabled ?? false else { return [] }
            return try records.claimWebhookLanes(
                of: id, dueAt: now, until: now.adding(seconds: Self.claimSeconds), claim: claim, limit: limit)
        }
    }

    /// Sends the messages of a claimed lane in their order, and returns whether the endpoint acknowledged the last message; nil without a
    /// request.
    private func send(_ lane: WebhookLane) async throws -> Bool? {
        let end = clock.now.adding(seconds: Self.laneSeconds)
        let messages = try await reading { [messages] in try messages.read(lane, in: $0) }
        if messages.isEmpty { try await release(lane) }
        var isAcknowledged: Bool?
        for (index, message) in messages.enumerated() {
            let attempt = try await post(message)
            if attempt.response != nil { isAcknowledged = attempt.failure == nil }
            let isLast = index == messages.count - 1 || clock.now >= end
            guard try await settle(message, lane, after: attempt, isLast: isLast) else { break }
        }
        return isAcknowledged
    }

    /// The response to a message, or the reason why the message was not sent.
    private struct Attempt: Sendable {
        let response: WebhookResponse?
        /// The reason of the failure; nil for a status from 200 to 299.
        let failure: String?
        /// Whether another attempt can't succeed, because the event is no longer in the feed.
        var isFinal = false
    }

    private func post(_ message: WebhookMessage) async throws(CancellationError) -> Attempt {
        let body: [UInt8]
        switch message.body {
        case .bytes(let bytes): body = bytes
        case .missing(let reason): return Attempt(response: nil, failure: reason, isFinal: true)
        case .unknownFormat:
            return Attempt(response: nil, failure: "The format of the endpoint belongs to another version of the server.")
        }
        guard let secrets = message.secrets else {
            return Attempt(response: nil, failure: "The secret is missing. Remove the endpoint, and create another one.")
        }
        guard let url = WebhookURL(message.url) else { return Attempt(response: nil, failure: "The URL is malformed.") }
        let address: IPAddress
        do throws(WebhookAddressError) {
            address = try await hosts.address(of: url)
        } catch {
            return Attempt(response: nil, failure: error.text)
        }
        let headers = secrets.headers(of: message.delivery.message, body, at: clock.now)
        let response = try await transport.post(
            WebhookRequest(url: url, address: address, headers: headers, body: body), within: .seconds(WebhookSchedule.attemptSeconds))
        return Attempt(response: response, failure: response.failure)
    }

    // MARK: Results

    /// Records the result of an attempt, unless another server has claimed the lane in the meantime.
    ///
    /// - Returns: Whether the next message of the lane can be sent within the same claim.
    private func settle(_ message: WebhookMessage, _ lane: WebhookLane, after attempt: Attempt, isLast: Bool) async throws -> Bool {
        let (now, jitter) = (clock.now, random())
        let (isNext, step) = try await storage.write(app) { records -> (Bool, WebhookStep?) in
            guard try records.webhookLane(lane.lane, of: lane.endpoint)?.claim == lane.claim,
                var endpoint = try records.webhookEndpoint(lane.endpoint)
            else { return (false, nil) }
            var delivery = message.delivery
            if attempt.failure != nil {
                if delivery.attempts == 0 { delivery.enqueuedAt = now }
                (delivery.attempts, delivery.failure) = (delivery.attempts + 1, attempt.failure)
            }
            let step =
                attempt.isFinal
                ? .bury
                : WebhookSchedule.step(
                    after: attempt.response, delivery, failingSince: endpoint.recentFailures(at: now), at: now, jitter: jitter)
            if !attempt.isFinal, endpoint.note(step, at: now) { try records.put(endpoint) }
            switch step {
            case .acknowledge, .bury:
                try records.remove(delivery)
                if step == .bury { try records.insert(WebhookDeadLetter(delivery, diedAt: now)) }
                guard try !records.webhookDeliveries(to: lane.endpoint, in: lane.lane, limit: 1).isEmpty else {
                    try records.remove(lane)
                    return (false, step)
                }
                // A changed endpoint receives the next message with its new settings, in another claim.
                let isNext = !isLast && endpoint.isEnabled && endpoint.url == message.url
                try records.put(
                    WebhookLane(
                        endpoint: lane.endpoint, lane: lane.lane, dueAt: isNext ? now.adding(seconds: Self.claimSeconds) : now,
                        claim: isNext ? lane.claim : nil))
                return (isNext, step)
            case .retry(let date), .disable(let date, _):
                try records.put(delivery)
                try records.put(WebhookLane(endpoint: lane.endpoint, lane: lane.lane, dueAt: date))
                return (false, step)
            }
        }
        report(step, message.delivery, attempt.failure)
        return isNext
    }

    /// Removes a claimed lane without deliveries.
    private func release(_ lane: WebhookLane) async throws {
        try await storage.write(app) { records in
            guard try records.webhookLane(lane.lane, of: lane.endpoint)?.claim == lane.claim,
                try records.webhookDeliveries(to: lane.endpoint, in: lane.lane, limit: 1).isEmpty
            else { return }
            try records.remove(lane)
        }
    }

    /// Removes the dead letters whose events retention has removed.
    func removeExpired() async throws {
        for endpoint in try await storage.read(app, { try $0.webhookEndpoints() })
        where endpoint.format != WebhookFormat.notification.rawValue {
            var count = Self.batchSize
            while count > 0, !Task.isCancelled {
                count = try await storage.write(app) { records in
                    let removed = try records.feedPositions().removed
                    let letters = try records.webhookDeadLetters(of: endpoint.id, after: nil, limit: Self.batchSize)
                    let expired = letters.filter { $0.delivery.position <= removed }
                    for letter in expired { try records.removeWebhookDeadLetter(letter.delivery.message, of: endpoint.id) }
                    return expired.count
                }
            }
        }
    }

    private func report(_ step: WebhookStep?, _ delivery: WebhookDelivery, _ failure: String?) {
        guard let step else { return }
        let result = step == .acknowledge ? "acknowledged" : step == .bury ? "dead_letter" : "failed"
        metrics.add(to: .webhookAttempts, ["app": app.rawValue, "endpoint": delivery.endpoint, "result": result])
        let metadata: Logger.Metadata = [
            "app": "\(app)", "endpoint": "\(delivery.endpoint)", "message": "\(delivery.message)", "failure": "\(failure ?? "")",
        ]
        switch step {
        case .acknowledge: break
        case .retry: logger.debug("webhook not acknowledged", metadata: metadata)
        case .bury:
            logger.error("webhook is a dead letter; send it again with tillroll-server webhooks resend", metadata: metadata)
        case .disable(_, let reason):
            logger.critical(
                "webhook endpoint disabled; enable it with tillroll-server webhooks enable",
                metadata: metadata.merging(["reason": "\(reason)"]) { $1 })
        }
    }
}

extension WebhookResponse {
    /// The reason of a failure; nil for a status from 200 to 299.
    fileprivate var failure: String? {
        switch self {
        case .status(200..<300, _): nil
        case .status(300..<400, _): "The endpoint redirects. Set the URL of the target."
        case .status(let status, _): "The endpoint answered with status \(status)."
        case .timeout: "The endpoint did not answer within \(WebhookSchedule.attemptSeconds) seconds."
        case .unreachable: "The endpoint is not reachable, or its certificate is not trusted."
        }
    }
}

extension WebhookAddressError {
    /// The reason as a sentence.
    var text: String {
        switch self {
        case .insecure: "The scheme is not https."
        case .unknownHost: "The host has no address."
        case .forbidden: "The host has an address that is not public."
        }
    }
}

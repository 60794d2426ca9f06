import Foundation
import FoundationExtras
import PurchaseModel
import PurchaseStorage
package import ServerProtocol

/// Manages the webhook endpoints of an app.
package struct WebhookService: Sendable {
    /// The maximum number of endpoints of an app.
    static let endpointLimit = 20
    /// The maximum length in bytes of an operator's text about an endpoint.
    static let noteLimit = 200
    /// The maximum length in bytes of the header `Authorization` of an endpoint's messages.
    static let authorizationLimit = 1_000
    /// The longest time in seconds for which a replaced secret signs.
    static let overlapLimit: Int64 = 7 * 86_400
    /// The maximum number of identifiers in a request to send messages again.
    static let resendLimit = 100
    /// The maximum number of events that one request to send messages again reads.
    private static let scanLimit = 10_000
    private static let pageSize = 500
    /// The maximum number of counted rows, and the number of rows of one transaction that removes or changes many.
    private static let countLimit = 1_000
    private static let deadLetterPage = 100
    /// The time in seconds by which the dates of neighboring events of the feed can differ in the opposite order.
    private static let disorder: Int64 = 3_600

    let app: BundleID
    let storage: any PurchaseStorage
    let secrets: SecretService
    let hosts: WebhookHosts
    let signal: FeedSignal
    let fanOut: NotificationFanOut
    let clock: any WallClock

    /// Returns the name of the secret of an endpoint.
    static func secretName(of endpoint: String) -> String { "webhook.\(endpoint)" }

    // MARK: Endpoints

    /// Returns all endpoints with the numbers of their waiting messages.
    package func list() async throws -> WebhooksReply {
        try await storage.read(app) { records in
            WebhooksReply(webhooks: try records.webhookEndpoints().map { try Self.reply($0, in: records) })
        }
    }

    private static func reply(_ endpoint: WebhookEndpoint, in records: any StorageTransaction) throws -> WebhookReply {
        WebhookReply(
            id: endpoint.id, url: endpoint.url, note: endpoint.note, format: endpoint.format, types: endpoint.types,
            isEnabled: endpoint.isEnabled, createdAt: endpoint.createdAt, disabledAt: endpoint.disabledAt,
            disabledBecause: endpoint.disabledBecause, failingSince: endpoint.failingSince,
            waitingCustomers: try records.webhookLanes(of: endpoint.id, dueAfter: nil, limit: countLimit).count,
            deadLetters: try records.webhookDeadLetters(of: endpoint.id, after: nil, limit: countLimit).count)
    }

    /// Creates an endpoint, which receives the events that are recorded from then on.
    ///
    /// - Returns: The endpoint with its secret, which no later answer contains.
    package func create(_ request: CreateWebhookRequest) async throws -> WebhookSecretReply {
        let format = request.format ?? .event
        let endpoint = WebhookEndpoint(
            id: "we_" + UUID().uuidString.lowercased().filter { $0 != "-" }.prefix(24), url: try checked(url: request.url),
            note: try Self.checked(note: request.note ?? ""), format: format.rawValue,
            types: try Self.checked(types: request.types ?? [], of: format), createdAt: clock.now)
        let secrets = WebhookSecrets(authorization: try request.authorization.map(Self.checked(authorization:)))
        let data = try WireJSON.encode(secrets)
        // Store the secret first, because an endpoint without a secret could not sign.
        try await self.secrets.replace(Self.secretName(of: endpoint.id)) { _ in data }
        do {
            let reply = try await storage.write(app) { records in
                guard try records.webhookEndpoints().count < Self.endpointLimit else { throw WebhookRefusal.tooManyEndpoints }
                try records.put(endpoint)
                try records.putWebhookPosition(try records.feedPositions().newest, of: endpoint.id)
                return try Self.reply(endpoint, in: records)
            }
            fanOut.forget()
            return WebhookSecretReply(webhook: reply, secret: secrets.text)
        } catch {
            // The endpoint can be stored, although the reply of the database was lost.
            if let stored = try? await storage.read(app, { try $0.webhookEndpoint(endpoint.id) == nil }), stored {
                try? await self.secrets.remove(Self.secretName(of: endpoint.id))
            }
            throw error
        }
    }

    /// Changes an endpoint; an endpoint that becomes enabled receives its waiting messages at once.
    package func change(_ id: String, _ request: ChangeWebhookRequest) async throws -> WebhookReply {
        let (url, note) = (try request.url.map(checked(url:)), try request.note.map(Self.checked(note:)))
        let now = clock.now
        let reply = try await storage.write(app) { records in
            guard var endpoint = try records.webhookEndpoint(id) else { throw WebhookRefusal.unknownEndpoint }
            let types = try request.types.map { try Self.checked(types: $0, of: WebhookFormat(rawValue: endpoint.format)) }
            (endpoint.url, endpoint.note, endpoint.types) = (url ?? endpoint.url, note ?? endpoint.note, types ?? endpoint.types)
            if request.isEnabled == true {
                if !endpoint.isEnabled { (endpoint.failingSince, endpoint.failedAt) = (nil, nil) }
                (endpoint.disabledAt, endpoint.disabledBecause) = (nil, nil)
            } else if request.isEnabled == false, endpoint.isEnabled {
                (endpoint.disabledAt, endpoint.disabledBecause) = (now, "An operator disabled the endpoint.")
            }
            try records.put(endpoint)
            return try Self.reply(endpoint, in: records)
        }
        if request.isEnabled == true || request.url != nil { try await makeDue(id) }
        return reply
    }

    private func makeDue(_ id: String) async throws {
        let now = clock.now
        var count = Self.countLimit
        while count == Self.countLimit {
            count = try await storage.write(app) { records in
                let lanes = try records.webhookLanes(of: id, dueAfter: now, limit: Self.countLimit)
                // A message that a server sends now keeps its claim.
                for lane in lanes where lane.claim == nil {
                    try records.put(WebhookLane(endpoint: id, lane: lane.lane, dueAt: now))
                }
                return lanes.contains { $0.claim == nil } ? lanes.count : 0
            }
        }
        signal.notifyReaders()
    }

    /// Removes an endpoint with its waiting messages, its dead letters and its secret.
    ///
    /// - Returns: The other endpoints.
    package func remove(_ id: String) async throws -> WebhooksReply {
        // Disable the endpoint first, so that no server creates further deliveries; a repeated call continues the removal.
        _ = try await change(id, ChangeWebhookRequest(isEnabled: false))
        var count = Self.countLimit
        while count == Self.countLimit {
            count = try await storage.write(app) { records in
                let count = try records.removeWebhookDeliveries(to: id, limit: Self.countLimit)
                // Remove the endpoint in the transaction that sees no further delivery, so that a concurrent request leaves none.
                if count < Self.countLimit, let endpoint = try records.webhookEndpoint(id) { try records.remove(endpoint) }
                return count
            }
        }
        try await secrets.remove(Self.secretName(of: id))
        return try await list()
    }

    /// Replaces the secret of an endpoint; the replaced secret signs too until the end of the overlap.
    package func rotate(_ id: String, overlapSeconds: Int64?) async throws -> WebhookSecretReply {
        let (now, seconds) = (clock.now, overlapSeconds ?? 86_400)
        guard (0...Self.overlapLimit).contains(seconds) else { throw WebhookRefusal.overlap }
        let reply = try await storage.read(app) { records in
            guard let endpoint = try records.webhookEndpoint(id) else { throw WebhookRefusal.unknownEndpoint }
            return try Self.reply(endpoint, in: records)
        }
        let name = Self.secretName(of: id)
        try await secrets.replace(name) { data in
            guard let data else { throw WebhookRefusal.unknownEndpoint }
            var secrets = try WireJSON.decode(WebhookSecrets.self, from: data)
            secrets.rotate(until: now.adding(seconds: seconds), at: now)
            return try WireJSON.encode(secrets)
        }
        guard let data = try await secrets.secret(name) else { throw WebhookRefusal.unknownEndpoint }
        return WebhookSecretReply(webhook: reply, secret: try WireJSON.decode(WebhookSecrets.self, from: data).text)
    }

    // MARK: Checks

    private func checked(url text: String) throws(WebhookRefusal) -> String {
        guard let url = WebhookURL(text) else { throw .url }
        do { try hosts.check(url) } catch { throw .address(error.text) }
        return text
    }

    private static func checked(note: String) throws(WebhookRefusal) -> String {
        guard note.utf8.count <= noteLimit else { throw .note }
        return note
    }

    private static func checked(authorization: String) throws(WebhookRefusal) -> String {
        let visible = UInt8(ascii: " ")...UInt8(ascii: "~")
        guard (1...authorizationLimit).contains(authorization.utf8.count), authorization.utf8.allSatisfy(visible.contains) else {
            throw .authorization
        }
        return authorization
    }

    private static func checked(types: [String], of format: WebhookFormat?) throws(WebhookRefusal) -> [String] {
        for type in types {
            let isType =
                switch format {
                case .event: FeedEventType(rawValue: type) != nil
                case .revenueCat: RevenueCatMessage.types.contains(type)
                case .notification: UnsignedNotification.isType(type)
                case nil: false
                }
            guard isType else { throw .type(String(type.prefix(100))) }
        }
        return Set(types).sorted()
    }

    // MARK: Messages

    /// Sends events to an endpoint again: those with the identifiers, or those that were recorded between two dates.
    ///
    /// The events are read from the feed, so the cost grows with the number of events since the beginning of the selection. A message that
    /// still waits is not enqueued twice.
    package func resend(to id: String, _ request: ResendWebhooksRequest) async throws -> ResendWebhooksReply {
        let endpoint = try await storage.read(app) { try $0.webhookEndpoint(id) }
        guard let endpoint else { throw WebhookRefusal.unknownEndpoint }
        if endpoint.format == WebhookFormat.notification.rawValue { return try await resendNotifications(to: id, request) }
        let reply: ResendWebhooksReply
        switch (request.messages, request.from) {
        case (let messages?, nil):
            guard (1...Self.resendLimit).contains(messages.count) else { throw WebhookRefusal.selection }
            reply = ResendWebhooksReply(enqueued: try await resend(to: id, messages: Set(messages)), nextCursor: nil)
        case (nil, let from?): reply = try await resend(to: id, request, from: from)
        default: throw WebhookRefusal.selection
        }
        signal.notifyReaders()
        return reply
    }

    private func resend(to id: String, messages: Set<String>) async throws -> Int {
        let now = clock.now
        // A dead letter states the position of its event; other events are searched from the newest to the oldest.
        var (found, rest) = try await storage.read(app) { records -> ([PositionedFeedEvent], Set<String>) in
            guard try records.webhookEndpoint(id) != nil else { throw WebhookRefusal.unknownEndpoint }
            let letters = try messages.compactMap { try records.webhookDeadLetter($0, of: id)?.delivery }
            let found = try letters.compactMap { try records.feedEvents(after: $0.position - 1, limit: 1).first }
                .filter { messages.contains($0.event.id) }
            return (found, messages.subtracting(found.map(\.event.id)))
        }
        var end = Int64.max
        while !rest.isEmpty, end > 0 {
            let (page, begin) = try await storage.read(app) { [rest, end] records -> ([PositionedFeedEvent], Int64) in
                let positions = try records.feedPositions()
                let last = min(end, positions.newest)
                let first = max(positions.removed, last - Int64(Self.pageSize))
                let events = try records.feedEvents(after: first, limit: Int(clamping: last - first))
                return (events.filter { rest.contains($0.event.id) }, first > positions.removed ? first : 0)
            }
            found += page
            rest.subtract(page.map(\.event.id))
            end = begin
        }
        return try await storage.write(app) { [found] records in
            guard let endpoint = try records.webhookEndpoint(id) else { throw WebhookRefusal.unknownEndpoint }
            return try Self.insert(found.compactMap { endpoint.delivery(of: $0, at: now, isNamed: true) }, at: now, in: records)
        }
    }

    private func resend(to id: String, _ request: ResendWebhooksRequest, from: Timestamp) async throws -> ResendWebhooksReply {
        var position: Int64
        if let after = request.after {
            guard let cursor = FeedCursor(after) else { throw WebhookRefusal.cursor }
            position = cursor.position
        } else {
            position = try await storage.read(app) { try Self.position(before: from.adding(seconds: -Self.disorder), in: $0) }
        }
        let (now, until) = (clock.now, request.until ?? Timestamp(milliseconds: .max))
        var (count, scanned) = (0, 0)
        while true {
            let (enqueued, last, isComplete) = try await storage.write(app) { [position] records -> (Int, PositionedFeedEvent?, Bool) in
                guard let endpoint = try records.webhookEndpoint(id) else { throw WebhookRefusal.unknownEndpoint }
                let page = try records.feedEvents(after: max(position, records.feedPositions().removed), limit: Self.pageSize)
                let events = page.filter { event in
                    let date = event.event.recordedAt
                    return date >= from && date < until && (request.customer == nil || request.customer == event.event.customer)
                }
                let enqueued = try Self.insert(events.compactMap { endpoint.delivery(of: $0, at: now) }, at: now, in: records)
                let isAfter = page.last.map { $0.event.recordedAt >= until.adding(seconds: Self.disorder) } ?? true
                return (enqueued, page.last, page.count < Self.pageSize || isAfter)
            }
            (count, scanned, position) = (count + enqueued, scanned + Self.pageSize, last?.position ?? position)
            if isComplete { return ResendWebhooksReply(enqueued: count, nextCursor: nil) }
            if scanned >= Self.scanLimit {
                return ResendWebhooksReply(enqueued: count, nextCursor: last.map { FeedCursor(after: $0).description })
            }
        }
    }

    /// Inserts deliveries, removes the dead letters with the same messages, and returns the number of the deliveries.
    private static func insert(_ deliveries: [WebhookDelivery], at now: Timestamp, in records: any StorageTransaction) throws -> Int {
        for delivery in deliveries {
            _ = try records.insert(delivery)
            try records.removeWebhookDeadLetter(delivery.message, of: delivery.endpoint)
            // A message that waits for its next attempt is sent now, unless a server sends the lane at the moment.
            guard let lane = try records.webhookLane(delivery.lane, of: delivery.endpoint), lane.claim == nil, lane.dueAt > now else {
                continue
            }
            try records.put(WebhookLane(endpoint: delivery.endpoint, lane: delivery.lane, dueAt: now))
        }
        return deliveries.count
    }

    /// Sends notifications to an endpoint again: those with the UUIDs, or those that were signed between two dates.
    private func resendNotifications(to id: String, _ request: ResendWebhooksRequest) async throws -> ResendWebhooksReply {
        guard request.customer == nil else { throw WebhookRefusal.customer }
        let (now, until) = (clock.now, request.until ?? Timestamp(milliseconds: .max))
        let body: @Sendable (WebhookEndpoint, any StorageTransaction) throws -> ResendWebhooksReply
        switch (request.messages, request.from) {
        case (let messages?, nil):
            guard (1...Self.resendLimit).contains(messages.count) else { throw WebhookRefusal.selection }
            body = { endpoint, records in
                let found = try Set(messages).sorted().compactMap { try records.notification($0) }
                let deliveries = found.compactMap { endpoint.delivery(of: $0, at: now, isNamed: true) }
                return ResendWebhooksReply(enqueued: try Self.insert(deliveries, at: now, in: records), nextCursor: nil)
            }
        case (nil, let from?):
            let cursor = try request.after.map { try DatedCursor($0) } ?? DatedCursor(date: from, id: "")
            body = { endpoint, records in
                let page = try records.notifications(signedAfter: cursor.date, cursor.id, limit: Self.pageSize)
                let deliveries = page.filter { $0.signedDate < until }.compactMap { endpoint.delivery(of: $0, at: now) }
                let isComplete = page.count < Self.pageSize || page.last.map { $0.signedDate >= until } ?? true
                return ResendWebhooksReply(
                    enqueued: try Self.insert(deliveries, at: now, in: records),
                    nextCursor: isComplete ? nil : page.last.map { DatedCursor(date: $0.signedDate, id: $0.uuid).text })
            }
        default: throw WebhookRefusal.selection
        }
        // Read the endpoint in the transaction, so that a removed endpoint keeps no delivery.
        let reply = try await storage.write(app) { records in
            guard let endpoint = try records.webhookEndpoint(id) else { throw WebhookRefusal.unknownEndpoint }
            return try body(endpoint, records)
        }
        signal.notifyReaders()
        return reply
    }

    /// Returns a position before all events that were recorded from a date on, with a number of reads that grows with the logarithm of the
    /// feed's length.
    private static func position(before date: Timestamp, in records: any StorageTransaction) throws -> Int64 {
        let positions = try records.feedPositions()
        var (low, high) = (positions.removed, positions.newest)
        while low < high {
            let middle = low + (high - low) / 2
            guard let event = try records.feedEvents(after: middle, limit: 1).first, event.event.recordedAt < date else {
                high = middle
                continue
            }
            low = middle + 1
        }
        return low
    }

    /// Returns a page of the dead letters of an endpoint, oldest first.
    package func deadLetters(of id: String, after cursor: String?) async throws -> DeadLettersReply {
        let last = try cursor.map { text -> WebhookDeadLetter in
            let cursor = try DatedCursor(text)
            let delivery = WebhookDelivery(
                endpoint: id, lane: "", position: 0, message: cursor.id, type: "", enqueuedAt: Timestamp(milliseconds: 0))
            return WebhookDeadLetter(delivery, diedAt: cursor.date)
        }
        let letters = try await storage.read(app) { records in
            guard try records.webhookEndpoint(id) != nil else { throw WebhookRefusal.unknownEndpoint }
            return try records.webhookDeadLetters(of: id, after: last, limit: Self.deadLetterPage)
        }
        let replies = letters.map { letter in
            let delivery = letter.delivery
            return DeadLettersReply.DeadLetter(
                message: delivery.message, type: delivery.type,
                customer: delivery.lane == delivery.message ? nil : CustomerID(delivery.lane), enqueuedAt: delivery.enqueuedAt,
                diedAt: letter.diedAt, attempts: delivery.attempts, failure: delivery.failure ?? "")
        }
        let next = letters.last.map { DatedCursor(date: $0.diedAt, id: $0.delivery.message).text }
        return DeadLettersReply(deadLetters: replies, nextCursor: letters.count == Self.deadLetterPage ? next : nil)
    }
}

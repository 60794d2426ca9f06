public import PurchaseModel

/// An address of a backend that receives the events of an app.
public struct WebhookEndpoint: Codable, Hashable, Sendable {
    /// The identifier, such as `we_5b1d…`.
    public let id: String
    /// The URL to which the server posts.
    public var url: String
    /// The operator's text about the endpoint; empty for none.
    public var note: String
    /// The name of the format of the bodies.
    public let format: String
    /// The types of messages that the endpoint receives, in its format; empty for all types.
    public var types: [String]
    /// The date of the creation.
    public let createdAt: Timestamp
    /// The reason why the endpoint receives nothing; nil for an enabled endpoint.
    public var disabledBecause: String?
    /// The date when the endpoint was disabled; nil for an enabled endpoint.
    public var disabledAt: Timestamp?
    /// The date of the first failure since the last delivery; nil if the last attempt was a delivery.
    public var failingSince: Timestamp?
    /// The date of a recent failure, which is at most an hour earlier than the last one; nil if the last attempt was a delivery.
    public var failedAt: Timestamp?

    /// Creates an enabled endpoint.
    public init(id: String, url: String, note: String, format: String, types: [String], createdAt: Timestamp) {
        self.id = id
        self.url = url
        self.note = note
        self.format = format
        self.types = types
        self.createdAt = createdAt
    }

    /// Whether the endpoint receives events.
    public var isEnabled: Bool { disabledAt == nil }
}

/// A message that waits for its delivery to an endpoint.
public struct WebhookDelivery: Hashable, Sendable {
    /// The identifier of the endpoint.
    public let endpoint: String
    /// The customer whose deliveries keep their order; the identifier of the message for a message without a customer.
    public let lane: String
    /// The position of the event in the feed; 0 for a notification.
    public let position: Int64
    /// The identifier of the message: the event's identifier, or the notification's UUID.
    public let message: String
    /// The type of the event in the format of the endpoint, or of the notification.
    public let type: String
    /// The date from which the server tries to deliver the message; after a failure, the date of the first failed attempt.
    public var enqueuedAt: Timestamp
    /// The number of failed attempts.
    public var attempts: Int
    /// The reason of the last failure; nil before.
    public var failure: String?

    /// Creates a delivery without attempts.
    public init(
        endpoint: String, lane: String, position: Int64, message: String, type: String, enqueuedAt: Timestamp, attempts: Int = 0,
        failure: String? = nil
    ) {
        self.endpoint = endpoint
        self.lane = lane
        self.position = position
        self.message = message
        self.type = type
        self.enqueuedAt = enqueuedAt
        self.attempts = attempts
        self.failure = failure
    }
}

/// The waiting deliveries of one customer to one endpoint, of which one is sent at a time.
public struct WebhookLane: Hashable, Sendable {
    /// The identifier of the endpoint.
    public let endpoint: String
    /// The customer, or the identifier of a message without a customer.
    public let lane: String
    /// The date of the next attempt, or of the end of a claim.
    public var dueAt: Timestamp
    /// The random identifier of the claim of a server; nil for a lane that no server has claimed.
    public var claim: String?

    /// Creates a lane.
    public init(endpoint: String, lane: String, dueAt: Timestamp, claim: String? = nil) {
        self.endpoint = endpoint
        self.lane = lane
        self.dueAt = dueAt
        self.claim = claim
    }
}

/// A message that the server no longer tries to deliver.
public struct WebhookDeadLetter: Hashable, Sendable {
    /// The delivery, with the number of its attempts and the reason of the last failure.
    public let delivery: WebhookDelivery
    /// The date after the last attempt.
    public let diedAt: Timestamp

    /// Creates a dead letter.
    public init(_ delivery: WebhookDelivery, diedAt: Timestamp) {
        self.delivery = delivery
        self.diedAt = diedAt
    }
}

/// Reads and writes the webhook endpoints of an app and their deliveries within one database transaction.
public protocol WebhookRecords {
    /// Returns the endpoints, sorted by their identifiers.
    func webhookEndpoints() throws -> [WebhookEndpoint]

    /// Returns an endpoint; nil for an unknown identifier.
    func webhookEndpoint(_ id: String) throws -> WebhookEndpoint?

    /// Inserts or replaces an endpoint.
    func put(_ endpoint: WebhookEndpoint) throws

    /// Removes an endpoint and its position, but not its deliveries.
    func remove(_ endpoint: WebhookEndpoint) throws

    /// Returns the position of the last event of the feed for which the deliveries to an endpoint exist; nil for an unknown endpoint.
    func webhookPosition(of endpoint: String) throws -> Int64?

    /// Returns the position of an endpoint, and locks it until the end of the transaction; nil for an unknown endpoint, or if another
    /// transaction has locked the position.
    func claimWebhookPosition(of endpoint: String) throws -> Int64?

    /// Inserts or replaces the position of an endpoint.
    func putWebhookPosition(_ position: Int64, of endpoint: String) throws

    /// Inserts a delivery, unless the same message already waits, and returns whether the delivery is new.
    ///
    /// A lane without deliveries becomes due at the delivery's ``WebhookDelivery/enqueuedAt``.
    func insert(_ delivery: WebhookDelivery) throws -> Bool

    /// Replaces a waiting delivery.
    func put(_ delivery: WebhookDelivery) throws

    /// Removes a delivery.
    func remove(_ delivery: WebhookDelivery) throws

    /// Returns at most `limit` of the oldest deliveries of a lane, in the order of their positions.
    func webhookDeliveries(to endpoint: String, in lane: String, limit: Int) throws -> [WebhookDelivery]

    /// Removes at most `limit` waiting deliveries, lanes and dead letters of an endpoint, and returns their number.
    func removeWebhookDeliveries(to endpoint: String, limit: Int) throws -> Int

    /// Claims at most `limit` lanes of an endpoint that are due at a date, earliest first, until the end of the claim.
    ///
    /// A database with concurrent writers skips the lanes that another transaction is claiming.
    ///
    /// - Parameters:
    ///   - endpoint: The identifier of the endpoint.
    ///   - date: The date.
    ///   - end: The date after which another server can claim a lane again.
    ///   - claim: The random identifier of the claim.
    ///   - limit: The maximum number of lanes.
    func claimWebhookLanes(
        of endpoint: String, dueAt date: Timestamp, until end: Timestamp, claim: String, limit: Int
    ) throws -> [WebhookLane]

    /// Returns a lane; nil for a lane without deliveries.
    func webhookLane(_ lane: String, of endpoint: String) throws -> WebhookLane?

    /// Inserts or replaces a lane.
    func put(_ lane: WebhookLane) throws

    /// Removes a lane.
    func remove(_ lane: WebhookLane) throws

    /// Returns at most `limit` lanes of an endpoint, in the order of their dates.
    ///
    /// - Parameters:
    ///   - endpoint: The identifier of the endpoint.
    ///   - date: The date after which the lanes are due; nil for all lanes.
    ///   - limit: The maximum number of lanes.
    func webhookLanes(of endpoint: String, dueAfter date: Timestamp?, limit: Int) throws -> [WebhookLane]

    /// Inserts a dead letter, or replaces the one of the same message.
    func insert(_ letter: WebhookDeadLetter) throws

    /// Removes the dead letter of a message, if there is one.
    func removeWebhookDeadLetter(_ message: String, of endpoint: String) throws

    /// Returns the dead letter of a message; nil if there is none.
    func webhookDeadLetter(_ message: String, of endpoint: String) throws -> WebhookDeadLetter?

    /// Returns at most `limit` dead letters of an endpoint after another one, oldest first.
    func webhookDeadLetters(of endpoint: String, after last: WebhookDeadLetter?, limit: Int) throws -> [WebhookDeadLetter]
}

package import PurchaseModel
package import Wire

extension ServerEndpoints {
    /// Lists the webhook endpoints of the app; for operators, as all requests about webhooks.
    package static let webhooks = Endpoint<Empty, WebhooksReply>(.get, "/v1/webhooks")
    /// Creates a webhook endpoint, which receives the events from then on.
    package static let createWebhook = Endpoint<CreateWebhookRequest, WebhookSecretReply>(.post, "/v1/webhooks")
    /// Changes, enables or disables a webhook endpoint.
    package static let changeWebhook = Endpoint<ChangeWebhookRequest, WebhookReply>(.post, "/v1/webhooks/{webhook}")
    /// Removes a webhook endpoint with its waiting messages.
    package static let removeWebhook = Endpoint<Empty, WebhooksReply>(.delete, "/v1/webhooks/{webhook}")
    /// Replaces the secret of a webhook endpoint.
    package static let rotateWebhookSecret = Endpoint<RotateWebhookSecretRequest, WebhookSecretReply>(
        .post, "/v1/webhooks/{webhook}/rotate")
    /// Sends events to a webhook endpoint again.
    package static let resendWebhooks = Endpoint<ResendWebhooksRequest, ResendWebhooksReply>(.post, "/v1/webhooks/{webhook}/resend")
    /// Lists the messages that the server no longer tries to deliver, oldest first; the query parameter `after` continues a list.
    package static let deadLetters = Endpoint<Empty, DeadLettersReply>(.get, "/v1/webhooks/{webhook}/dead-letters")
}

/// The format of the messages to a webhook endpoint.
package enum WebhookFormat: String, Codable, Hashable, Sendable, CaseIterable {
    /// The events of the feed.
    case event
    /// The events of the feed, as RevenueCat's webhooks state them.
    case revenueCat = "revenuecat"
    /// The App Store's signed notifications, unchanged.
    case notification
}

/// A webhook endpoint.
package struct WebhookReply: Codable, Hashable, Sendable {
    package var id: String
    package var url: String
    package var note: String
    /// The name of a ``WebhookFormat``, or of a format of another version of the server.
    package var format: String
    /// The types of messages that the endpoint receives; empty for all types.
    package var types: [String]
    package var isEnabled: Bool
    package var createdAt: Timestamp
    package var disabledAt: Timestamp?
    /// The reason why the endpoint was disabled; nil for an enabled endpoint.
    package var disabledBecause: String?
    /// The date of the first failure since the last delivery; nil if the last attempt was a delivery.
    package var failingSince: Timestamp?
    /// The number of customers with waiting messages, at most 1,000.
    package var waitingCustomers: Int
    /// The number of dead letters, at most 1,000.
    package var deadLetters: Int

    package init(
        id: String, url: String, note: String, format: String, types: [String], isEnabled: Bool, createdAt: Timestamp,
        disabledAt: Timestamp?, disabledBecause: String?, failingSince: Timestamp?, waitingCustomers: Int, deadLetters: Int
    ) {
        self.id = id
        self.url = url
        self.note = note
        self.format = format
        self.types = types
        self.isEnabled = isEnabled
        self.createdAt = createdAt
        self.disabledAt = disabledAt
        self.disabledBecause = disabledBecause
        self.failingSince = failingSince
        self.waitingCustomers = waitingCustomers
        self.deadLetters = deadLetters
    }
}

/// The webhook endpoints of an app, sorted by their identifiers.
package struct WebhooksReply: Codable, Hashable, Sendable {
    package var webhooks: [WebhookReply]

    package init(webhooks: [WebhookReply]) {
        self.webhooks = webhooks
    }
}

/// A request to create a webhook endpoint.
package struct CreateWebhookRequest: Codable, Hashable, Sendable {
    package var url: String
    /// The operator's text about the endpoint, at most 200 bytes; nil for none.
    package var note: String?
    /// The types of messages that the endpoint receives; nil or empty for all types.
    package var types: [String]?
    /// The format of the messages; nil for events.
    package var format: WebhookFormat?
    /// The value of the header `Authorization` of each message, at most 1,000 visible characters; nil for no header.
    package var authorization: String?

    package init(
        url: String, note: String? = nil, types: [String]? = nil, format: WebhookFormat? = nil, authorization: String? = nil
    ) {
        self.url = url
        self.note = note
        self.types = types
        self.format = format
        self.authorization = authorization
    }
}

/// A request to change a webhook endpoint; nil leaves a member unchanged.
package struct ChangeWebhookRequest: Codable, Hashable, Sendable {
    package var url: String?
    package var note: String?
    package var types: [String]?
    package var isEnabled: Bool?

    package init(url: String? = nil, note: String? = nil, types: [String]? = nil, isEnabled: Bool? = nil) {
        self.url = url
        self.note = note
        self.types = types
        self.isEnabled = isEnabled
    }
}

/// A request to replace the secret of a webhook endpoint.
package struct RotateWebhookSecretRequest: Codable, Hashable, Sendable {
    /// The number of seconds for which the replaced secret signs too, from 0 to 604,800 (7 days); nil for a day.
    package var overlapSeconds: Int64?

    package init(overlapSeconds: Int64? = nil) {
        self.overlapSeconds = overlapSeconds
    }
}

/// A webhook endpoint with its secret, which only this answer contains.
package struct WebhookSecretReply: Codable, Hashable, Sendable {
    package var webhook: WebhookReply
    /// The secret that verifies the header `webhook-signature`, with the prefix `whsec_`.
    package var secret: String

    package init(webhook: WebhookReply, secret: String) {
        self.webhook = webhook
        self.secret = secret
    }
}

/// A request to send events to a webhook endpoint again: those with the identifiers, or those since a date.
package struct ResendWebhooksRequest: Codable, Hashable, Sendable {
    /// The identifiers of events, or the UUIDs of notifications; at most 100.
    package var messages: [String]?
    /// The date from which events were recorded, or notifications signed.
    package var from: Timestamp?
    /// The date before which events were recorded, or notifications signed; nil for now.
    package var until: Timestamp?
    /// The customer whom the events concern; nil for all customers.
    package var customer: CustomerID?
    /// The cursor of the last event of an earlier answer; nil to begin.
    package var after: String?

    package init(
        messages: [String]? = nil, from: Timestamp? = nil, until: Timestamp? = nil, customer: CustomerID? = nil, after: String? = nil
    ) {
        self.messages = messages
        self.from = from
        self.until = until
        self.customer = customer
        self.after = after
    }
}

/// The number of events that are sent again.
package struct ResendWebhooksReply: Codable, Hashable, Sendable {
    package var enqueued: Int
    /// The cursor with which the same request continues; nil after the last event.
    package var nextCursor: String?

    package init(enqueued: Int, nextCursor: String?) {
        self.enqueued = enqueued
        self.nextCursor = nextCursor
    }
}

/// A page of dead letters, oldest first.
package struct DeadLettersReply: Codable, Hashable, Sendable {
    /// A message that the server no longer tries to deliver.
    package struct DeadLetter: Codable, Hashable, Sendable {
        /// The identifier of the event.
        package var message: String
        package var type: String
        /// The customer; nil for an event without a customer.
        package var customer: CustomerID?
        package var enqueuedAt: Timestamp
        package var diedAt: Timestamp
        package var attempts: Int
        /// The reason of the last failure.
        package var failure: String

        package init(
            message: String, type: String, customer: CustomerID?, enqueuedAt: Timestamp, diedAt: Timestamp, attempts: Int, failure: String
        ) {
            self.message = message
            self.type = type
            self.customer = customer
            self.enqueuedAt = enqueuedAt
            self.diedAt = diedAt
            self.attempts = attempts
            self.failure = failure
        }
    }

    package var deadLetters: [DeadLetter]
    /// The cursor of the next page; nil after the last dead letter.
    package var nextCursor: String?

    package init(deadLetters: [DeadLetter], nextCursor: String?) {
        self.deadLetters = deadLetters
        self.nextCursor = nextCursor
    }
}

import PurchaseModel
import PurchaseStorage

// Webhooks
extension MemoryTransaction {
    func webhookEndpoints() -> [WebhookEndpoint] { records.webhookEndpoints.values.sorted { $0.id < $1.id } }

    func webhookEndpoint(_ id: String) -> WebhookEndpoint? { records.webhookEndpoints[id] }

    func put(_ endpoint: WebhookEndpoint) { records.webhookEndpoints[endpoint.id] = endpoint }

    func remove(_ endpoint: WebhookEndpoint) {
        records.webhookEndpoints[endpoint.id] = nil
        records.webhookPositions[endpoint.id] = nil
    }

    func webhookPosition(of endpoint: String) -> Int64? { records.webhookPositions[endpoint] }

    func claimWebhookPosition(of endpoint: String) -> Int64? { records.webhookPositions[endpoint] }

    func putWebhookPosition(_ position: Int64, of endpoint: String) { records.webhookPositions[endpoint] = position }

    func insert(_ delivery: WebhookDelivery) -> Bool {
        if webhookLane(delivery.lane, of: delivery.endpoint) == nil {
            records.webhookLanes.append(WebhookLane(endpoint: delivery.endpoint, lane: delivery.lane, dueAt: delivery.enqueuedAt))
        }
        guard !records.webhookDeliveries.contains(where: { $0.isSame(as: delivery) }) else { return false }
        records.webhookDeliveries.append(delivery)
        return true
    }

    func put(_ delivery: WebhookDelivery) {
        for index in records.webhookDeliveries.indices where records.webhookDeliveries[index].isSame(as: delivery) {
            records.webhookDeliveries[index].attempts = delivery.attempts
            records.webhookDeliveries[index].failure = delivery.failure
            records.webhookDeliveries[index].enqueuedAt = delivery.enqueuedAt
        }
    }

    func remove(_ delivery: WebhookDelivery) { records.webhookDeliveries.removeAll { $0.isSame(as: delivery) } }

    func webhookDeliveries(to endpoint: String, in lane: String, limit: Int) -> [WebhookDelivery] {
        let waiting = records.webhookDeliveries.filter { $0.endpoint == endpoint && $0.lane == lane }
        return Array(waiting.sorted { ($0.position, $0.message) < ($1.position, $1.message) }.prefix(max(0, limit)))
    }

    func removeWebhookDeliveries(to endpoint: String, limit: Int) -> Int {
        let count = records.webhookDeliveries.count + records.webhookLanes.count + records.webhookDeadLetters.count
        records.webhookDeliveries.removeAll { $0.endpoint == endpoint }
        records.webhookLanes.removeAll { $0.endpoint == endpoint }
        records.webhookDeadLetters.removeAll { $0.delivery.endpoint == endpoint }
        return count - records.webhookDeliveries.count - records.webhookLanes.count - records.webhookDeadLetters.count
    }

    func claimWebhookLanes(
        of endpoint: String, dueAt date: Timestamp, until end: Timestamp, claim: String, limit: Int
    ) -> [WebhookLane] {
        webhookLanes(of: endpoint, dueAfter: nil, limit: .max).filter { $0.dueAt <= date }.prefix(max(0, limit)).map { lane in
            let claimed = WebhookLane(endpoint: endpoint, lane: lane.lane, dueAt: end, claim: claim)
            put(claimed)
            return claimed
        }
    }

    func webhookLane(_ lane: String, of endpoint: String) -> WebhookLane? {
        records.webhookLanes.first { $0.endpoint == endpoint && $0.lane == lane }
    }

    func put(_ lane: WebhookLane) {
        remove(lane)
        records.webhookLanes.append(lane)
    }

    func remove(_ lane: WebhookLane) { records.webhookLanes.removeAll { $0.endpoint == lane.endpoint && $0.lane == lane.lane } }

    func webhookLanes(of endpoint: String, dueAfter date: Timestamp?, limit: Int) -> [WebhookLane] {
        let lanes = records.webhookLanes.filter { lane in lane.endpoint == endpoint && (date.map { $0 < lane.dueAt } ?? true) }
        return Array(lanes.sorted { ($0.dueAt, $0.lane) < ($1.dueAt, $1.lane) }.prefix(max(0, limit)))
    }

    func insert(_ letter: WebhookDeadLetter) {
        removeWebhookDeadLetter(letter.delivery.message, of: letter.delivery.endpoint)
        records.webhookDeadLetters.append(letter)
    }

    func removeWebhookDeadLetter(_ message: String, of endpoint: String) {
        records.webhookDeadLetters.removeAll { $0.delivery.endpoint == endpoint && $0.delivery.message == message }
    }

    func webhookDeadLetter(_ message: String, of endpoint: String) -> WebhookDeadLetter? {
        records.webhookDeadLetters.first { $0.delivery.endpoint == endpoint && $0.delivery.message == message }
    }

    func webhookDeadLetters(of endpoint: String, after last: WebhookDeadLetter?, limit: Int) -> [WebhookDeadLetter] {
        let letters = records.webhookDeadLetters.filter { $0.delivery.endpoint == endpoint }.sorted { $0.order < $1.order }
        return Array(letters.filter { letter in last.map { $0.order < letter.order } ?? true }.prefix(max(0, limit)))
    }
}

extension WebhookDelivery {
    fileprivate func isSame(as other: WebhookDelivery) -> Bool {
        (endpoint, lane, position, message) == (other.endpoint, other.lane, other.position, other.message)
    }
}

extension WebhookDeadLetter {
    fileprivate var order: (Timestamp, String) { (diedAt, delivery.message) }
}

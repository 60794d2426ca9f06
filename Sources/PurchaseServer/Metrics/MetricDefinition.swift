/// A metric of the server, as the text format of Prometheus describes it.
///
/// Names and units follow <https://prometheus.io/docs/practices/naming/>. `docs/operations.md` lists every metric; a test compares the list.
struct MetricDefinition: Hashable, Sendable {
    /// The type of a metric.
    enum Kind: String, Hashable, Sendable {
        /// A number that only increases until the process ends.
        case counter
        /// A number that increases and decreases.
        case gauge
        /// The number of measurements up to each bound, with their sum.
        case histogram
    }

    let name: String
    let kind: Kind
    /// The description, which ends with a period.
    let help: String
    /// The names of the labels, sorted.
    let labels: [String]

    init(_ kind: Kind, _ name: String, _ labels: [String] = [], _ help: String) {
        (self.kind, self.name, self.labels, self.help) = (kind, name, labels.sorted(), help)
    }
}

extension MetricDefinition {
    static let requests = MetricDefinition(
        .counter, "tillroll_http_requests_total", ["method", "route", "status"], "Requests that the server answered.")
    static let requestDuration = MetricDefinition(
        .histogram, "tillroll_http_request_duration_seconds", ["method", "route"], "Time from a request's head to the head of its response."
    )
    static let submissions = MetricDefinition(
        .counter, "tillroll_proof_verifications_total", ["app", "proof", "result"],
        "Proofs of purchases that apps and backends submitted: verified, refused, or indeterminate because the App Store did not answer.")
    static let notifications = MetricDefinition(
        .counter, "tillroll_notifications_total", ["app", "outcome"],
        "Notifications of the App Store: recorded, duplicate, not_understood (recorded until an update), refused, or failed (sent again).")
    static let latestNotification = MetricDefinition(
        .gauge, "tillroll_notification_timestamp_seconds", ["app"], "Time at which the newest notification of the App Store was recorded.")
    static let missedNotifications = MetricDefinition(
        .counter, "tillroll_notifications_missed_total", ["app"],
        "Notifications that the App Store lists as sent and the server never received; a reconciliation recorded them.")
    static let missedEvents = MetricDefinition(
        .counter, "tillroll_reconciliation_findings_total", ["app"],
        "Events of purchases that a look-up found and no notification stated.")
    static let reconciliations = MetricDefinition(
        .counter, "tillroll_reconciliations_total", ["app", "outcome"], "Ended reconciliations with the App Store.")
    static let latestReconciliation = MetricDefinition(
        .gauge, "tillroll_reconciliation_timestamp_seconds", ["app"], "Time at which the newest complete reconciliation ended.")
    static let unconfirmedRenewals = MetricDefinition(
        .counter, "tillroll_unconfirmed_renewals_total", ["app"],
        "Answers that a subscription is active, although no signed data states its renewal yet (renewal-leeway-hours).")
    static let appStoreRequests = MetricDefinition(
        .counter, "tillroll_app_store_requests_total", ["endpoint", "result"],
        "Requests to the App Store Server API, with the status of the answer, or the reason why there was none.")
    static let appStoreDuration = MetricDefinition(
        .histogram, "tillroll_app_store_request_duration_seconds", ["endpoint"], "Time until the App Store answered a request.")
    static let warnings = MetricDefinition(
        .gauge, "tillroll_operator_warnings", ["app", "code"], "Warnings of /readyz that an operator has to correct: 1 while one applies.")
    static let storageDuration = MetricDefinition(
        .histogram, "tillroll_storage_duration_seconds", ["operation"], "Time of a database transaction: read or write.")
    static let storageFailures = MetricDefinition(
        .counter, "tillroll_storage_failures_total", ["operation"], "Database transactions that failed.")
    static let webhookAttempts = MetricDefinition(
        .counter, "tillroll_webhook_attempts_total", ["app", "endpoint", "result"],
        "Attempts to deliver a message to a webhook endpoint: acknowledged, failed (tried again), or dead_letter (given up).")
    static let webhookEnabled = MetricDefinition(
        .gauge, "tillroll_webhook_enabled", ["app", "endpoint"], "Whether a webhook endpoint receives messages: 0 after it was disabled.")
    static let openRequests = MetricDefinition(
        .gauge, "tillroll_http_requests_in_progress", [], "Requests whose response has not begun.")
    static let information = MetricDefinition(
        .gauge, "tillroll_build_info", ["version"], "The version of the server; always 1.")
    static let residentMemory = MetricDefinition(
        .gauge, "process_resident_memory_bytes", [], "Memory of the process in RAM.")
    static let virtualMemory = MetricDefinition(.gauge, "process_virtual_memory_bytes", [], "Address space of the process.")
    static let processorTime = MetricDefinition(
        .counter, "process_cpu_seconds_total", [], "Processor time that the process has used.")
    static let openFiles = MetricDefinition(.gauge, "process_open_fds", [], "Open file descriptors of the process.")
    static let startTime = MetricDefinition(.gauge, "process_start_time_seconds", [], "Time at which the process began.")

    /// Every metric, in the order of the answer.
    static let all = [
        information, requests, requestDuration, openRequests, submissions, notifications, latestNotification, missedNotifications,
        missedEvents, unconfirmedRenewals, reconciliations, latestReconciliation, appStoreRequests, appStoreDuration, warnings,
        webhookAttempts, webhookEnabled,
        storageDuration, storageFailures, residentMemory, virtualMemory, processorTime, openFiles, startTime,
    ]
}

public import Foundation

/// A request for a page of the notification history.
public struct NotificationHistoryRequest: Codable, Hashable, Sendable {
    /// The maximum age of ``startDate`` at the time of the request, in days.
    public static let maximumAgeInDays: Int64 = 180

    /// The earliest signature date of the notifications to include.
    public var startDate: Timestamp
    /// The end of the signature dates to include: notifications that were signed at this date or later are excluded.
    public var endDate: Timestamp
    /// The notification type to include; nil for all types.
    public var notificationType: String?
    /// The subtype to include, which requires ``notificationType``; nil for all subtypes.
    public var notificationSubtype: String?
    /// A transaction of the customer to include, not to be combined with ``notificationType``; nil for all customers.
    public var transactionId: TransactionID?
    /// Whether to include only notifications that the developer's server has not accepted.
    public var onlyFailures: Bool?

    /// Creates a request.
    public init(
        startDate: Timestamp, endDate: Timestamp, notificationType: String? = nil, notificationSubtype: String? = nil,
        transactionId: TransactionID? = nil, onlyFailures: Bool? = nil
    ) {
        self.startDate = startDate
        self.endDate = endDate
        self.notificationType = notificationType
        self.notificationSubtype = notificationSubtype
        self.transactionId = transactionId
        self.onlyFailures = onlyFailures
    }

    /// Parses a request body that was received at the time `now`.
    ///
    /// - Throws: ``ServerAPIError/generalBadRequest`` when the body is not a JSON object, or else the error of the first invalid field.
    public init(json: Data, now: Timestamp) throws(ServerAPIError) {
        let fields = try ServerAPIFields(json)
        startDate = try Self.date(fields, "startDate", or: .invalidStartDate)
        endDate = try Self.date(fields, "endDate", or: .invalidEndDate)
        guard startDate < endDate else { throw .startDateAfterEndDate }
        guard startDate >= now.adding(days: -Self.maximumAgeInDays) else { throw .startDateTooFarInPast }
        notificationType = try fields.string("notificationType", or: .invalidNotificationType)
        notificationSubtype = try fields.string("notificationSubtype", or: .invalidNotificationType)
        transactionId = try fields.string("transactionId", or: .invalidTransactionId).map { TransactionID($0) }
        onlyFailures = try fields.bool("onlyFailures", or: .generalBadRequest)
        if transactionId != nil, notificationType != nil || notificationSubtype != nil { throw .multipleFiltersSupplied }
        if let notificationType {
            guard let type = NotificationType(rawValue: notificationType) else { throw .invalidNotificationType }
            guard let notificationSubtype else { return }
            guard let subtype = NotificationSubtype(rawValue: notificationSubtype), type.subtypes.contains(subtype) else {
                throw .invalidNotificationType
            }
        } else if notificationSubtype != nil {
            throw .invalidNotificationType
        }
    }

    private static func date(_ fields: ServerAPIFields, _ name: String, or error: ServerAPIError) throws(ServerAPIError) -> Timestamp {
        guard let date = try fields.integer(name, or: error), date >= 0 else { throw error }
        return Timestamp(milliseconds: date)
    }
}

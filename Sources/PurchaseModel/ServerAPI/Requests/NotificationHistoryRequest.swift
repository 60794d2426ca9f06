public import Foundation

/// Which notifications are asked for.
public struct NotificationHistoryRequest: Codable, Hashable, Sendable {
    /// How many days the history reaches back.
    public static let reachInDays: Int64 = 180

    /// Notifications signed then or later.
    public var startDate: Timestamp
    /// Notifications signed before then; the future means now.
    public var endDate: Timestamp
    /// Of this type only.
    public var notificationType: String?
    /// Of this subtype only; goes with its type.
    public var notificationSubtype: String?
    /// About this customer only, by any transaction; excludes a type.
    public var transactionId: TransactionID?
    /// Only those that no server has taken.
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

    /// Reads a body at some time.
    ///
    /// - Throws: The error of the first field that cannot be used.
    public init(json: Data, now: Timestamp) throws(ServerAPIError) {
        let fields = try ServerAPIFields(json)
        startDate = try Self.date(fields, "startDate", or: .invalidStartDate)
        endDate = try Self.date(fields, "endDate", or: .invalidEndDate)
        guard startDate < endDate else { throw .startDateAfterEndDate }
        guard startDate >= now.adding(days: -Self.reachInDays) else { throw .startDateTooFarInPast }
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

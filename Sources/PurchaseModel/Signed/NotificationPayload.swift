import FoundationExtras

/// The payload of a server notification (Apple's `responseBodyV2DecodedPayload`).
///
/// The nested transaction and the nested renewal info carry their own signatures, which must be verified too.
public struct NotificationPayload: Hashable, Sendable {
    /// The notification type, such as `DID_RENEW`.
    public var notificationType: String
    /// The subtype, such as `BILLING_RECOVERY`.
    public var subtype: String?
    /// The identifier of the notification, which is the same for each delivery attempt and identifies duplicates.
    public var notificationUUID: String
    /// The version of the notification format, `2.0`.
    public var version: String?
    /// The signature date of the notification.
    public var signedDate: Timestamp
    /// The subject of the notification: a purchase, renewal date extensions, an external purchase token, or the app.
    public var subject: NotificationSubject
    /// The claims of seats that the App Store released, in an `UNCLAIM_SEATS` notification.
    ///
    /// The notification can have another subject too, because Apple's documentation that this project has seen does not exclude one.
    public var unclaimInfo: UnclaimInfo?

    /// Creates a notification about a subject.
    public init(
        notificationType: String, subtype: String?, notificationUUID: String, signedDate: Timestamp, subject: NotificationSubject
    ) {
        self.notificationType = notificationType
        self.subtype = subtype
        self.notificationUUID = notificationUUID
        self.version = "2.0"
        self.signedDate = signedDate
        self.subject = subject
    }

    /// Creates a notification about a purchase.
    public init(notificationType: String, subtype: String?, notificationUUID: String, signedDate: Timestamp, data: NotificationData) {
        self.init(
            notificationType: notificationType, subtype: subtype, notificationUUID: notificationUUID, signedDate: signedDate,
            subject: .data(data)
        )
    }

    /// The purchase that the notification concerns; nil for a notification about another subject.
    public var data: NotificationData? {
        if case .data(let data) = subject { data } else { nil }
    }

    /// The notification type; nil for an unknown value.
    public var type: NotificationType? { NotificationType(rawValue: notificationType) }

    /// The subtype; nil when the field is absent or has an unknown value.
    public var notificationSubtype: NotificationSubtype? { subtype.flatMap { NotificationSubtype(rawValue: $0) } }

    /// Whether this version knows the type, the subtype and the subject of the notification.
    ///
    /// The App Store can introduce new notifications at any time. A server stores and acknowledges an unknown one, because the App Store
    /// does not send an acknowledged notification again, and a refused one only a few times.
    public var isUnderstood: Bool {
        guard let type, subtype == nil || notificationSubtype != nil else { return false }
        if type == .unclaimSeats { return unclaimInfo != nil }
        if case .unknown = subject { return type == .test }
        return true
    }
}

extension NotificationPayload: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case notificationType
        case subtype
        case notificationUUID
        case version
        case signedDate
        case data
        case summary
        case externalPurchaseToken
        case appData
        case unclaimInfo

        /// The members of which a notification contains at most one.
        static let subjects: [CodingKeys] = [.data, .summary, .externalPurchaseToken, .appData]
    }

    /// The name of any member of a notification.
    private struct MemberName: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Decodes a notification.
    ///
    /// A notification without a known subject has an ``NotificationSubject/unknown(_:)`` one. A notification with several known subjects is
    /// invalid, because two readers could interpret the notification differently.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        notificationType = try container.decode(String.self, forKey: .notificationType)
        subtype = try container.decodeIfPresent(String.self, forKey: .subtype)
        notificationUUID = try container.decode(String.self, forKey: .notificationUUID)
        version = try container.decodeIfPresent(String.self, forKey: .version)
        signedDate = try container.decode(Timestamp.self, forKey: .signedDate)
        let stated = try CodingKeys.subjects.filter { try container.contains($0) && !container.decodeNil(forKey: $0) }
        guard stated.count < 2 else {
            let reason = "A notification must contain at most one of data, summary, externalPurchaseToken and appData."
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: reason))
        }
        // An object in another format stays a part of the unknown subject.
        let unclaimInfo = try? container.decodeIfPresent(UnclaimInfo.self, forKey: .unclaimInfo)
        switch stated.first {
        case .data: subject = .data(try container.decode(NotificationData.self, forKey: .data))
        case .summary: subject = .summary(try container.decode(NotificationSummary.self, forKey: .summary))
        case .externalPurchaseToken:
            subject = .externalPurchaseToken(try container.decode(ExternalPurchaseToken.self, forKey: .externalPurchaseToken))
        case .appData: subject = .appData(try container.decode(NotificationAppData.self, forKey: .appData))
        default: subject = .unknown(try Self.unknownSubject(of: decoder, includesUnclaimInfo: unclaimInfo == nil))
        }
        self.unclaimInfo = unclaimInfo
    }

    private static func unknownSubject(of decoder: any Decoder, includesUnclaimInfo: Bool) throws -> UnknownNotificationSubject {
        let container = try decoder.container(keyedBy: MemberName.self)
        let known = Set(CodingKeys.allCases.filter { $0 != .unclaimInfo || !includesUnclaimInfo }.map(\.stringValue))
        let names = container.allKeys.filter { !known.contains($0.stringValue) }.sorted { $0.stringValue < $1.stringValue }
        return UnknownNotificationSubject(
            try names.map { JSONValue.Member($0.stringValue, try container.decode(JSONValue.self, forKey: $0)) })
    }

    /// Encodes a notification.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(notificationType, forKey: .notificationType)
        try container.encodeIfPresent(subtype, forKey: .subtype)
        try container.encode(notificationUUID, forKey: .notificationUUID)
        try container.encodeIfPresent(version, forKey: .version)
        try container.encode(signedDate, forKey: .signedDate)
        try container.encodeIfPresent(unclaimInfo, forKey: .unclaimInfo)
        switch subject {
        case .data(let data): try container.encode(data, forKey: .data)
        case .summary(let summary): try container.encode(summary, forKey: .summary)
        case .externalPurchaseToken(let token): try container.encode(token, forKey: .externalPurchaseToken)
        case .appData(let data): try container.encode(data, forKey: .appData)
        case .unknown(let unknown):
            var members = encoder.container(keyedBy: MemberName.self)
            for member in unknown.members { try members.encode(member.value, forKey: MemberName(stringValue: member.name)) }
        }
    }
}
